import type { OpenRpc } from '../../runtime/openrpc/openrpc.js'
import type { Line } from '../printable.js'
import { type Api, type ApiMethod, allProtocols, apiOf } from './api.js'
import type { Change } from './change.js'
import { compareApis } from './index.js'
import { lockFormat } from './lock-format.js'
import { createSchemaWriter, type Root, type SchemaWriter } from './lock-schema.js'
import { type MethodTypes, type ParamType, type SignatureTypes, typesOfApis } from './method-types.js'
import { type Printable, printJson } from './print.js'
import { parseApi } from './read.js'
import { changeLine, sortChanges, summaryOf } from './report.js'

/**
 * `rpc.lock.json`: what callers and the API have agreed on, and nothing for people. The same contract gives the same
 * bytes, however types are named, wherever they are declared and whatever the docs say.
 */
export function lockText(document: OpenRpc): string {
  return lockOf(apiOf(document, 'the document'))
}

/** The same of an API that was read from a file. */
export function lockOf(api: Api): string {
  const [types = new Map<ApiMethod, MethodTypes>()] = typesOfApis([api])
  const all = [...types].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
  const writer = createSchemaWriter(all.flatMap(([{ name }, own]) => rootsOf(name, own)))
  const methods = new Map(all.map(([method, own]) => [method.name, methodText(method, own, writer)]))
  const schemas = new Map([...writer.schemas()].sort(([a], [b]) => (a < b ? -1 : 1)))
  return printJson(
    new Map<string, Printable>([
      [lockFormat.key, lockFormat.version],
      ['methods', methods],
      ...(schemas.size > 0 ? ([['schemas', schemas]] as const) : []),
    ]),
  )
}

/** What has changed since a lock was written. Throws UsageError for a text that is no lock; `name` is what it calls it. */
export function checkLock(text: string, document: OpenRpc, name = 'rpc.lock.json'): Change[] {
  return compareApis(parseApi(text, name), apiOf(document, 'the sources'))
}

/**
 * The lines that `--check` says of a lock that is stale, what breaks first; none of one that is not. `text` is undefined
 * without such a file.
 */
export function staleLock(text: string | undefined, document: OpenRpc, name = 'rpc.lock.json'): Line[] {
  if (text === undefined) return [`${name} is not there: run rpc-gen`]
  if (text === lockText(document)) return []
  const changes = sortChanges(checkLock(text, document, name))
  const summary = changes.length > 0 ? `: ${summaryOf(changes)}` : ''
  return [`${name} is stale${summary}: run rpc-gen`, ...changes.map((change) => ['  ', ...changeLine(change)])]
}

function rootsOf(name: string, { overloads = [], ...method }: MethodTypes): Root[] {
  return [method, ...overloads].flatMap(({ params, result }) => [
    ...params.map((param): Root => [`${name}(${param.name})`, param.type]),
    ...(result ? ([[`${name}()`, result]] as Root[]) : []),
  ])
}

function methodText(method: ApiMethod, types: MethodTypes, writer: SchemaWriter): Printable {
  const { errors, structure, protocols, signatures, idempotent } = method
  const all = [...errors.keys()].sort((a, b) => a - b)
  const overloads = types.overloads?.map((each) => new Map(signatureText(each, writer)))
  return new Map<string, Printable>([
    ...signatureText(types, writer),
    ...(overloads ? [['overloads', overloads] as const] : []),
    ...(all.length > 0 ? [['errors', all] as const] : []),
    ...(structure === 'either' ? [] : [['structure', structure] as const]),
    ...(isAll(protocols) ? [] : [['protocols', [...protocols].sort()] as const]),
    ...(signatures ? [['signatures', signatures.map((each) => each.join(' ')).sort()] as const] : []),
    ...(idempotent ? [['idempotent', true] as const] : []),
  ])
}

function signatureText(
  { params, result }: SignatureTypes,
  { schemaOf }: SchemaWriter,
): (readonly [string, Printable])[] {
  const param = ({ name, required, rest, type }: ParamType): Printable =>
    new Map<string, Printable>([
      ['name', name],
      ...(required ? [['required', true] as const] : []),
      ...(rest ? [['rest', true] as const] : []),
      ['schema', schemaOf(type)],
    ])
  return [['params', params.map(param)], ...(result ? [['result', schemaOf(result)] as const] : [])]
}

function isAll(protocols: readonly string[]): boolean {
  return protocols.length === allProtocols.length && allProtocols.every((each) => protocols.includes(each))
}
