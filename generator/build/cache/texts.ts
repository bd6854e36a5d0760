import type { TextMemo } from '../../../templates/typescript/module.js'
import { hashOf } from '../../disk/stamps.js'
import { type Cache, readCached } from './fresh.js'
import { store } from './store.js'

/** What a run has printed, by the hashes of the inputs: objects of texts and lists. */
export type StoredTexts = Readonly<Record<string, object>>

/** The memo of one run. */
export interface StoredMemo extends TextMemo {
  /** What this run has used; what the run before had stored if this one printed nothing. */
  stored(): StoredTexts
}

/** Returns the memo of one run. */
export function createMemo(before: StoredTexts = {}): StoredMemo {
  const used: Record<string, object> = {}
  return {
    reuse<T extends object>(key: () => string, make: () => T): T {
      const hash = key()
      const value = (before[hash] as T | undefined) ?? make()
      used[hash] = value
      return value
    },
    hash: hashOfRecord,
    stored: () => (Object.keys(used).length > 0 ? used : before),
  }
}

/** The hashes of records, and of parts of them. While watching, most records are the same objects as before. */
const hashes = new WeakMap<object, WeakMap<object, string>>()

function hashOfRecord<T extends object>(record: T, part: (record: T) => object = whole): string {
  const known = hashes.get(part) ?? new WeakMap<object, string>()
  hashes.set(part, known)
  const hash = known.get(record) ?? hashOf(JSON.stringify(part(record)))
  known.set(record, hash)
  return hash
}

function whole<T>(record: T): T {
  return record
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
  const memos = new Map<string, StoredMemo>()
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
