import { type Cache, hashOf, readCached } from '../cache/fresh.js'
import { store } from '../cache/store.js'
import type { NamedType, ProcedureModel } from '../model/model.js'

/** What a run has printed, by the hashes of the inputs: objects of texts and lists. */
export type StoredTexts = Readonly<Record<string, object>>

/** Reuses what the run before printed, of a watching process or of the same command. */
export interface TextMemo {
  /** Returns what the run before made for the key, or makes it. It is stored as JSON. */
  reuse<T extends object>(key: () => string, make: () => T): T
  /** What this run has used; what the run before had stored if this one printed nothing. */
  stored(): StoredTexts
}

/** Returns the memo of one run. */
export function createMemo(before: StoredTexts = {}): TextMemo {
  const used: Record<string, object> = {}
  return {
    reuse<T extends object>(key: () => string, make: () => T): T {
      const hash = key()
      const value = (before[hash] as T | undefined) ?? make()
      used[hash] = value
      return value
    },
    stored: () => (Object.keys(used).length > 0 ? used : before),
  }
}

/** Prints everything again. */
export const noMemo: Pick<TextMemo, 'reuse'> = { reuse: (_key, make) => make() }

const hashes = new WeakMap<NamedType | ProcedureModel, string>()
const signatures = new WeakMap<ProcedureModel, string>()

/** Returns the hash of a record. While watching, most records are the same objects as before. */
export function hashOfRecord(record: NamedType | ProcedureModel): string {
  return known(hashes, record, () => record)
}

/** Returns the hash of a procedure without its docs. */
export function hashOfSignature(procedure: ProcedureModel): string {
  return known(signatures, procedure, () => ({
    ...procedure,
    description: '',
    help: '',
    params: procedure.params.map((each) => ({ ...each, doc: undefined })),
    returns: { ...procedure.returns, doc: undefined },
  }))
}

function known<T extends object>(cache: WeakMap<T, string>, record: T, content: () => object): string {
  const hash = cache.get(record) ?? hashOf(JSON.stringify(content()))
  cache.set(record, hash)
  return hash
}

/** The memos of a command's targets. */
export interface Memos {
  /** Returns the memo of a target's next run. */
  memoOf(target: string): TextMemo
  /** Stores the texts of the last runs. */
  store(cache: Cache): void
}

/** Returns memos with the texts that an earlier run stored. */
export function createMemos(cache?: Cache): Memos {
  const before = (cache && readCached<Record<string, StoredTexts>>(cache, 'texts')) ?? {}
  const memos = new Map<string, TextMemo>()
  return {
    memoOf(target) {
      const memo = createMemo(memos.get(target)?.stored() ?? before[target])
      memos.set(target, memo)
      return memo
    },
    store(cache) {
      store(cache, 'texts', Object.fromEntries(Array.from(memos, ([target, memo]) => [target, memo.stored()])))
    },
  }
}
