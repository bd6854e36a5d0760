import fc from 'fast-check'

/** A schema of any tool and any draft; `true` accepts everything, `false` nothing. */
export type AnySchema = ForeignSchema | boolean

/** The keywords of JSON Schema that the comparison understands; there may be others. */
export interface ForeignSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly allOf?: readonly AnySchema[]
  readonly minimum?: number
  readonly maximum?: number
  /** A limit; in draft 4 whether the limit beside it is exclusive. */
  readonly exclusiveMinimum?: number | boolean
  readonly exclusiveMaximum?: number | boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly AnySchema[]
  /** A list of schemas before 2020-12. */
  readonly items?: AnySchema | readonly AnySchema[]
  readonly additionalItems?: AnySchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly additionalProperties?: AnySchema
}

/** A schema, and values that senders of it may send: these have no unknown keys. */
export interface Sample {
  readonly schema: AnySchema
  readonly values: fc.Arbitrary<unknown>
}

const base64 = '^(?:[A-Za-z0-9+/]{4})*$'
const step = fc.option(fc.constantFrom(1, 2, 4, 0.5), { nil: undefined })
const words = ['a', 'b', 'ab', 'abc', '']

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.constant({ schema: {}, values: fc.jsonValue({ maxDepth: 1 }) }),
  fc.constant({ schema: { type: 'null' }, values: fc.constant(null) }),
  fc.constant({ schema: { type: 'boolean' }, values: fc.boolean() }),
  fc.constant({ schema: { type: 'string', contentEncoding: 'base64', pattern: base64 }, values: fc.constant('AAAA') }),
  numbers('integer'),
  numbers('number'),
  strings(),
  fc.subarray(['a', 'b', 1, 2, true], { minLength: 1 }).map((values) => ({
    schema: { enum: values },
    values: fc.constantFrom(...values),
  })),
  fc.constantFrom('a', 'b', 1).map((value) => ({ schema: { const: value }, values: fc.constant(value) })),
)

function numbers(type: 'integer' | 'number'): fc.Arbitrary<Sample> {
  const limit = fc.option(fc.integer({ min: -4, max: 4 }), { nil: undefined })
  return fc
    .record({ minimum: limit, maximum: limit, exclusiveMinimum: limit, exclusiveMaximum: limit, multipleOf: step })
    .map((limits) => {
      const schema = defined({ type, ...limits })
      const all = Array.from({ length: 49 }, (_, i) => (i - 24) / 4).filter((value) => accepts(schema, value))
      return all.length > 0
        ? { schema, values: fc.constantFrom(...all) }
        : { schema: { type }, values: fc.integer({ min: -6, max: 6 }) }
    })
}

function accepts(schema: ForeignSchema, value: number): boolean {
  const { type, minimum = -99, maximum = 99, exclusiveMinimum = -99, exclusiveMaximum = 99, multipleOf } = schema
  return (
    (type !== 'integer' || Number.isInteger(value)) &&
    value >= minimum &&
    value <= maximum &&
    value > Number(exclusiveMinimum) &&
    value < Number(exclusiveMaximum) &&
    (multipleOf === undefined || Number.isInteger(value / multipleOf))
  )
}

function strings(): fc.Arbitrary<Sample> {
  const length = fc.option(fc.nat(2), { nil: undefined })
  const pattern = fc.option(fc.constantFrom('^a', 'b$'), { nil: undefined })
  return fc.record({ minLength: length, maxLength: length, pattern }).map((limits) => {
    const { minLength = 0, maxLength = 9 } = limits
    const expression = new RegExp(limits.pattern ?? '')
    const all = words.filter((each) => each.length >= minLength && each.length <= maxLength && expression.test(each))
    return all.length > 0
      ? { schema: defined({ type: 'string', ...limits }), values: fc.constantFrom(...all) }
      : { schema: { type: 'string' }, values: fc.constantFrom(...words) }
  })
}

function defined(schema: object): ForeignSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

/** Schemas of every kind that our documents contain, without references. */
export const samples: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    lists(tie('any')),
    tuples(tie('any')),
    objects(tie('any')),
    unions(tie('any')),
  ),
})).any

function lists(element: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(element, fc.nat(1), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
    .map(([{ schema, values }, minItems, maxItems]) => ({
      schema: defined({ type: 'array', items: schema, minItems, maxItems }),
      values: fc.array(values, { minLength: minItems, maxLength: maxItems ?? 4 }),
    }))
}

function tuples(element: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(fc.array(element, { minLength: 1, maxLength: 2 }), fc.option(element), fc.nat(2))
    .map(([elements, rest, wanted]) => {
      const minItems = Math.min(wanted, elements.length)
      const prefix = elements.map(({ values }) => values)
      const lengths = fc.integer({ min: minItems, max: elements.length })
      const whole = fc.tuple(fc.tuple(...prefix), rest ? fc.array(rest.values, { maxLength: 2 }) : fc.constant([]))
      return {
        schema: {
          type: 'array',
          prefixItems: elements.map(({ schema }) => schema),
          minItems,
          items: rest ? rest.schema : false,
        },
        values: fc
          .tuple(whole, lengths)
          .map(([[values, more], length]) => (more.length > 0 ? [...values, ...more] : values.slice(0, length))),
      }
    })
}

function objects(element: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const member = fc.record({ name: fc.constantFrom('a', 'b', 'x-c'), sample: element, required: fc.boolean() })
  const members = fc.uniqueArray(member, { maxLength: 3, selector: ({ name }) => name })
  const pattern = fc.constantFrom(undefined, '^x-', '^x-c$|^x-d$', '^x-c|^(?:x-d|y)$')
  const further = fc.option(fc.record({ sample: element, pattern }), { nil: undefined, freq: 3 })
  return fc.tuple(members, further, fc.boolean()).map(([all, others, closed]) => {
    const requiredKeys = all.filter(({ required }) => required).map(({ name }) => name)
    const declared = fc.record(Object.fromEntries(all.map(({ name, sample }) => [name, sample.values])), {
      requiredKeys,
    })
    const isFree = (name: string) => !all.some((each) => each.name === name)
    const names = (others?.pattern ? ['x-c', 'x-d'] : ['a', 'b', 'x-c', 'd']).filter(isFree)
    const isSent = others && names.length > 0
    const more = isSent ? fc.dictionary(fc.constantFrom(...names), others.sample.values) : fc.constant({})
    // A declared member that matches the pattern would have to be of both types.
    const pattern = isFree('x-c') ? (others?.pattern ?? '') : '^x-(?!c$)'
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(all.map(({ name, sample }) => [name, sample.schema])),
        ...(requiredKeys.length > 0 && { required: requiredKeys }),
        ...(others?.pattern && { patternProperties: { [pattern]: others.sample.schema } }),
        ...(others && !others.pattern && { additionalProperties: others.sample.schema }),
        ...(!others && closed && { additionalProperties: false }),
      },
      values: fc.tuple(declared, more).map(([own, free]) => ({ ...free, ...own })),
    }
  })
}

function unions(element: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.array(element, { minLength: 1, maxLength: 3 }).map((branches) => ({
    schema: { anyOf: branches.map(({ schema }) => schema) },
    values: fc.oneof(...branches.map(({ values }) => values)),
  }))
}

/** A schema in which one thing is another: a word less, another part, a branch more, a member that may be missing. */
export function altered(schema: AnySchema, other: AnySchema, choices: readonly number[]): AnySchema {
  const [first = 0, second = 0, ...more] = choices
  if (typeof schema === 'boolean') return other
  const parts = partsOf(schema)
  if (parts.length > 0 && first % 3 > 0) {
    const [part, put] = parts[second % parts.length] as Part
    return put(altered(part, other, more))
  }
  const words = Object.keys(schema).filter((word) => word !== 'type')
  const ways: readonly (() => AnySchema)[] = [
    () => ({ anyOf: [schema, other] }),
    () => other,
    () => {
      const { [words[second % words.length] as keyof ForeignSchema]: _word, ...rest } = schema
      return words.length > 0 ? rest : true
    },
    () => (schema.required ? { ...schema, required: schema.required.slice(1) } : { ...schema, minItems: 2 }),
    () => ({ ...schema, minimum: 0, maxLength: 1 }),
  ]
  return (ways[second % ways.length] as () => AnySchema)()
}

type Part = readonly [AnySchema, (changed: AnySchema) => AnySchema]

/** The schemas right inside of a schema, and how to put another one in their place. */
export function partsOf(schema: ForeignSchema): Part[] {
  const { anyOf = [], prefixItems = [], properties = {}, patternProperties = {}, items, additionalProperties } = schema
  const members = { properties, patternProperties }
  return [
    ...anyOf.map((each, i): Part => [each, (put) => ({ ...schema, anyOf: anyOf.with(i, put) })]),
    ...prefixItems.map((each, i): Part => [each, (put) => ({ ...schema, prefixItems: prefixItems.with(i, put) })]),
    ...(['properties', 'patternProperties'] as const).flatMap((word) =>
      Object.entries(members[word]).map(
        ([name, each]): Part => [each, (put) => ({ ...schema, [word]: { ...members[word], [name]: put } })],
      ),
    ),
    ...(typeof items === 'object' ? [[items as AnySchema, (put) => ({ ...schema, items: put })] as Part] : []),
    ...(typeof additionalProperties === 'object'
      ? [[additionalProperties, (put) => ({ ...schema, additionalProperties: put })] as Part]
      : []),
  ]
}
