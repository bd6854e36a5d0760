import { readFileSync } from 'node:fs'
import { UsageError } from '../options.js'
import { readSecurity, type Security } from './security.js'
import { type AnySchema, type Fields, isRecord, isSchema, resolveReferences, type Type } from './type.js'
import { typesOf } from './types.js'

/** A parameter. */
export interface Param {
  readonly name: string
  readonly required: boolean
  /** True if calls by position send its elements as separate arguments: a rest parameter. */
  readonly rest: boolean
  readonly type: Type
}

/** One signature. */
export interface Signature {
  readonly params: readonly Param[]
  /** Undefined for a notification, and for an overload whose own result is unknown. */
  readonly result: Type | undefined
}

/** How params may be sent: by name, by position, or either. */
export type ParamStructure = 'by-name' | 'by-position' | 'either' | 'object'

/** The properties of a method that are compared. */
export interface Method extends Signature {
  readonly name: string
  /** Undefined for one signature. Else a call uses the first that accepts it, and `params` and `result` combine all of them. */
  readonly overloads: readonly Signature[] | undefined
  /** Messages by code. */
  readonly errors: ReadonlyMap<number, string>
  readonly structure: ParamStructure
  readonly protocols: readonly string[]
  /** Undefined if XML-RPC cannot call it, or if the document has no signatures. */
  readonly signatures: readonly (readonly string[])[] | undefined
  /** True if a call subscribes: `result` is then the type of the items. */
  readonly subscription: boolean
  readonly idempotent: boolean
  readonly security: Security
  readonly deprecated: boolean
  /** Text for people by its subject: `the description`, `param a`, `the result`. */
  readonly docs: ReadonlyMap<string, string>
}

/** An API as one document describes it. */
export interface Api {
  /** The name of the file in messages. */
  readonly name: string
  readonly kind: ApiKind
  readonly methods: readonly Method[]
}

/**
 * A `document` lacks methods that only XML-RPC can call; a `lock` and the `contract` of a build have them. A lock has no text for people.
 */
export type ApiKind = 'document' | 'lock' | 'contract'

/** The version of the lock's form. */
export const lockFormat = { key: 'rpcLock', version: 1 } as const

const writeAgain = 'write it again with --lock'

/** The protocols of a method that specifies none. */
const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

/**
 * Reads a description of an API: an OpenRPC document 1.2 to 1.4 of any tool, or an rpc.lock.json. `name` is its name in
 * messages. Throws UsageError for any other file.
 */
export function readApi(path: string, name = path): Api {
  try {
    return parseApi(readFileSync(path, 'utf8'), name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`${name} does not exist`)
    throw new UsageError(code === 'EISDIR' ? `${name} is a folder, not a file` : `${name} cannot be read`)
  }
}

/** The same for the text of a file. */
export function parseApi(text: string, name: string): Api {
  const value = parseJson(text, name)
  if (!isRecord(value)) throw new UsageError(`${name} is not an OpenRPC document: expected a JSON object`)
  const { openrpc, methods } = value
  if (lockFormat.key in value) {
    if (value[lockFormat.key] !== lockFormat.version)
      throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
    if (!Array.isArray(methods)) throw new UsageError(`${name} has no methods: ${writeAgain}`)
    return apiOf(value, name, 'lock')
  }
  if (typeof openrpc !== 'string') {
    const other = ['openapi', 'swagger', 'asyncapi'].find((each) => each in value)
    throw new UsageError(
      `${name} is not an OpenRPC document: ${other ? `it has ${other}` : 'it has no openrpc version'}`,
    )
  }
  if (!/^1\.[234](?:\.|$)/.test(openrpc))
    throw new UsageError(`${name} is OpenRPC ${openrpc}: supported are 1.2, 1.3 and 1.4`)
  if (!Array.isArray(methods)) throw new UsageError(`${name} is not an OpenRPC document: it has no list of methods`)
  return apiOf(value, name, 'document')
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

/** Returns the API of an OpenRPC document, or of an object with its methods. */
export function apiOf(document: object, name: string, kind: ApiKind = 'contract'): Api {
  const reader = new Reader(document as Fields, name)
  const methods = listOf((document as Fields)['methods']).map((each, i) => reader.method(each, i))
  return { name, kind, methods }
}

/** A parameter or result, with the text that describes it. */
interface Descriptor extends Param {
  readonly doc: string
}

/** Reads the methods of a document. */
class Reader {
  readonly #root: Fields
  readonly #file: string
  readonly #typeOf: (schema: AnySchema) => Type

  constructor(root: Fields, file: string) {
    this.#root = root
    this.#file = file
    this.#typeOf = typesOf(root, file)
  }

  method(value: unknown, index: number): Method {
    const method = this.#resolve(value)
    if (!isRecord(method) || typeof method['name'] !== 'string')
      throw new UsageError(`method ${index + 1} of ${this.#file} has no name`)
    const { name, params: listed = [], errors: announced = [], paramStructure: structure } = method
    const { 'x-params-object': object, 'x-subscription': subscription } = method
    const at = `method ${name} of ${this.#file}`
    if (!Array.isArray(listed)) throw new UsageError(`${at} has no list of params`)
    if (!Array.isArray(announced)) throw new UsageError(`${at} has no list of errors`)
    const item = isRecord(subscription) ? subscription['item'] : undefined
    const types = { params: object === undefined ? listed : [object], result: item ?? method['result'] }
    const { params, result } = this.#signature(types, at)
    const errors = new Map(announced.map((each, i) => this.#error(each, `error ${i + 1} of ${at}`)))
    const [protocols, signatures] = [stringsOf(method['x-protocols']), signaturesOf(method['x-xmlrpc-signatures'])]
    const hasRest = params.some(({ rest }) => rest)
    return {
      name,
      params,
      result: result?.type,
      overloads: this.#overloads(method['x-overloads'], at),
      errors,
      structure: object === undefined ? structureOf(structure, hasRest) : 'object',
      protocols: protocols ?? allProtocols,
      signatures,
      subscription: subscription !== undefined,
      idempotent: method['x-idempotent'] === true,
      security: readSecurity(method['x-security'], this.#root['x-security-schemes']),
      deprecated: method['deprecated'] === true,
      docs: docsOf(method, params, result, errors),
    }
  }

  /** Follows references to methods, content descriptors and errors. References of schemas are followed during the comparison. */
  #resolve(value: unknown): unknown {
    return resolveReferences(value, this.#root, this.#file).value
  }

  #signature({ params, result }: Fields, at: string) {
    return {
      params: listOf(params).map((each, i) => this.#descriptor(each, `param ${i + 1} of ${at}`)),
      result: result === undefined ? undefined : this.#descriptor(result, `the result of ${at}`),
    }
  }

  #descriptor(value: unknown, at: string): Descriptor {
    const found = this.#resolve(value)
    if (!isRecord(found)) throw new UsageError(`${at} is not a content descriptor`)
    const { name = 'result', schema, required, summary, description, 'x-rest': rest } = found
    if (typeof name !== 'string') throw new UsageError(`${at} has no name`)
    if (!isSchema(schema)) throw new UsageError(`${at} has no schema`)
    const own = isRecord(schema) ? schema['description'] : undefined
    const doc = textIn([summary, description, own])
    return { name, required: required === true, rest: rest === true, type: this.#typeOf(schema), doc }
  }

  #error(value: unknown, at: string): readonly [number, string] {
    const found = this.#resolve(value)
    if (!isRecord(found) || typeof found['code'] !== 'number') throw new UsageError(`${at} has no code`)
    return [found['code'], textIn([found['message']])]
  }

  #overloads(value: unknown, at: string): Signature[] | undefined {
    if (!Array.isArray(value)) return undefined
    return value.map((each, i) => {
      if (!isRecord(each) || !Array.isArray(each['params']))
        throw new UsageError(`overload ${i + 1} of ${at} is not a signature`)
      const { params, result } = this.#signature(each, `overload ${i + 1} of ${at}`)
      return { params, result: result?.type }
    })
  }
}

/** True for a method whose documents are by name only because of a rest parameter: calls by position work too. */
function structureOf(structure: unknown, hasRest: boolean): ParamStructure {
  return structure === 'by-position' || (structure === 'by-name' && !hasRest) ? structure : 'either'
}

function docsOf(
  method: Fields,
  params: readonly Descriptor[],
  result: Descriptor | undefined,
  errors: ReadonlyMap<number, string>,
): Map<string, string> {
  const tags = listOf(method['tags']).flatMap((tag) => (isRecord(tag) ? textIn([tag['name']]) : []))
  return new Map([
    ['the description', textIn([method['description'], method['summary']])],
    ['the tags', tags.join(', ')],
    ['the version that introduced it', textIn([method['x-since']])],
    ...params.map(({ name, doc }): [string, string] => [`param ${name}`, doc]),
    ['the result', result?.doc ?? ''],
    ...Array.from(errors, ([code, message]): [string, string] => [`error ${code}`, message]),
  ])
}

/** Returns the first value that is a string. */
function textIn(values: readonly unknown[]): string {
  return values.find((each) => typeof each === 'string') ?? ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a list of strings; undefined for any other value. */
function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}

function signaturesOf(value: unknown): readonly (readonly string[])[] | undefined {
  return Array.isArray(value) && value.every((each) => stringsOf(each)) ? value : undefined
}
