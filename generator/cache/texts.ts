import { createMemo, type ProcedureTexts, type StoredTexts, type TextMemo } from '../plan/memo.js'
import { type Cache, readCached } from './fresh.js'
import { store } from './store.js'

/** The texts of a command's targets. */
interface Stored {
  readonly format: typeof format
  readonly targets: Readonly<Record<string, StoredTexts | undefined>>
}

const format = 3

/** The memos of a command's targets. */
export interface Memos {
  memoOf(target: string): TextMemo
  /** Stores the texts of this run. */
  store(cache: Cache): void
}

/** Returns memos with the texts that an earlier run stored. `tool` is the version of rpc-gen, which may print other texts. */
export function createMemos(cache: Cache | undefined, tool: string): Memos {
  const before = cache && readCached<Stored>(cache, 'texts', format)?.targets
  const memos = new Map<string, TextMemo>()
  return {
    memoOf(target) {
      const memo = memos.get(target) ?? createMemo(tool, undamaged(before?.[target]))
      memos.set(target, memo)
      return memo
    },
    store(cache) {
      const targets = Object.fromEntries(Array.from(memos, ([target, memo]) => [target, memo.stored()]))
      store(cache, 'texts', { format, targets } satisfies Stored)
    },
  }
}

/** Returns the texts; undefined if one of them does not have the form of texts. */
function undamaged(stored: StoredTexts | undefined): StoredTexts | undefined {
  const all: (Partial<ProcedureTexts> | null)[] = Object.values(stored?.texts ?? {})
  const { names, definitions, procedures, json, codegen } = stored?.frame ?? {}
  const isWhole = all.every(
    (each) =>
      typeof each?.entry === 'string' &&
      [each.members, each.codegen, each.imported].every((list) => Array.isArray(list)),
  )
  return isWhole && [names, definitions, procedures, json, codegen].every((list) => Array.isArray(list))
    ? stored
    : undefined
}
