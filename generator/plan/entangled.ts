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

const lists: ReadonlySet<string> = new Set(['array', 'set', 'tuple'])
const structs: ReadonlySet<string> = new Set(['struct', 'map'])
const converted: ReadonlySet<string> = new Set(['date', 'bytes', 'bigint', 'url'])

/**
 * True if two branches of one JSON form lead back into the cycle, or if branches are told apart by converting a value and
 * validating what comes of it. A discriminant leads to one struct at once.
 */
function isEntangled(
  union: Union,
  cycle: ReadonlySet<string>,
  types: TypesByName,
  needsConvert: (type: ModelType) => boolean,
): boolean {
  const branches = distinct(flatten(union, types)).filter(
    ({ kind }) => union.discriminant === undefined || !structs.has(kind),
  )
  const recursive = branches.filter((branch) => namesIn(branch).some((name) => cycle.has(name)))
  if (recursive.length === 0) return false
  const isTwice = (kinds: ReadonlySet<string>) => recursive.filter(({ kind }) => kinds.has(kind)).length > 1
  const tried = branches.filter(({ kind }) => lists.has(kind) || structs.has(kind) || converted.has(kind))
  return isTwice(lists) || isTwice(structs) || (tried.length > 1 && needsConvert(union))
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
