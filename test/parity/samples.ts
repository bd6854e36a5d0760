import { jsonScalars } from '../../runtime/jsonrpc/scalars.js'
import { fromUint8Array } from '../../runtime/values/bytes.js'
import { meets } from '../../runtime/values/constraints.js'
import { attempt, definitionOf, INVALID } from '../../runtime/values/definition.js'
import type { LazyType, Member, StructType, TupleType, WireType } from '../../runtime/values/types.js'
import { localScalars, Wire } from '../../runtime/values/wire.js'

/** What the readers of one protocol make of dates, bytes and large integers; `isNative` if values are those of TypeScript. */
export interface Forms {
  readonly isNative?: boolean
  readonly date: unknown
  readonly bytes: unknown
  readonly bigint: unknown
}

export const jsonForms: Forms = { date: '2020-01-02T03:04:05.000Z', bytes: 'AQID', bigint: '1234567890123456789' }

export const xmlForms: Forms = {
  date: new Date('2020-01-02T03:04:05Z'),
  bytes: new Uint8Array([1, 2, 3]),
  bigint: 1234567890123456789n,
}

/** The forms of calls from the same process. */
export const localForms: Forms = { ...xmlForms, isNative: true }

/** Deep enough for a type that contains itself to do so. */
const deepest = 5

/** Values of a type as the wire has them, each in the form that the protocol would write. */
export function samples(type: WireType, forms: Forms, depth = 0): readonly unknown[] {
  const { constraints } = type
  if (!constraints) return samplesOfKind(type, forms, depth)
  const more =
    type.kind === 'bigint'
      ? ['12', '5', '9'].map((text) => sameForm(forms.bigint, text))
      : (constrainedValues[type.kind] ?? [])
  const values = [...samplesOfKind(type, forms, depth), ...more]
  // Sets are lists on the wire, and a bigint may be a text, which compares as its number.
  return values.filter((value) => meets(value, constraints))
}

const numbers = [1, 5, 10, 20, 0.05, 0.5, -3]
const strings = [
  '12.50',
  'AB12',
  'ABC-1234',
  'ABC',
  'a@example.org',
  'example.org',
  '2020-02-29',
  '12:30:00Z',
  '2020-02-29T12:30:00+01:00',
  'https://example.org/a',
  '127.0.0.1',
  '::1',
  '123e4567-e89b-12d3-a456-426614174000',
]

/** Values for constraints of which the usual ones may meet none. */
const constrainedValues: Partial<Record<WireType['kind'], readonly unknown[]>> = {
  int: numbers.filter(Number.isInteger),
  double: numbers,
  number: numbers,
  string: strings,
  ref: [...numbers, ...strings],
}

function samplesOfKind(type: WireType, forms: Forms, depth: number): readonly unknown[] {
  if (depth > deepest) return []
  const inner = (each: WireType) => samples(each, forms, depth + 1)
  switch (type.kind) {
    case 'ref':
      return inner(type.type())
    case 'array':
      return listSamples(inner(type.element), type.constraints?.minItems)
    case 'set': {
      const lists = listSamples(inner(type.element), type.constraints?.minItems)
      return forms.isNative ? lists.map((list) => new Set(list)) : lists
    }
    case 'map': {
      const { keys } = type
      const key = mapKeys.find((each) => !keys || new RegExp(keys.pattern).test(each)) ?? ''
      const native = keys?.numeric ? Number(key) : key
      const values = inner(type.value).slice(0, 2)
      return [
        forms.isNative ? new Map() : {},
        ...values.map((each) => (forms.isNative ? new Map([[native, each]]) : { [key]: each })),
      ]
    }
    case 'tuple':
      return tupleSamples(type, inner)
    case 'struct':
      return structSamples(type, inner)
    case 'union':
      return type.branches.flatMap((branch) => inner(branch).slice(0, 4))
    case 'custom': {
      const wire = new Wire(typeof forms.date === 'string' ? jsonScalars : localScalars, 'decode')
      return samples(type.wire, { ...forms, isNative: false }, depth + 1).flatMap((sent) => {
        const value = attempt(definitionOf(type), sent, wire)
        return value === INVALID ? [] : [forms.isNative ? value : sent]
      })
    }
    default:
      return scalarSamples(type, forms)
  }
}

const mapKeys = ['first', '7', '1', 'a', 'red', 'all']

/** Without elements, with one, and with as many as there must be. */
function listSamples(elements: readonly unknown[], least = 0): readonly (readonly unknown[])[] {
  const one = elements.slice(0, 3).map((each) => [each])
  return least > 1 ? [[], ...one, elements.slice(0, least)] : [[], ...one]
}

type Scalar = Exclude<WireType, { kind: 'array' | 'set' | 'map' | 'tuple' | 'struct' | 'union' | 'ref' | 'custom' }>

const templateTexts = [
  'user:1',
  'group:',
  'v1.2',
  '5 bytes',
  'a/b',
  'token:1',
  'in 2 days',
  '/a',
  '#a',
  '5%',
  'user-a',
  'k-1',
]

function scalarSamples(type: Scalar, forms: Forms): readonly unknown[] {
  switch (type.kind) {
    case 'int':
      return [0, -5, 2147483647]
    case 'double':
    case 'number':
      return [1.5, -3]
    case 'string':
      return ['text', '']
    case 'boolean':
      return [true, false]
    case 'any':
      return [1, 'x', { a: [null] }]
    case 'literal':
      return [type.value]
    case 'template':
      return templateTexts.filter((text) => new RegExp(type.pattern).test(text))
    case 'url': {
      const texts = ['https://example.org/a?b=c', 'mailto:a@example.org']
      return forms.isNative ? texts.map((text) => new URL(text)) : texts
    }
    case 'bigint':
      return [type.value === undefined ? forms.bigint : sameForm(forms.bigint, type.value)]
    case 'date':
      return [forms.date]
    case 'bytes':
      return [forms.isNative ? fromUint8Array(new Uint8Array([1, 2, 3]), type.as) : forms.bytes]
    case 'null':
      return [null]
    default:
      return [forms.isNative ? undefined : null]
  }
}

/** A bigint or its text, as the protocol has it. */
function sameForm(form: unknown, value: string): unknown {
  return typeof form === 'bigint' ? BigInt(value) : value
}

type Inner = (type: WireType) => readonly unknown[]

function tupleSamples({ elements, required, rest }: TupleType<LazyType>, inner: Inner): readonly unknown[] {
  const values = elements.map(inner)
  if (values.some((each, i) => i < required && each.length === 0)) return []
  const firsts = values.map(([first]) => first)
  const others = rest ? inner(rest) : []
  const more = rest
    ? [
        [...firsts, ...others.slice(0, 2)],
        [...firsts, ...others.slice(1, 2)],
      ]
    : []
  return [firsts.slice(0, required), firsts, ...more]
}

function isNothing({ type, optional }: Member): boolean {
  return Boolean(optional) && type.kind === 'void'
}

/** With all members, without those that may be left out, and once with every other value of each member. */
function structSamples({ members, indexes = [] }: StructType<LazyType>, inner: Inner): readonly unknown[] {
  // An optional member of nothing is left out: null represents that, and is not returned.
  const values = members.map((member) => ({ member, of: isNothing(member) ? [] : inner(member.type) }))
  if (values.some(({ member, of }) => of.length === 0 && !member.optional)) return []
  const some = values.filter(({ of }) => of.length > 0)
  const full = object(some.map(({ member, of }) => [member, of[0]]))
  const least = object(some.filter(({ member }) => !member.optional).map(({ member, of }) => [member, of[0]]))
  const others = some.flatMap(({ member, of }) => of.slice(1).map((value) => with_(full, member.name, value)))
  const wider = indexes.flatMap(({ type, keys }) => {
    const name = keys ? memberNames.find((each) => new RegExp(keys.pattern).test(each)) : 'other'
    return name === undefined ? [] : inner(type).map((value) => with_(full, name, value))
  })
  return [full, least, ...others, ...wider]
}

/** Names for index signatures that are not for every name. */
const memberNames = ['data-one', 'x-one', 'on1', '7']

function object(entries: readonly (readonly [Member, unknown])[]): object {
  return entries.reduce<object>((made, [{ name }, value]) => with_(made, name, value), {})
}

/** A copy with one member more, or another one; `__proto__` as an own member, as JSON.parse makes it. */
export function with_(from: object, name: string, value: unknown): object {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(from))
  return Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
}

/** What is hardly ever right: everything that a reader or a local caller may bring. */
export const junk: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  1.5,
  2 ** 31,
  Number.NaN,
  'x',
  1n,
  new URL('https://example.org'),
  '2020-13-01',
  'AQI',
  '12',
  10n,
  2n ** 70n,
  [],
  [1],
  new Array(2),
  {},
  { a: 1 },
  { kind: 'circle' },
  new Date(Number.NaN),
  new Date('2020-01-02'),
  new Uint8Array([1]),
  Buffer.from([1]),
  new ArrayBuffer(1),
  new Map<unknown, unknown>([[1, 'x']]),
  new Map([['a', 1]]),
  new Set([1]),
  Symbol.iterator,
  () => 1,
]

/** A value with something else at one of its places, and with members too many or too few. */
export function spoiled(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return [...junk, ...value.flatMap((each, i) => spoiled(each).map((other) => value.with(i, other)))]
  }
  if (!isPlain(value)) return junk
  const places = Object.keys(value).flatMap((name) => {
    const { [name]: own, ...without } = value
    return [without, ...spoiled(own).map((other) => with_(value, name, other))]
  })
  return [...junk, with_(value, 'undeclared', 1), with_(value, '__proto__', { polluted: true }), ...places]
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
