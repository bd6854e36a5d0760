// Which texts of a module the next run reuses, while watching or from its cache: each is stored by a hash of all that it depends on.
import type { Model, ProcedureModel } from '../../generator/model/model.js'
import type { ModuleNames } from './names.js'

/** Reuses what the run before has printed. */
export interface TextMemo {
  /** Returns what the run before made for the key, or makes it. It is stored as JSON. */
  reuse<T extends object>(key: () => string, make: () => T): T
  /** Returns the hash of a record, or of a part of it; `part` is the same function for all records. */
  hash<T extends object>(record: T, part?: (record: T) => object): string
}

/** Prints everything again. */
const noMemo: TextMemo = { reuse: (_key, make) => make(), hash: () => '' }

/** The parts of a module that are made once for all procedures, and a function that makes those of some procedures. */
interface ModuleMemo<Parts> {
  readonly parts: Parts
  ofProcedures<Texts extends object>(procedures: readonly ProcedureModel[], make: () => Texts): Texts
}

/**
 * Reuses the parts that depend on the types and the signatures, and not on the docs of procedures. The texts of procedures depend on
 * these, the types and the names.
 */
export function reuseParts<Parts extends { readonly names: ModuleNames }>(
  { types, procedures }: Model,
  make: () => Parts,
  memo = noMemo,
): ModuleMemo<Parts> {
  const hashes = <T extends object>(all: readonly T[], part?: (each: T) => object) =>
    all.map((each) => memo.hash(each, part))
  const typeHashes = hashes(types)
  const stored = memo.reuse(
    () => memo.hash([typeHashes, hashes(procedures, withoutDocs)]),
    () => {
      const { names, ...texts } = make()
      return { names: listsOf(names), texts }
    },
  )
  const environment = memo.hash([typeHashes, memo.hash(stored.names)])
  return {
    parts: { ...stored.texts, names: mapsOf(stored.names) } as Parts,
    ofProcedures: (some, print) => memo.reuse(() => memo.hash([environment, hashes(some)]), print),
  }
}

/** A procedure as the names of a module depend on it. */
function withoutDocs(procedure: ProcedureModel): ProcedureModel {
  const { params, returns } = procedure
  return {
    ...procedure,
    description: '',
    help: '',
    params: params.map(({ doc, ...each }) => each),
    returns: { type: returns.type, promise: returns.promise },
  }
}

/** The identifiers in lists, which JSON represents. */
type StoredNames = { readonly [Kind in keyof ModuleNames]: readonly (readonly [string, string])[] }

function listsOf(names: ModuleNames): StoredNames {
  return Object.fromEntries(Object.entries(names).map(([kind, all]) => [kind, [...all]])) as unknown as StoredNames
}

function mapsOf(names: StoredNames): ModuleNames {
  return Object.fromEntries(Object.entries(names).map(([kind, all]) => [kind, new Map(all)])) as unknown as ModuleNames
}
