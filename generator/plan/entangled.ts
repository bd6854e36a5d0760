import type { TypesByName } from '../../runtime/schema/description.js'
import { namesIn, partsOf } from '../../runtime/schema/parts.js'
import { flatten } from '../model/forms.js'
import type { ModelType } from '../model/model.js'

type Union = Extract<ModelType, { kind: 'union' }>

/**
 * Returns the names of the recursive types whose values several branches of one union would walk, each of them down to the
 * leaves: twice the work for every level of nesting, unless validators and conversions keep what they know of each object.
 */
export function findEntangled(types: TypesByName, needsConvert: (type: ModelType) => boolean): ReadonlySet<string> {
  const entangled = cyclesOf(types).filter((cycle) =>
    [...cycle].some((name) => {
      const type = types.get(name)?.type
      return type !== undefined && unionsIn(type).some((union) => isEntangled(union, cycle, types, needsConvert))
    }),
  )
  return new Set(entangled.flatMap((cycle) => [...cycle]))
}

function unionsIn(type: ModelType): Union[] {
  const inside = partsOf(type).flatMap(unionsIn)
  return type.kind === 'union' ? [type, ...inside] : inside
}

/** Kinds with parts, by their form in JSON; a scalar has none of its own. */
const forms: Partial<Record<ModelType['kind'], 'list' | 'struct'>> = {
  array: 'list',
  set: 'list',
  tuple: 'list',
  struct: 'struct',
  map: 'struct',
}

/**
 * True if two branches of one JSON form lead back into the cycle, or if branches are told apart by converting a value and
 * validating the result. A discriminant leads to one struct at once.
 */
function isEntangled(
  union: Union,
  cycle: ReadonlySet<string>,
  types: TypesByName,
  needsConvert: (type: ModelType) => boolean,
): boolean {
  const branches = distinct(flatten(union, types)).filter(
    ({ kind }) => union.discriminant === undefined || forms[kind] !== 'struct',
  )
  const recursive = branches.filter((branch) => namesIn(branch).some((name) => cycle.has(name)))
  if (recursive.length === 0) return false
  if (new Set(recursive.map(({ kind }) => forms[kind])).size < recursive.length) return true
  const converted = branches.filter(needsConvert)
  const alike = branches.filter(({ kind }) => converted.some((each) => forms[kind] && forms[each.kind] === forms[kind]))
  return new Set([...converted, ...alike]).size > 1
}

/** Types that differ in `readonly` alone are one: `JsonValue[] | readonly JsonValue[]`. */
function distinct(types: readonly ModelType[]): ModelType[] {
  return [...new Map(types.map((type) => [JSON.stringify({ ...type, readonly: undefined }), type])).values()]
}

/** The sets of types that contain each other, or themselves: strongly connected components, by the algorithm of Tarjan. */
function cyclesOf(types: TypesByName): ReadonlySet<string>[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const cycles: Set<string>[] = []
  const visit = (name: string): number => {
    const at = order.size
    order.set(name, at)
    lowest.set(name, at)
    open.push(name)
    const inner = namesIn(types.get(name)?.type ?? { kind: 'any' })
    for (const each of inner) {
      if (order.has(each) && !open.includes(each)) continue
      lowest.set(name, Math.min(lowest.get(name) ?? at, order.has(each) ? (order.get(each) ?? at) : visit(each)))
    }
    if (lowest.get(name) === at) {
      const cycle = open.splice(open.indexOf(name))
      if (cycle.length > 1 || inner.includes(name)) cycles.push(new Set(cycle))
    }
    return lowest.get(name) ?? at
  }
  for (const name of types.keys()) if (!order.has(name)) visit(name)
  return cycles
}
