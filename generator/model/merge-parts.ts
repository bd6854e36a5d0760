import { mapParts, referencedNames } from '../../runtime/schema/described-types.js'
import type { Model, ModelType, NamedType, OverloadModel, ParamModel, ProcedureModel } from './model.js'
import type { PlacedName } from './names.js'
import type { Part, PartProcedure, PartType } from './part.js'
import { referencesOf, refersAlike } from './references.js'
import { onceRenamed, type Renamed, renamedWith } from './renamed.js'
import { headOf, type Placed, sameType } from './same-type.js'
import { withData } from './throws.js'

/** A procedure and the part that it came with. */
export interface Found extends PartProcedure {
  readonly part: Part
}

/** The marked ones. */
export function servedNames(found: readonly Found[]): PlacedName[] {
  return found.flatMap(({ served }) => served ?? [])
}

/** Makes one model of what the sources give. It depends on that alone, not on what of it was known before. */
export function mergeParts(found: readonly Found[]): Model {
  const first = found[0]?.part.types ?? []
  const known = placements.get(first)
  const types = known && placesAlike(found, known.found) ? known.types : placeTypes(found)
  placements.set(first, { found, types })
  return {
    version: 1,
    procedures: found.map(({ model, part }) => {
      const names = renamed.get(part.types) as Renamed
      return onceRenamed(model, names, (each) => renameProcedure(each, names.names))
    }),
    types,
  }
}

interface Placement {
  readonly found: readonly Found[]
  readonly types: readonly NamedType[]
}

/**
 * What was merged, by the types of its first part: who merges again mostly finds every type where it was, and that takes a
 * fifth of the time with 5,000 procedures.
 */
const placements = new WeakMap<readonly PartType[], Placement>()

/** Whether procedures would place the very same types in the same order. */
function placesAlike(found: readonly Found[], before: readonly Found[]): boolean {
  if (found.length !== before.length) return false
  return found.every(({ model, part }, i) => {
    const other = before[i] as Found
    return part.types === other.part.types && (model === other.model || refersAlike(model, other.model))
  })
}

/** By the types of a part: a source that has not changed gives the same objects as long as these have the same names. */
const renamed = new WeakMap<readonly PartType[], Renamed>()

function renamedIn({ types }: Part, names: ReadonlyMap<string, string>): Renamed {
  const own = renamedWith(names, renamed.get(types))
  renamed.set(types, own)
  return own
}

function placeTypes(found: readonly Found[]): readonly NamedType[] {
  const merging = createMerging()
  for (const procedure of found) merging.place(procedure)
  for (const { part } of found) merging.renamedOf(part)
  return merging.types()
}

/** Those of parts in the order of their names, each once, by file and position: one that is marked is not what was registered somewhere. */
export function proceduresOf(parts: readonly Part[]): Found[] {
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
  model: ProcedureModel,
  types: ReadonlyMap<string, PartType>,
  placed: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const used = new Set(
    referencesOf(model)
      .flat()
      .filter((name) => !placed.has(name)),
  )
  for (const name of used) {
    for (const inner of referencedNames(types.get(name)?.type ?? { kind: 'any' }))
      if (!placed.has(inner)) used.add(inner)
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
  const { overloads, params, returns, throws } = model
  const type = (each: ModelType) => renameType(each, names)
  const renamed = (all: readonly ParamModel[]) => all.map((each) => ({ ...each, type: type(each.type) }))
  return {
    ...model,
    params: renamed(params),
    returns: { ...returns, type: type(returns.type) },
    ...(throws ? { throws: throws.map((each) => withData(each, type)) } : {}),
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
