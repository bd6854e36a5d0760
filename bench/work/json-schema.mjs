const object = (properties, ...optional) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
const text = { type: 'string' }
const double = { type: 'number' }
const int = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
const item = object({ sku: text, title: text, quantity: int, price: double })

const add = object({ a: int, b: int })
const sum = object({ result: int })
const point = object({ x: double, y: double, label: text })
const order = object(
  {
    id: int,
    customer: text,
    email: text,
    street: text,
    city: text,
    country: text,
    note: text,
    total: double,
    discount: double,
    paid: { type: 'boolean' },
    status: { enum: ['open', 'sent', 'done'] },
    items: { type: 'array', items: item },
  },
  'note',
)

const kind = (name, members) => object({ kind: { const: name }, ...members })
const shape = {
  $ref: '#/$defs/shape',
  $defs: {
    shape: {
      type: 'object',
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [
        kind('circle', { x: double, y: double, radius: double }),
        kind('box', { x: double, y: double, width: double, height: double }),
        kind('group', { name: text, shapes: { type: 'array', items: { $ref: '#/$defs/shape' } } }),
      ],
    },
  },
}

export const schemas = { add, sum, point, order, shape }
