import { type Cache, hashOf, readCached } from '../cache/fresh.js'
import { store } from '../cache/store.js'
import type { Model, NamedType, ProcedureModel } from '../model/model.js'
import type { ModuleNames } from './names.js'

/** The texts of one procedure, and their imports. */
export interface ProcedureTexts {
  readonly entry: string
  /** Its member in each interface; null if an interface does not contain the procedure. */
  readonly members: readonly (string | null)[]
  readonly codegen: readonly string[]
  readonly imported: readonly string[]
}

/** The part of a module that depends on the types and the signatures, and not on the docs of procedures. */
export interface Frame {
  readonly names: ModuleNames
  /** The definitions of the types. */
  readonly definitions: readonly string[]
  /** The server and the types of the procedures. */
  readonly procedures: readonly string[]
  /** The JSON forms of the types. */
  readonly json: readonly string[]
  /** The imports of these texts from `rpc-gen/codegen/v1`. */
  readonly codegen: readonly string[]
}

/** The texts of a run, and the hashes of their inputs. */
export interface StoredTexts {
  /** The hash of the types and the signatures. */
  readonly signatures: string
  readonly frame: StoredFrame
  /** The hash of the types and the names. If it is another, no text of a procedure is valid. */
  readonly environment: string
  /** By the hash of each procedure. */
  readonly texts: Readonly<Record<string, ProcedureTexts>>
}

interface StoredFrame extends Omit<Frame, 'names'> {
  readonly names: readonly (readonly [kind: string, names: readonly (readonly [string, string])[]])[]
}

/** Caches the texts of a module for the next run, of a watching process or of the same command. */
export interface TextMemo {
  /** Returns the frame of the run before, or makes it. It is requested before the texts of procedures. */
  frameOf(model: Model, make: () => Frame): Frame
  /** Returns the texts of a procedure from the run before, or makes them. */
  textsOf(procedure: ProcedureModel, make: () => ProcedureTexts): ProcedureTexts
  /** The texts of this run; undefined if there was none. */
  stored(): StoredTexts | undefined
}

/** Returns a memo with the texts of the run before. `tool` is the version of rpc-gen, which may print other texts. */
export function createMemo(tool: string, before?: StoredTexts): TextMemo {
  let last: StoredTexts['texts'] = {}
  let texts: Record<string, ProcedureTexts> = { ...before?.texts }
  let known = before && {
    signatures: before.signatures,
    environment: before.environment,
    frame: { ...before.frame, names: namesOf(before.frame) },
  }
  return {
    frameOf(model, make) {
      const types = model.types.map(keyOf)
      const signatures = hashOf([tool, ...types, ...model.procedures.map(signatureOf)].join('\n'))
      last = texts
      texts = {}
      if (known?.signatures === signatures) return known.frame
      const frame = make()
      const environment = hashOf(JSON.stringify([tool, types, entriesOf(frame)]))
      if (known?.environment !== environment) last = {}
      known = { signatures, environment, frame }
      return frame
    },
    textsOf(procedure, make) {
      const key = keyOf(procedure)
      texts[key] = last[key] ?? make()
      return texts[key]
    },
    stored: () => known && { ...known, frame: { ...known.frame, names: entriesOf(known.frame) }, texts },
  }
}

function entriesOf({ names }: Frame): StoredFrame['names'] {
  return Object.entries(names).map(([kind, map]) => [kind, [...map]])
}

function namesOf({ names }: StoredFrame): ModuleNames {
  return Object.fromEntries(names.map(([kind, entries]) => [kind, new Map(entries)])) as never
}

const keys = new WeakMap<NamedType | ProcedureModel, string>()
const signatures = new WeakMap<ProcedureModel, string>()

function keyOf(record: NamedType | ProcedureModel): string {
  const key = keys.get(record) ?? hashOf(JSON.stringify(record))
  keys.set(record, key)
  return key
}

/** The key of a procedure without its docs. */
function signatureOf(procedure: ProcedureModel): string {
  const known = signatures.get(procedure)
  if (known !== undefined) return known
  const { params, returns } = procedure
  const signature = hashOf(
    JSON.stringify({
      ...procedure,
      description: '',
      help: '',
      params: params.map((each) => ({ ...each, doc: undefined })),
      returns: { ...returns, doc: undefined },
    }),
  )
  signatures.set(procedure, signature)
  return signature
}

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
