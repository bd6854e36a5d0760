import fc from 'fast-check'
import type { Constraints } from '../../runtime/values/constraints.js'
import type { LazyType, StructType, TupleType, WireType } from '../../runtime/values/types.js'
import { memberNames } from './models.js'

// Random JSON for a type: mostly right, or nearly so.

const texts = [
  '',
  'a',
  'one',
  'two',
  "it's",
  'äß',
  '👍',
  'x1',
  'kind0',
  'kind1',
  'user:x',
  'user:1',
  'v12',
  'v1.5',
  'a/b.b',
]
const dates = ['2020-02-29', '2021-02-29', '2020-01-02T03:04:05Z', '2020-01-02 03:04', '2020-01-02T03:04:05,5+0130']
const moreDates = ['2020-01-02T24:00', '2020-01-02T24:01', '2020-01-02T03:04:60Z', '0000-01-02', '2020-1-2', 'today']
const formats = [
  '12:30:00Z',
  '25:30:00Z',
  'a@example.org',
  'a@',
  'https://example.org/a',
  'example',
  '127.0.0.1',
  '256.0.0.1',
]
const moreFormats = ['::1', '1::2::3', '123e4567-e89b-12d3-a456-426614174000', 'example.org', '-example.org']
const bytes = ['AQID', 'AQI=', 'AQ==', 'AQI', 'A', '=', 'AQ ID', 'AQ-_', 'AQ=D']
const bigints = ['12', '-5', '007', '1e3', '12345678901234567890', '+1', '0x1']
const urls = ['https://example.org/a?b=c', 'mailto:a@example.org', 'example', 'http//x']

const numbers = fc.oneof(
  fc.integer({ min: -6, max: 12 }),
  fc.constantFrom(
    0,
    -0,
    0.5,
    0.1,
    0.3,
    0.7,
    1.05,
    2.5,
    -2.5,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31),
    -(2 ** 31) - 1,
    1e15,
    5e-324,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
)

const strings = fc.oneof(
  fc.constantFrom(...texts, ...dates, ...moreDates, ...formats, ...moreFormats, ...bytes, ...bigints, ...urls),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)

/** Anything at all. */
const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, false),
    numbers,
    strings,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...memberNames, 'kind', 'data-', 'on2'), tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

/** How many types deep a value follows a type that contains itself. */
const deepest = 5

/** Values for a type; every part of them may be something else instead. */
export function valuesOf(type: WireType, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 14, arbitrary: rightOf(type, depth) }, { weight: 1, arbitrary: anything })
}

function rightOf(type: WireType, depth: number): fc.Arbitrary<unknown> {
  if (depth > deepest) return fc.constantFrom<unknown>(null, {}, [], 'one', 1)
  const inner = (each: WireType) => valuesOf(each, depth + 1)
  switch (type.kind) {
    case 'ref':
      return inner(type.type())
    case 'array':
    case 'set':
      return fc.array(inner(type.element), { maxLength: 3 })
    case 'map':
      return entries(fc.constantFrom(...memberNames), inner(type.value))
    case 'tuple':
      return tuples(type, inner)
    case 'struct':
      return structs(type, inner)
    case 'union':
      return fc.oneof(...type.branches.map(inner))
    case 'literal':
      return fc.constant(type.value)
    case 'bigint':
      return fc.oneof(
        fc.constantFrom<unknown>(12, '12', 5, 1.5, 12345678901234567890n, type.value ?? '1'),
        fc.constantFrom(...bigints),
      )
    case 'null':
    case 'undefined':
    case 'void':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'int':
    case 'double':
    case 'number':
      return fc.oneof(numbers, nearLimits(type.constraints))
    default:
      return fc.constantFrom(...textsOf(type))
  }
}

function nearLimits({ minimum = 0, maximum = 0, multipleOf = 1 }: Constraints = {}): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum, minimum - 1, minimum + 0.5, maximum, maximum + 1),
    fc.integer({ min: -20, max: 20 }).map((count) => count * multipleOf),
  )
}

function textsOf({ kind }: WireType): readonly string[] {
  if (kind === 'date') return [...dates, ...moreDates]
  if (kind === 'bytes') return bytes
  if (kind === 'url') return urls
  return [...texts, ...dates, ...formats, ...moreFormats]
}

type Inner = (type: WireType) => fc.Arbitrary<unknown>

function tuples({ elements, rest }: TupleType<LazyType>, inner: Inner): fc.Arbitrary<unknown> {
  const more = rest ? fc.array(inner(rest), { maxLength: 2 }) : fc.constant<unknown[]>([])
  return fc
    .tuple(fc.tuple(...elements.map(inner)), fc.nat(elements.length + 1), more)
    .map(([all, kept, others]) => (kept < elements.length ? all.slice(0, kept) : [...all, ...others]))
}

function structs({ members, indexes = [] }: StructType<LazyType>, inner: Inner): fc.Arbitrary<unknown> {
  const all = members.map(({ name, type, optional }) =>
    fc
      .tuple(fc.nat(9), inner(type))
      .map(([luck, value]): [string, unknown][] => (luck < (optional ? 4 : 1) ? [] : [[name, value]])),
  )
  const others = fc
    .tuple(...indexes.map(({ type }) => entries(fc.constantFrom('data-x', 'data-y', 'on1', 'more'), inner(type))))
    .map((all) => Object.assign({}, ...all) as object)
  const undeclared = fc.constantFrom<object>({}, {}, {}, { undeclared: [1] })
  return fc
    .tuple(fc.tuple(...all), others, undeclared)
    .map(([own, further, odd]) => Object.fromEntries([...Object.entries({ ...odd, ...further }), ...own.flat()]))
}

function entries(name: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.array(fc.tuple(name, value), { maxLength: 3 }).map((all) => Object.fromEntries(all))
}

/** The text of a value; a bigint is an integer of as many digits. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${jsonText(each)}`)
    .join(',')}}`
}
