// The parts of all sources to one model: the union of their types by id, which get their names here:
//
//   '/src/orders.ts:42#Order' in two parts  →  one type `Order`, to which the procedures of both refer
import { isServed, type Model } from './model.js'
import { mapTypes, type Part, type PartProcedure, type PartType, renameRefs } from './part.js'
import { nameTypes, usesOf } from './type-names.js'

/** A procedure and its part. */
interface PlacedProcedure {
  readonly procedure: PartProcedure
  readonly part: Part
}

/** Returns the procedures of parts by file and position, without duplicates: marked ones are preferred to registered ones. */
export function proceduresOf(parts: readonly Part[]): PlacedProcedure[] {
  const byFile = new Map<string, Map<number, PlacedProcedure>>()
  for (const isMarked of [true, false]) {
    for (const part of parts) {
      for (const procedure of part.procedures) {
        const { file, at, model } = procedure
        const inFile = byFile.get(file) ?? new Map<number, PlacedProcedure>()
        byFile.set(file, inFile)
        if (isServed(model) === isMarked && !inFile.has(at)) inFile.set(at, { procedure, part })
      }
    }
  }
  const inOrder = [...byFile].sort(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.flatMap(([, found]) => [...found.values()].sort((a, b) => a.procedure.at - b.procedure.at))
}

/** Makes the model of parts: their procedures, and the union of the types of these by id, with names. */
export type Merge = (parts: readonly Part[]) => Model

/** Returns the function that merges parts. It reuses what it made for the model before. */
export function createMerge(): Merge {
  const namesOf = createNaming()
  const memoised = createRecordMemo()
  return (parts) => {
    const found = proceduresOf(parts)
    const types = typesOf(found)
    const procedures = found.map(({ procedure }) => procedure)
    const names = namesOf(types, procedures)
    const nameOf = (id: string) => names.get(id) ?? id
    return {
      version: 1,
      procedures: procedures.map((record) =>
        memoised(record, names, () => mapTypes(record.model, (type) => renameRefs(type, nameOf))),
      ),
      types: types.map((record) =>
        memoised(record, names, () => {
          const { base, refs, id, type, ...rest } = record
          return { ...rest, name: nameOf(id), type: renameRefs(type, nameOf) }
        }),
      ),
    }
  }
}

type TypeNames = ReadonlyMap<string, string>

/** Returns a function that names types by id: as before, if they and the uses of types without a declaration are the same as before. */
function createNaming() {
  const knownUses = new WeakMap<PartProcedure, string>()
  const useOf = (procedure: PartProcedure): string => {
    const use = knownUses.get(procedure) ?? JSON.stringify(usesOf(procedure.model))
    knownUses.set(procedure, use)
    return use
  }
  let last: { readonly types: readonly PartType[]; readonly uses: readonly string[]; names: TypeNames } | undefined
  return (types: readonly PartType[], procedures: readonly PartProcedure[]): TypeNames => {
    const unnamed = new Set(types.flatMap(({ id, base }) => (base === undefined ? [id] : [])))
    const users = procedures.filter(({ refs }) => refs.some((id) => unnamed.has(id)))
    const uses = users.map(useOf)
    if (!last || !haveSameElements(last.types, types) || !haveSameElements(last.uses, uses))
      last = { types, uses, names: nameTypes(types, users) }
    return last.names
  }
}

function haveSameElements<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i])
}

function typesOf(found: readonly PlacedProcedure[]): PartType[] {
  const foundIn = new Map<Part, PartProcedure[]>()
  for (const { part, procedure } of found) {
    const own = foundIn.get(part)
    if (own) own.push(procedure)
    else foundIn.set(part, [procedure])
  }
  const types = new Map<string, PartType>()
  for (const [part, procedures] of foundIn) {
    for (const type of typesIn(part, procedures)) if (!types.has(type.id)) types.set(type.id, type)
  }
  return [...types.values()]
}

/** Returns the types that some procedures of a part refer to. If these are all of its procedures, they refer to all of its types. */
function typesIn({ procedures: all, types }: Part, procedures: readonly PartProcedure[]): readonly PartType[] {
  if (procedures.length === all.length) return types
  const used = new Set(procedures.flatMap(({ refs }) => refs))
  const byId = new Map(types.map((type) => [type.id, type]))
  for (const id of used) for (const ref of byId.get(id)?.refs ?? []) used.add(ref)
  return types.filter(({ id }) => used.has(id))
}

/** Returns a function that memoises what is made from a record, as long as the names of its types stay the same: while watching, most do. */
function createRecordMemo() {
  const results = new WeakMap<object, { names: TypeNames; readonly result: unknown }>()
  return <T>(record: PartProcedure | PartType, names: TypeNames, make: () => T): T => {
    const known = results.get(record)
    const isKept = (id: string) => known?.names.get(id) === names.get(id)
    const isUnchanged = () => record.refs.every(isKept) && (!('id' in record) || isKept(record.id))
    if (known && (known.names === names || isUnchanged())) {
      known.names = names
      return known.result as T
    }
    const result = make()
    results.set(record, { names, result })
    return result
  }
}

/** Returns a part with the records of an earlier part of its source that are equal, so that what was made from them is still known. */
export function withRecordsOf(before: Part | undefined, part: Part): Part {
  if (!before || before === part) return part
  const known = new Map([...before.procedures, ...before.types].map((each) => [JSON.stringify(each), each]))
  const keep = <T>(each: T) => (known.get(JSON.stringify(each)) as T | undefined) ?? each
  return { ...part, procedures: part.procedures.map(keep), types: part.types.map(keep) }
}
