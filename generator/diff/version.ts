// One version of an API: an OpenRPC document, or a description, which is read from a lock or compiled from the sources. A document has less
// than a description, so a description is written as a document before it is compared with one:
//
//     lock ↔ sources      compared as descriptions          document ↔ lock      compared as documents
import { readFileSync, statSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import type {
  DescribedProcedure,
  DescribedType,
  Description,
  NamedType,
} from '../../runtime/description/description.js'
import { openRpcOf } from '../../runtime/description/openrpc-document.js'
import { signaturesOf } from '../../runtime/description/signatures.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Change } from './change.js'
import { contractOf, type Method } from './contract.js'
import { compareMethods } from './methods.js'
import { readOpenRpc } from './read-openrpc.js'
import { MAX_STEPS, Steps } from './steps.js'

export type Version = { readonly name: string } & (
  | { readonly kind: 'document'; readonly document: object }
  /** Texts for people are only in sources. */
  | { readonly kind: 'lock' | 'sources'; readonly description: Description }
)

/** Returns the changes from one version to the next. Throws UsageError for a reference that cannot be resolved. */
export function compareVersions(old: Version, now: Version): Change[] {
  const asDocuments = [old, now].some(({ kind }) => kind === 'document')
  const documented = asDocuments && [old, now].every(({ kind }) => kind !== 'lock')
  const steps = new Steps(MAX_STEPS)
  return withinStack(`${old.name} or of ${now.name}`, () =>
    compareMethods(methodsOf(old, asDocuments, steps), methodsOf(now, asDocuments, steps), documented, steps),
  )
}

/** Types can be nested deeper than the stack allows. */
function withinStack<Result>(name: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`the types of ${name} are nested too deeply`)
    throw error
  }
}

function methodsOf(version: Version, asDocument: boolean, steps: Steps): Method[] {
  if (version.kind === 'document') return readOpenRpc(version.document, version.name, steps)
  const { description, name } = version
  return asDocument ? readOpenRpc(openRpcOf(description), name, steps) : contractOf(description, name, steps)
}

/** Reads an OpenRPC document of any tool, or a lock. `name` is its name in messages. Throws UsageError for any other file. */
export function readVersion(path: string, name = path): Version {
  try {
    // Such as /dev/zero, which never ends. The output of another command is a pipe.
    if (statSync(path).isCharacterDevice()) throw new UsageError(`${name} is a device, not a file`)
    return parseVersion(readFileSync(path, 'utf8'), name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`${name} does not exist`)
    throw new UsageError(code === 'EISDIR' ? `${name} is a folder, not a file` : `${name} cannot be read`)
  }
}

/** The version of the lock's form. */
export const lockFormat = { key: 'rpcLock', version: 2 } as const

const writeAgain = 'write it again with --lock'

/** The same for the text of a file. */
export function parseVersion(text: string, name: string): Version {
  const value = parseJson(text, name)
  if (!isJsonObject(value)) throw new UsageError(`${name} is not an OpenRPC document: expected a JSON object`)
  if (lockFormat.key in value)
    return { kind: 'lock', name, description: withinStack(name, () => readLock(value, name)) }
  const { openrpc, methods } = value
  if (typeof openrpc !== 'string') {
    const other = ['openapi', 'swagger', 'asyncapi'].find((each) => each in value)
    throw new UsageError(
      `${name} is not an OpenRPC document: ${other ? `it has ${other}` : 'it has no openrpc version'}`,
    )
  }
  if (!/^1\.[234](?:\.|$)/.test(openrpc))
    throw new UsageError(`${name} is OpenRPC ${openrpc}: supported are 1.2, 1.3 and 1.4`)
  if (!Array.isArray(methods)) throw new UsageError(`${name} is not an OpenRPC document: it has no list of methods`)
  return { kind: 'document', name, document: value }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (/^<{7} /m.test(text)) throw new UsageError(`${name} has the marks of a merge conflict: ${writeAgain}`)
    // After the comma V8 quotes the file, with its line breaks.
    throw new UsageError(`${name} is not JSON: ${String((error as Error).message).split(',')[0]}`)
  }
}

/** Reads a lock as a description without texts. */
function readLock(lock: JsonObject, name: string): Description {
  if (lock[lockFormat.key] !== lockFormat.version)
    throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
  const { procedures, types } = lock
  if (!Array.isArray(procedures) || !procedures.every(isProcedure) || !Array.isArray(types) || !isPart(types))
    throw new UsageError(`${name} is not a lock as rpc-gen writes it: ${writeAgain}`)
  const named = types as readonly NamedType[]
  const byName = new Map(named.map((each) => [each.name, each.type]))
  return {
    types: named,
    procedures: procedures.map((each) => ({
      ...each,
      description: '',
      throws: (each.throws ?? []).map((error) => ({ ...error, name: '', text: '' })),
      signatures: signaturesOf(each.overloads ?? [each], (reference) => byName.get(reference.name)),
    })),
  }
}

/** A procedure of a lock, whose overloads have results. */
type LockedProcedure = DescribedProcedure & {
  readonly overloads?: readonly Pick<DescribedProcedure, 'params' | 'returns'>[]
}

function isProcedure(value: unknown): value is LockedProcedure {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return false
  const { overloads = [], throws = [], protocols = [], security = [] } = value
  const isSignature = (each: unknown) => isJsonObject(each) && isPart(each['params']) && isPart(each['returns'])
  return (
    isSignature(value) &&
    [overloads, throws, protocols, security].every(Array.isArray) &&
    (security as unknown[]).every((rules) => Array.isArray(rules) && rules.every(isJsonObject)) &&
    (overloads as unknown[]).every(isSignature)
  )
}

/** The fields of each kind that contain types. */
const innerFields: Readonly<Record<DescribedType['kind'], readonly string[]>> = {
  ...{ int: [], double: [], number: [], string: [], boolean: [], date: [], url: [], null: [], undefined: [], void: [] },
  ...{ any: [], bigint: [], bytes: [], literal: [], template: [], ref: [] },
  ...{ array: ['element'], set: ['element'], map: ['value'], tuple: ['elements'], custom: ['wire'] },
  ...{ struct: ['members'], union: ['branches'] },
}

/** True for a type, a list of parts, or what has a type: a member, a param or a result. */
function isPart(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPart)
  if (!isJsonObject(value)) return false
  const { kind, type, rest = [], indexes = [] } = value
  if (kind === undefined) return isPart(type)
  const fields = Object.hasOwn(innerFields, String(kind)) ? innerFields[kind as DescribedType['kind']] : undefined
  return fields !== undefined && [rest, indexes, ...fields.map((field) => value[field])].every(isPart)
}
