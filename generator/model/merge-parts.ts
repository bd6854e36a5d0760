import type { Model, ModelType, NamedType, OverloadModel, ParamModel, ProcedureModel } from './model.js'
import type { PlacedName } from './names.js'
import type { Part, PartProcedure, PartType } from './part.js'
import { mapParts, namesIn, partsOf } from './parts.js'

/** A procedure and the part that it came with. */
interface Found extends PartProcedure {
  readonly part: Part
}

/** The marked procedures of all parts, in their order. */
export function servedNames(parts: readonly Part[]): PlacedName[] {
  return proceduresOf(parts).flatMap(({ served }) => served ?? [])
}

/**
 * Makes one model of what the sources give, given in the order of their names. It depends on the parts alone, not on which
 * of them were known before.
 */
export function mergeParts(parts: readonly Part[]): Model {
  const merging = createMerging()
  const found = proceduresOf(parts)
  for (const procedure of found) merging.place(procedure)
  return {
    version: 1,
    procedures: found.map(({ model, part }) => renameProcedure(model, merging.namesOf(part))),
    types: merging.types(),
  }
}

/** Each once, by file and position: one that is marked is not what was registered somewhere. */
function proceduresOf(parts: readonly Part[]): Found[] {
  const found = new Map<string, Found>()
  for (const isServed of [true, false]) {
    for (const part of parts) {
      for (const procedure of part.procedures) {
        const { file, at, served } = procedure
        const id = `${file}:${at}`
        if ((served !== undefined) === isServed && !found.has(id)) found.set(id, { ...procedure, part })
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.file === b.file ? a.at - b.at : a.file < b.file ? -1 : 1))
}

/** A type of a part under the name that it has in the model. */
interface Placed {
  readonly part: Part
  readonly type: PartType
  readonly name: string
}

interface Merging {
  /** Gives a procedure's types their names. */
  place(procedure: Found): void
  namesOf(part: Part): ReadonlyMap<string, string>
  types(): NamedType[]
}

function createMerging(): Merging {
  const placed: Placed[] = []
  const byName = new Map<string, Placed>()
  const byHead = new Map<string, Placed[]>()
  const names = new Map<Part, Map<string, string>>()
  const own = new Map<Part, ReadonlyMap<string, PartType>>()
  const namesOf = (part: Part) => known(names, part, () => new Map<string, string>())
  const typesOf = (part: Part) => known(own, part, () => new Map(part.types.map((type) => [type.name, type])))

  const placeType = (type: PartType, part: Part): void => {
    const map = namesOf(part)
    const head = headOf(type)
    for (const other of head === undefined ? [] : (byHead.get(head) ?? [])) {
      const pairs = new Map([[type.name, other.name]])
      if (!isSame(type.type, other.type.type, { part, other: other.part, pairs })) continue
      for (const [one, same] of pairs) map.set(one, same)
      return
    }
    const name = unique(type.base, byName)
    const entry = { part, type, name }
    map.set(type.name, name)
    placed.push(entry)
    byName.set(name, entry)
    if (head !== undefined) byHead.set(head, [...(byHead.get(head) ?? []), entry])
  }

  /** Whether two types are equal, when those that are being compared are taken to be. */
  const isSame = (one: ModelType, two: ModelType, comparison: Comparison): boolean => {
    if (one.kind === 'ref' && two.kind === 'ref') {
      if (JSON.stringify(one.constraints) !== JSON.stringify(two.constraints)) return false
      return isSameName(one.name, namesOf(comparison.other).get(two.name) ?? '', comparison)
    }
    const [ones, twos] = [partsOf(one), partsOf(two)]
    if (ones.length !== twos.length || shellOf(one) !== shellOf(two)) return false
    return ones.every((each, i) => isSame(each, twos[i] as ModelType, comparison))
  }

  const isSameName = (one: string, name: string, comparison: Comparison): boolean => {
    const { part, pairs } = comparison
    const assumed = namesOf(part).get(one) ?? pairs.get(one)
    if (assumed !== undefined) return assumed === name
    const type = typesOf(part).get(one)
    const other = byName.get(name)
    if (!type || !other || headOf(type) !== headOf(other.type)) return false
    pairs.set(one, name)
    return isSame(type.type, other.type.type, { ...comparison, other: other.part })
  }

  return {
    namesOf,
    place({ model, part }) {
      const types = typesOf(part)
      const used = reachable(model, types, namesOf(part))
      for (const type of part.types) if (used.has(type.name) && !namesOf(part).has(type.name)) placeType(type, part)
    },
    types: () =>
      placed.map(({ part, type: { base, origin, ...type }, name }) => ({
        ...type,
        name,
        type: renameType(type.type, namesOf(part)),
      })),
  }
}

interface Comparison {
  readonly part: Part
  /** The part that the other side's names are of. */
  readonly other: Part
  /** The names of this part, and what they would be in the model. */
  readonly pairs: Map<string, string>
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** What two types must have in common to be one; undefined where the source has no name. */
function headOf({ base, origin, declared, anonymous }: PartType): string | undefined {
  return anonymous ? undefined : JSON.stringify([base, origin, declared])
}

/** Everything about a type but the types that it is made of. */
function shellOf(type: ModelType): string {
  const shell = mapParts(type, () => ({ kind: 'any' }))
  return JSON.stringify(shell)
}

function reachable(
  { params, returns, overloads = [] }: ProcedureModel,
  types: ReadonlyMap<string, PartType>,
  placed: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const all = [{ params, returns }, ...overloads].flatMap((each) => [
    ...each.params.map((param) => param.type),
    each.returns.type,
  ])
  const used = new Set(all.flatMap(namesIn).filter((name) => !placed.has(name)))
  for (const name of used) {
    for (const inner of namesIn(types.get(name)?.type ?? { kind: 'any' })) if (!placed.has(inner)) used.add(inner)
  }
  return used
}

function unique(base: string, taken: ReadonlyMap<string, unknown>): string {
  let name = base
  for (let n = 2; taken.has(name); n += 1) name = `${base}${n}`
  return name
}

function renameType(type: ModelType, names: ReadonlyMap<string, string>): ModelType {
  if (type.kind === 'ref') return { ...type, name: names.get(type.name) ?? type.name }
  return mapParts(type, (part) => renameType(part, names))
}

function renameProcedure(model: ProcedureModel, names: ReadonlyMap<string, string>): ProcedureModel {
  const { overloads, params, returns } = model
  const type = (each: ModelType) => renameType(each, names)
  const renamed = (all: readonly ParamModel[]) => all.map((each) => ({ ...each, type: type(each.type) }))
  return {
    ...model,
    params: renamed(params),
    returns: { ...returns, type: type(returns.type) },
    ...(overloads
      ? {
          overloads: overloads.map(
            (each): OverloadModel => ({
              params: renamed(each.params),
              returns: { ...each.returns, type: type(each.returns.type) },
            }),
          ),
        }
      : {}),
  }
}
