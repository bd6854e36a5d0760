import { mapParts, partsOf, referencedNames } from '../../runtime/schema/described-types.js'
import { hashOf } from '../cache/fresh.js'
import type { ModelType, NamedType, ProcedureModel } from './model.js'
import type { PlacedName } from './names.js'

/** What one source contributes to the model: read with that source alone, so that it is valid as long as what it imports is. */
export interface Part extends Records {
  /** The comments of this source with `@auth`, `@rpc` and the like that none of its declarations has: a part of another source must. */
  readonly directives: readonly string[]
  /** The comments, of any source, that its procedures have, or that were refused. */
  readonly comments: readonly string[]
  /** The source's own relative imports, and how many of them have no ending. */
  readonly imports: { readonly relative: number; readonly bare: number }
}

/** Procedures, and the types that they use, in the order of first use. */
export interface Records {
  readonly procedures: readonly PartProcedure[]
  readonly types: readonly PartType[]
}

/** A record, and the ids of the types that it refers to. */
export interface Referring {
  readonly refs: readonly string[]
}

/** A procedure before its types have ids. */
export interface FoundProcedure {
  readonly model: ProcedureModel
  /** Where it is declared: what the order of procedures goes by. */
  readonly file: string
  readonly at: number
  /** The public name and its place, where it is marked. */
  readonly served?: PlacedName
}

/** A procedure whose types refer to others by their ids. */
export interface PartProcedure extends FoundProcedure, Referring {}

/** A type before it has an id: its name is a key, and valid in one analysis only. */
export interface FoundType extends NamedType {
  /** The name to give it, unless another type has that already. */
  readonly base: string
  /** The file and the position of its declarations; absent if the source has no name for it. */
  readonly origin?: string
  /** True if its declaration alone does not determine it: it has type arguments, or is declared in a function. */
  readonly generic?: boolean
}

/** A type whose name is its id: the same in every part that uses it. */
export interface PartType extends NamedType, Referring {
  readonly base: string
}

/** Replaces the keys of types in what a source contributes by their ids; types with one id are one type. */
export function withIds(file: string, procedures: readonly FoundProcedure[], types: readonly FoundType[]): Records {
  const ids = idsOf(file, types)
  const change = (type: ModelType) => renameRefs(type, (key) => ids.get(key) ?? key)
  const byId = new Map<string, PartType>()
  for (const { origin, generic, name: key, ...found } of types) {
    const name = ids.get(key) ?? key
    const type = change(found.type)
    if (!byId.has(name)) byId.set(name, { ...found, name, type, refs: distinct(referencedNames(type)) })
  }
  return {
    procedures: procedures.map((each) => {
      const model = mapTypes(each.model, change)
      return { ...each, model, refs: distinct(typesOf(model).flatMap(referencedNames)) }
    }),
    types: [...byId.values()],
  }
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/** Mutually recursive types without declarations can take any number of steps; others take one for each type. */
const maxSteps = 10_000

interface Identity {
  readonly id: string
  /** The outermost of the open types that it depends on; infinite if it depends on none. */
  readonly outermost: number
}

/**
 * Returns the id of each type by its key. The declaration identifies a type without type arguments: `file:position#Order`. The id of any
 * other type is a hash of its structure, in which a reference to a type around it is the distance to that type.
 */
function idsOf(file: string, types: readonly FoundType[]): ReadonlyMap<string, string> {
  const byKey = new Map(types.map((type) => [type.name, type]))
  // Of types that are not part of themselves: these ids are the same wherever they are reached from.
  const known = new Map<string, string>()
  let steps = 0
  const hashed = ({ name, type, origin, base, branded }: FoundType, open: readonly string[]): Identity => {
    const found: number[] = []
    const structure = renameRefs(type, (key) => {
      const { id, outermost } = idOf(key, [...open, name])
      found.push(outermost)
      return id
    })
    const head = origin === undefined ? [branded] : [origin, base]
    return { id: hashOf(JSON.stringify([head, structure])), outermost: Math.min(...found) }
  }
  const idOf = (key: string, open: readonly string[]): Identity => {
    const at = open.indexOf(key)
    if (at !== -1) return { id: `^${open.length - at}`, outermost: at }
    const type = byKey.get(key)
    const id = known.get(key) ?? (type && declaredId(type)) ?? (steps > maxSteps ? `${file}#${key}` : undefined)
    if (id !== undefined || !type) return { id: id ?? key, outermost: Number.POSITIVE_INFINITY }
    steps += 1
    const { outermost, ...identity } = hashed(type, open)
    if (outermost === Number.POSITIVE_INFINITY) known.set(key, identity.id)
    return { ...identity, outermost: outermost < open.length ? outermost : Number.POSITIVE_INFINITY }
  }
  return new Map(types.map(({ name }) => [name, idOf(name, []).id]))
}

function declaredId({ origin, generic, base }: FoundType): string | undefined {
  return origin === undefined || generic ? undefined : `${origin}#${base}`
}

/** A type with the names in its references replaced. */
export function renameRefs(type: ModelType, nameOf: (name: string) => string): ModelType {
  if (type.kind === 'ref') return { ...type, name: nameOf(type.name) }
  return mapParts(type, (part) => renameRefs(part, nameOf))
}

/** A procedure with the types of its parameters, results and errors replaced. */
export function mapTypes(model: ProcedureModel, change: (type: ModelType) => ModelType): ProcedureModel {
  const inside = <T extends { readonly type: ModelType }>(each: T): T => ({ ...each, type: change(each.type) })
  const { params, returns, overloads, throws } = model
  return {
    ...model,
    params: params.map(inside),
    ...(overloads
      ? { overloads: overloads.map((each) => ({ params: each.params.map(inside), returns: inside(each.returns) })) }
      : {}),
    returns: inside(returns),
    ...(throws ? { throws: throws.map((each) => (each.data ? { ...each, data: change(each.data) } : each)) } : {}),
  }
}

function typesOf({ params, returns, overloads = [], throws = [] }: ProcedureModel): ModelType[] {
  const signatures = [{ params, returns }, ...overloads]
  const types = signatures.flatMap((each) => [...each.params.map(({ type }) => type), each.returns.type])
  return [...types, ...throws.flatMap(({ data }) => data ?? [])]
}

/** A type and all that it is made of, types without a declaration of their own included. */
export function everyPart(
  type: ModelType,
  types: ReadonlyMap<string, NamedType>,
  seen = new Set<string>(),
): ModelType[] {
  const inside = type.kind === 'ref' ? behindRef(type.name, types, seen) : partsOf(type)
  return [type, ...inside.flatMap((each) => everyPart(each, types, seen))]
}

function behindRef(name: string, types: ReadonlyMap<string, NamedType>, seen: Set<string>): ModelType[] {
  const named = types.get(name)
  if (!named || named.declared || seen.has(name)) return []
  seen.add(name)
  return [named.type]
}
