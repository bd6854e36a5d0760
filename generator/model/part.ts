// What one source contributes to the model, and the ids of its types, which are the same in every part and run:
//
//   interface Order in /src/orders.ts  →  '/src/orders.ts:42#Order'; Page<Order[]>  →  a hash of its structure
import {
  innerTypesOf,
  mapInnerTypes,
  referencedNames,
  structureOf,
  typesOfProcedure,
} from '../../runtime/description/described-types.js'
import type { Position } from '../diagnostics/diagnostic.js'
import { hashOf } from '../disk/stamps.js'
import { components } from './components.js'
import type { ModelType, NamedType, ProcedureModel } from './model.js'

/** What one source contributes to the model. It is read from that source alone, so it is valid while its imports are unchanged. */
export interface Part extends Records {
  /** The comments of this source with directives that none of its declarations has: a part of another source must have them. */
  readonly directives: readonly string[]
  /** The comments, of any source, that belong to its procedures or to rejected declarations. */
  readonly comments: readonly string[]
  /** The number of the source's relative imports, and of those without an ending. */
  readonly imports: { readonly relative: number; readonly bare: number }
}

/** Procedures, and the types that they use, in the order of first use. */
interface Records {
  readonly procedures: readonly PartProcedure[]
  readonly types: readonly PartType[]
}

/** A record, and the ids of the types that it refers to. */
interface Referring {
  readonly refs: readonly string[]
}

/** A procedure before its types have ids. */
export interface FoundProcedure {
  readonly model: ProcedureModel
  /** The position of the declaration; procedures are sorted by it. */
  readonly file: string
  readonly at: number
  readonly position: Position
}

/** A procedure whose types refer to others by their ids. */
export interface PartProcedure extends FoundProcedure, Referring {}

/** A type before it has an id. */
export interface FoundType extends Omit<NamedType, 'name'> {
  /** `'0'`, `'1'`: valid in the analysis of one source. References to the type have it as their name. */
  readonly key: string
  /** The name of the declaration; absent if it has none in the source. */
  readonly base?: string
  /** The file and the position of its declarations and of its type arguments'; absent if it has no name in the source. */
  readonly origin?: string
  /** True if name and origin do not identify the type: it is declared in a function, or has other type arguments than declared types and scalars. */
  readonly generic?: boolean
}

/** A type before it has a name. */
export interface PartType extends Omit<NamedType, 'name'>, Referring {
  /** The same in every part: `/src/orders.ts:42#Order`, or a hash. References to the type have it as their name. */
  readonly id: string
  readonly base?: string
}

/** Replaces the keys of types in a contribution by their ids. Types with the same id are the same type. */
export function withIds(file: string, procedures: readonly FoundProcedure[], types: readonly FoundType[]): Records {
  const ids = idsByKey(file, types)
  const change = (type: ModelType) => renameRefs(type, (key) => ids.get(key) ?? key)
  const byId = new Map<string, PartType>()
  for (const { origin, generic, key, ...found } of types) {
    const id = ids.get(key) ?? key
    const type = change(found.type)
    if (!byId.has(id)) byId.set(id, { ...found, id, type, refs: [...new Set(referencedNames(type))] })
  }
  return {
    procedures: procedures.map((each) => {
      const model = mapTypes(each.model, change)
      return { ...each, model, refs: [...new Set(typesOfProcedure(model).flatMap(referencedNames))] }
    }),
    types: [...byId.values()],
  }
}

/** The ids of more types that contain each other are valid in one part only: each would be a hash of all of them. */
const MAX_MUTUAL_TYPES = 100

/**
 * Returns the ids of types by their keys. A declared type whose type arguments, if any, are declared types or scalars has the file, the
 * position and the name of its declaration. The id of any other one is a hash of its structure, in which the types that contain each other are numbered in the order of their first use.
 */
function idsByKey(file: string, types: readonly FoundType[]): ReadonlyMap<string, string> {
  const ids = new Map(types.flatMap((type) => (isDeclared(type) ? [[type.key, `${type.origin}#${type.base}`]] : [])))
  const byKey = new Map(types.map((type) => [type.key, type]))
  const hashed = (type: FoundType, numbers: Map<string, number>): string => {
    numbers.set(type.key, numbers.size)
    const structure = renameRefs(type.type, (key) => {
      const number = numbers.get(key)
      const inner = byKey.get(key)
      return ids.get(key) ?? (number !== undefined ? `^${number}` : inner ? hashed(inner, numbers) : key)
    })
    const { origin, base, brand } = type
    const head = [...(origin === undefined ? [] : [origin, base]), brand]
    return hashOf(JSON.stringify([head, structureOf(structure)]))
  }
  for (const mutual of mutualTypes(types.filter((each) => !isDeclared(each)))) {
    const own = mutual.map((type): [string, string] => {
      return [type.key, mutual.length > MAX_MUTUAL_TYPES ? `${file}#${type.key}` : hashed(type, new Map())]
    })
    for (const [key, id] of own) ids.set(key, id)
  }
  return ids
}

function isDeclared({ origin, generic }: FoundType): boolean {
  return origin !== undefined && !generic
}

/** Groups the types that contain each other, each group after those that it refers to. */
function mutualTypes(types: readonly FoundType[]): FoundType[][] {
  const positions = new Map(types.map(({ key }, i) => [key, i]))
  const inner = types.map(({ type }) => referencedNames(type).flatMap((key) => positions.get(key) ?? []))
  const groups = components([...types.keys()], (node) => inner[node] ?? [])
  return groups.map((group) => group.flatMap((node) => types[node] ?? []))
}

/** Returns a type with the names in its references replaced. */
export function renameRefs(type: ModelType, nameOf: (name: string) => string): ModelType {
  if (type.kind === 'ref') return { ...type, name: nameOf(type.name) }
  return mapInnerTypes(type, (inner) => renameRefs(inner, nameOf))
}

/** Returns a procedure with the types of its parameters, results and errors replaced. */
export function mapTypes(model: ProcedureModel, change: (type: ModelType) => ModelType): ProcedureModel {
  const inside = <T extends { readonly type: ModelType }>(each: T): T => ({ ...each, type: change(each.type) })
  const { params, returns, overloads, throws } = model
  return {
    ...model,
    params: params.map(inside),
    ...(overloads && {
      overloads: overloads.map((each) => ({ ...each, params: each.params.map(inside), returns: inside(each.returns) })),
    }),
    returns: inside(returns),
    ...(throws && { throws: throws.map((each) => (each.data ? { ...each, data: change(each.data) } : each)) }),
  }
}

/** Returns a type and all types inside of it, including those of the types that it refers to if `enters` is true for them. */
export function allTypesIn<Named extends Pick<NamedType, 'type'>>(
  type: ModelType,
  types: ReadonlyMap<string, Named>,
  enters: (named: Named) => boolean,
): readonly ModelType[] {
  const all = [type]
  const seen = new Set<string>()
  // The list grows while it is iterated.
  for (const each of all) {
    const named = each.kind === 'ref' && !seen.has(each.name) ? types.get(each.name) : undefined
    if (each.kind === 'ref') seen.add(each.name)
    all.push(...(named && enters(named) ? [named.type] : innerTypesOf(each)))
  }
  return all
}
