import { createMemo, type StoredTexts, type TextMemo } from '../plan/memo.js'
import { type Cache, readCached } from './fresh.js'
import { store } from './store.js'

/** The texts of a command's targets. */
interface Stored {
  readonly format: typeof format
  readonly targets: Readonly<Record<string, StoredTexts>>
}

const format = 2

/** The memos of a command's targets. */
export interface Memos {
  memoOf(target: string): TextMemo
  /** Stores the texts of this run. */
  store(cache: Cache): void
}

/** Returns memos with the texts that an earlier run stored. `tool` is the version of rpc-gen, which may print other texts. */
export function createMemos(cache: Cache | undefined, tool: string): Memos {
  const before = cache && readCached<Stored>(cache, 'texts', format)
  const memos = new Map<string, TextMemo>()
  return {
    memoOf(target) {
      const memo = memos.get(target) ?? createMemo(tool, before?.targets[target])
      memos.set(target, memo)
      return memo
    },
    store(cache) {
      const targets = Object.fromEntries(Array.from(memos, ([target, memo]) => [target, memo.stored()]))
      store(cache, 'texts', { format, targets } satisfies Stored)
    },
  }
}
