import type { Model } from './model.js'
import { mapTypes, type Part, type PartProcedure, type PartType, type PlacedName, renameRefs } from './part.js'
import { nameTypes } from './type-names.js'

/** A procedure and its part. */
export interface Found {
  readonly procedure: PartProcedure
  readonly part: Part
}

/** Returns the procedures of parts by file and position, without duplicates: marked ones are preferred to registered ones. */
export function proceduresOf(parts: readonly Part[]): Found[] {
  const found = new Map<string, Found>()
  for (const isServed of [true, false]) {
    for (const part of parts) {
      for (const procedure of part.procedures) {
        const { file, at, served } = procedure
        const id = `${file}:${at}`
        if ((served !== undefined) === isServed && !found.has(id)) found.set(id, { procedure, part })
      }
    }
  }
  return [...found.values()].sort(({ procedure: a }, { procedure: b }) =>
    a.file === b.file ? a.at - b.at : a.file < b.file ? -1 : 1,
  )
}

/** The names of marked procedures. */
export function servedNames(found: readonly Found[]): PlacedName[] {
  return found.flatMap(({ procedure }) => procedure.served ?? [])
}

/** Makes the model of procedures: the union of their types by id, with names. */
export function mergeParts(found: readonly Found[]): Model {
  const types = typesOf(found)
  const names = nameTypes(
    types,
    found.map(({ procedure }) => procedure),
  )
  const nameOf = (id: string) => names.get(id) ?? id
  return {
    version: 1,
    procedures: found.map(({ procedure: { model, refs } }) =>
      once(model, refs.map(nameOf), () => mapTypes(model, (type) => renameRefs(type, nameOf))),
    ),
    types: types.map((record) =>
      once(record, [...record.refs, record.name].map(nameOf), () => {
        const { base, refs, name, type, ...rest } = record
        return { ...rest, name: nameOf(name), type: renameRefs(type, nameOf) }
      }),
    ),
  }
}

function typesOf(found: readonly Found[]): PartType[] {
  const usedIn = new Map<Part, Set<string>>()
  for (const { part, procedure } of found) {
    const used = usedIn.get(part) ?? new Set()
    usedIn.set(part, used)
    for (const id of procedure.refs) used.add(id)
  }
  const types = new Map<string, PartType>()
  for (const [part, used] of usedIn) {
    const own = new Map(part.types.map((type) => [type.name, type]))
    for (const id of used) for (const ref of own.get(id)?.refs ?? []) used.add(ref)
    for (const [id, type] of own) if (used.has(id) && !types.has(id)) types.set(id, type)
  }
  return [...types.values()]
}

const results = new WeakMap<object, { readonly names: readonly string[]; readonly result: unknown }>()

/** Memoises what is made from a record, as long as the names in it stay the same: while watching, most records do. */
function once<T>(record: object, names: readonly string[], make: () => T): T {
  const known = results.get(record)
  if (known?.names.every((name, i) => name === names[i])) return known.result as T
  const result = make()
  results.set(record, { names, result })
  return result
}
