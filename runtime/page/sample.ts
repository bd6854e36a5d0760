import { type PlainType, resolveConstrained, resolveType } from '../schema/described-types.js'
import type { DescribedParam, DescribedProcedure, DescribedType, TypesByName } from '../schema/description.js'
import type { ScalarKind } from '../values/types.js'

/** Arguments for a call: those of the first example, else samples of required values. */
export function sampleCall(
  procedure: Pick<DescribedProcedure, 'params' | 'overloads' | 'examples'>,
  types: TypesByName,
): readonly unknown[] {
  const example = procedure.examples?.find(({ params }) => params)
  return example?.params ?? sampleParams(procedure.overloads?.at(-1)?.params ?? procedure.params, types)
}

function sampleParams(params: readonly DescribedParam[], types: TypesByName): unknown[] {
  const last = params.findLastIndex(({ optional }) => !optional)
  return params.slice(0, last + 1).map((each) => (each.optional ? null : sampleOf(each.type, types)))
}

/** A plausible value of a type, in JSON form. */
export function sampleOf(type: DescribedType, types: TypesByName, inside: ReadonlySet<string> = new Set()): unknown {
  if (type.kind === 'ref' && inside.has(type.name)) return null
  const within = type.kind === 'ref' ? new Set([...inside, type.name]) : inside
  return ofKind(resolveConstrained(type, types), types, within)
}

function ofKind(type: PlainType, types: TypesByName, inside: ReadonlySet<string>): unknown {
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'number':
      return sampleNumber(type)
    // An int if possible: not every language sends larger integers in XML-RPC.
    case 'bigint':
      return type.value ?? String(BigInt(Math.ceil(sampleNumber(type))))
    case 'string':
      return sampleString(type)
    case 'template':
      return sampleTemplate(type.text, type.pattern)
    case 'literal':
      return type.value
    case 'array':
    case 'set':
      return sampleList(type, types, inside)
    case 'tuple': {
      const { elements, rest, required, constraints } = type
      const length = Math.min(
        Math.max(required, constraints?.minItems ?? 0),
        elements.length + (rest ? MAX_SAMPLES : 0),
      )
      return Array.from({ length }, (_, i) => sampleOf((elements[i] ?? rest) as DescribedType, types, inside))
    }
    case 'struct':
      return Object.fromEntries(
        type.members.filter((each) => !each.optional).map((each) => [each.name, sampleOf(each.type, types, inside)]),
      )
    case 'map':
      return isEndless(type.value, inside) ? {} : { key: sampleOf(type.value, types, inside) }
    case 'union':
      return sampleUnion(type, types, inside)
    default:
      return Object.hasOwn(fixed, type.kind) ? fixed[type.kind as keyof typeof fixed] : null
  }
}

/** Kinds whose samples follow from their constraints. */
type Chosen = 'int' | 'double' | 'number' | 'string'

/** The sample of each kind that has no values to choose from; null for others. */
const fixed: Readonly<Record<Exclude<ScalarKind, Chosen | 'null' | 'undefined' | 'void' | 'any'> | 'bytes', unknown>> =
  {
    boolean: true,
    date: '2026-01-31T12:00:00Z',
    bytes: 'aGVsbG8=',
    url: 'https://example.com/',
  }

function sampleNumber({ kind, constraints = {} }: PlainType): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf = kind === 'double' ? 0.5 : 1 } = constraints
  let value = kind === 'double' ? 1.5 : 1
  if (minimum !== undefined && value < minimum) value = minimum
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) value = exclusiveMinimum + multipleOf
  if (maximum !== undefined && value > maximum) value = maximum
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) value = exclusiveMaximum - multipleOf
  return constraints.multipleOf === undefined ? value : Math.ceil(value / multipleOf) * multipleOf
}

const formatted: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'ada@example.com',
  uuid: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
}

function sampleString({ constraints = {} }: PlainType): string {
  const { format, minLength = 0, maxLength = 80 } = constraints
  return format ? (formatted[format] ?? 'text') : 'text'.padEnd(Math.min(minLength, 200), ' text').slice(0, maxLength)
}

function sampleTemplate(text: string, pattern: string): string {
  const filled = text
    .replace(/^`|` & `|`$/g, '')
    .replace(/\$\{([^}]*)\}/g, (_, type: string) =>
      /string/.test(type) ? 'text' : (/^'([^']*)'/.exec(type)?.[1] ?? '1'),
    )
  return matches(pattern, filled) ? filled : 'text'
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

/** The maximum number of elements in a sample list, besides those of a tuple. */
const MAX_SAMPLES = 10

function sampleList(
  type: Extract<PlainType, { kind: 'array' | 'set' }>,
  types: TypesByName,
  inside: ReadonlySet<string>,
) {
  if (isEndless(type.element, inside)) return []
  const { minItems = 1, maxItems = 1 } = type.constraints ?? {}
  const count = Math.min(Math.max(minItems, Math.min(1, maxItems)), MAX_SAMPLES)
  return Array.from({ length: count }, () => sampleOf(type.element, types, inside))
}

/** True if a value of a type has to contain another one of an enclosing type, in which case optional parts are left out. */
function isEndless(type: DescribedType, inside: ReadonlySet<string>): boolean {
  if (type.kind === 'union') return type.branches.every((each) => isEndless(each, inside))
  return type.kind === 'ref' && inside.has(type.name)
}

/** The first branch that is neither null nor a type that the union is in. */
function sampleUnion(
  type: Extract<PlainType, { kind: 'union' }>,
  types: TypesByName,
  inside: ReadonlySet<string>,
): unknown {
  const ends = (each: DescribedType) =>
    !(each.kind === 'ref' && inside.has(each.name)) && !/^(null|undefined|void)$/.test(resolveType(each, types).kind)
  const branch = type.branches.find(ends)
  return branch ? sampleOf(branch, types, inside) : null
}

/** Returns the `params` of a message with these arguments: the list, or the object that is the only one. */
export function paramsOf(
  { paramsObject }: Pick<DescribedProcedure, 'paramsObject'>,
  args: readonly unknown[],
): unknown {
  return paramsObject ? (args[0] ?? args) : args
}
