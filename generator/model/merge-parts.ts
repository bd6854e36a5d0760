import { mapParts, namesIn } from '../../runtime/schema/parts.js'
import type { Model, ModelType, NamedType, OverloadModel, ParamModel, ProcedureModel } from './model.js'
import type { PlacedName } from './names.js'
import type { Part, PartProcedure, PartType } from './part.js'
import { onceRenamed, type Renamed, renamedWith } from './renamed.js'
import { headOf, type Placed, sameType } from './same-type.js'

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
    procedures: found.map(({ model, part }) => {
      const names = merging.renamedOf(part)
      return onceRenamed(model, names, (each) => renameProcedure(each, names.names))
    }),
    types: merging.types(),
  }
}

/** By part: a source that has not changed gives the same objects as long as its types have the same names. */
const renamed = new WeakMap<Part, Renamed>()

function renamedIn(part: Part, names: ReadonlyMap<string, string>): Renamed {
  const own = renamedWith(names, renamed.get(part))
  renamed.set(part, own)
  return own
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

interface Merging {
  /** Gives a procedure's types their names. */
  place(procedure: Found): void
  /** To be asked once every procedure has its place: the names of a part are complete then. */
  renamedOf(part: Part): Renamed
  types(): NamedType[]
}

function createMerging(): Merging {
  const byName = new Map<string, Placed>()
  const byHead = new Map<string, Placed[]>()
  const names = new Map<Part, Map<string, string>>()
  const own = new Map<Part, ReadonlyMap<string, PartType>>()
  const namesOf = (part: Part) => known(names, part, () => new Map<string, string>())
  const typesOf = (part: Part) => known(own, part, () => new Map(part.types.map((type) => [type.name, type])))
  const placing = { namesOf, typesOf, placed: (name: string) => byName.get(name) }
  const placeType = (type: PartType, part: Part): void => {
    const head = headOf(type)
    const alike = head === undefined ? [] : known(byHead, head, (): Placed[] => [])
    for (const other of alike) {
      const pairs = sameType(type, part, other, placing)
      for (const [one, same] of pairs ?? []) namesOf(part).set(one, same)
      if (pairs) return
    }
    const entry = { part, type, name: unique(type.base, byName) }
    namesOf(part).set(type.name, entry.name)
    byName.set(entry.name, entry)
    alike.push(entry)
  }
  const renamings = new Map<Part, Renamed>()
  const renamedOf = (part: Part) => known(renamings, part, () => renamedIn(part, namesOf(part)))
  return {
    renamedOf,
    place({ model, part }) {
      const used = reachable(model, typesOf(part), namesOf(part))
      for (const type of part.types) if (used.has(type.name) && !namesOf(part).has(type.name)) placeType(type, part)
    },
    types: () =>
      [...byName.values()].map(({ part, type, name }) => {
        const own = renamedOf(part)
        return onceRenamed(type, own, ({ base, origin, ...named }): NamedType => {
          return { ...named, name, type: renameType(named.type, own.names) }
        })
      }),
  }
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
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
