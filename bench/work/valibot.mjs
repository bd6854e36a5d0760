import * as v from 'valibot'

const int = v.pipe(v.number(), v.integer(), v.minValue(-(2 ** 31)), v.maxValue(2 ** 31 - 1))
const double = v.pipe(v.number(), v.finite())
const item = v.object({ sku: v.string(), title: v.string(), quantity: int, price: double })

const point = v.object({ x: double, y: double, label: v.string() })
const order = v.object({
  id: int,
  customer: v.string(),
  email: v.string(),
  street: v.string(),
  city: v.string(),
  country: v.string(),
  note: v.optional(v.string()),
  total: double,
  discount: double,
  paid: v.boolean(),
  status: v.picklist(['open', 'sent', 'done']),
  items: v.array(item),
})

const circle = v.object({ kind: v.literal('circle'), x: double, y: double, radius: double })
const box = v.object({ kind: v.literal('box'), x: double, y: double, width: double, height: double })
const group = v.object({ kind: v.literal('group'), name: v.string(), shapes: v.array(v.lazy(() => shape)) })
const shape = v.variant('kind', [circle, box, group])

export const schemas = { point, order, shape }
