// One version of an API: an OpenRPC document, or a description, which is read from a lock or compiled from the sources. A document has less
// than a description, so the sources are written as a document before they are compared with one:
//
//     lock ↔ sources      compared as descriptions          document ↔ sources      compared as documents
import { readFileSync, statSync } from 'node:fs'
import { isJsonObject } from '../../runtime/description/described-types.js'
import type { Description } from '../../runtime/description/description.js'
import { openRpcOf } from '../../runtime/description/openrpc-document.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Change } from './change.js'
import { compareMethods } from './compare-methods.js'
import type { Method } from './contract.js'
import { lockFormat, readLock, writeAgain } from './lock-form.js'
import { readDescription } from './read-description.js'
import { readOpenRpc } from './read-openrpc.js'
import { MAX_STEPS, Steps } from './steps.js'

export type Version = { readonly name: string } & (
  | { readonly kind: 'document'; readonly document: object }
  | { readonly kind: 'lock' | 'sources'; readonly description: Description }
)

/** Returns the changes from one version to the next. Throws UsageError for a lock beside a document, and for a reference that cannot be resolved. */
export function compareVersions(old: Version, now: Version): Change[] {
  const asDocuments = [old, now].some(({ kind }) => kind === 'document')
  const lock = [old, now].find(({ kind }) => kind === 'lock')
  if (asDocuments && lock)
    throw new UsageError(`${lock.name} is a lock: compare it with the sources or another lock, not with a document`)
  const steps = new Steps(MAX_STEPS)
  return withinStack(`${old.name} or of ${now.name}`, () =>
    compareMethods(methodsOf(old, asDocuments, steps), methodsOf(now, asDocuments, steps), steps),
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
  const { kind, name } = version
  if (kind === 'document') return readOpenRpc(version.document, name, steps)
  const { description } = version
  return asDocument ? readOpenRpc(openRpcOf(description), name, steps) : readDescription(description, name, steps)
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
