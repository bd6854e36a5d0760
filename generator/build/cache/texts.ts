import type { TextMemo } from '../../../templates/typescript/module.js'
import { hashOf } from '../../disk/stamps.js'
import { createMerger, type Merger } from '../../model/merge.js'
import { type Cache, readCached } from './fresh.js'
import { store } from './store.js'

/** What a run has printed, by the hashes of the inputs: objects of texts and lists. */
export type StoredTexts = Readonly<Record<string, object>>

/** The memo of one run. */
export interface StoredMemo extends TextMemo {
  /** What this run has used; what the run before had stored if this one printed nothing. */
  stored(): StoredTexts
}

/** Returns the memo of one run. `hash` remembers the hashes of records: while watching, most are the same objects as before. */
export function createMemo(before: StoredTexts = {}, hash = createHash()): StoredMemo {
  const used: Record<string, object> = {}
  return {
    reuse<T extends object>(key: () => string, make: () => T): T {
      const known = key()
      const value = (before[known] as T | undefined) ?? make()
      used[known] = value
      return value
    },
    hash,
    stored: () => (Object.keys(used).length > 0 ? used : before),
  }
}

/** Returns a function that hashes records, and parts of them, once. */
function createHash(): TextMemo['hash'] {
  const hashes = new WeakMap<object, WeakMap<object, string>>()
  return <T extends object>(record: T, part: (record: T) => object = whole): string => {
    const known = hashes.get(part) ?? new WeakMap<object, string>()
    hashes.set(part, known)
    const hash = known.get(record) ?? hashOf(JSON.stringify(part(record)))
    known.set(record, hash)
    return hash
  }
}

function whole<T>(record: T): T {
  return record
}

/** The memos of a command's targets. */
export interface Memos {
  /** Returns what the next run of a target reuses. */
  memoryOf(target: string): { readonly memo: TextMemo; readonly merger: Merger }
  /** Stores the texts of the last runs. */
  store(cache: Cache): void
}

/** Returns memos with the texts that an earlier run stored. */
export function createMemos(cache?: Cache): Memos {
  const before = (cache && readCached<Record<string, StoredTexts>>(cache, 'texts')) ?? {}
  const memos = new Map<string, StoredMemo>()
  const mergers = new Map<string, Merger>()
  const hash = createHash()
  return {
    memoryOf(target) {
      const memo = createMemo(memos.get(target)?.stored() ?? before[target], hash)
      const merger = mergers.get(target) ?? createMerger()
      memos.set(target, memo)
      mergers.set(target, merger)
      return { memo, merger }
    },
    store(cache) {
      store(cache, 'texts', Object.fromEntries(Array.from(memos, ([target, memo]) => [target, memo.stored()])))
    },
  }
}
