import { readFileSync } from 'node:fs'
import { UsageError } from '../options.js'
import { type AnySchema, type Fields, isRecord, lookUp } from './schema.js'
import type { Type } from './type.js'
import { typesOf } from './types.js'

/** A parameter. */
export interface Param {
  readonly name: string
  readonly required: boolean
  /** Whether calls by position have its elements in its place. */
  readonly rest: boolean
  readonly type: Type
}

/** One signature. */
export interface Signature {
  readonly params: readonly Param[]
  /** Undefined for a notification, and for an overload whose own result is not known. */
  readonly result: Type | undefined
}

/** How params may be sent. */
export type ParamStructure = 'by-name' | 'by-position' | 'either' | 'object'

/** A method as far as two versions of it are compared. */
export interface Method extends Signature {
  readonly name: string
  /** Undefined for one signature; else a call is for the first that accepts it, and `params` and `result` are of all together. */
  readonly overloads: readonly Signature[] | undefined
  /** Messages by code. */
  readonly errors: ReadonlyMap<number, string>
  readonly structure: ParamStructure
  readonly protocols: readonly string[]
  /** Undefined where XML-RPC cannot call it, or where the document has none. */
  readonly signatures: readonly (readonly string[])[] | undefined
  /** Whether a call subscribes: `result` is then that of the items. */
  readonly subscription: boolean
  readonly idempotent: boolean
  readonly deprecated: boolean
  /** What people read, by its subject: `the description`, `param a`, `the result`. */
  readonly docs: ReadonlyMap<string, string>
}

/** An API as one document describes it. */
export interface Api {
  /** What messages call it: the file. */
  readonly name: string
  readonly kind: ApiKind
  readonly methods: readonly Method[]
}

/**
 * A `document` lacks what only XML-RPC can call; a `lock` and the `contract` of a build have it. A lock has no text for people.
 */
export type ApiKind = 'document' | 'lock' | 'contract'

/** How a lock is known; a version that reads differently has another number. */
export const lockFormat = { key: 'rpcLock', version: 1 } as const

const writeAgain = 'write it again with --lock'

/** The protocols of a method that names none. */
const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

/**
 * Reads a description of an API: an OpenRPC document 1.2 to 1.4 of any tool, or an rpc.lock.json. `name` is what messages call
 * it. Throws UsageError for a file that is neither.
 */
export function readApi(path: string, name = path): Api {
  try {
    return parseApi(readFileSync(path, 'utf8'), name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`there is no file ${name}`)
    throw new UsageError(code === 'EISDIR' ? `${name} is a folder, not a file` : `${name} cannot be read`)
  }
}

/** The same of the text of a file. */
export function parseApi(text: string, name: string): Api {
  const value = parseJson(text, name)
  if (!isRecord(value)) throw new UsageError(`${name} is no OpenRPC document: it is no JSON object`)
  const { openrpc, methods } = value
  if (lockFormat.key in value) {
    if (value[lockFormat.key] !== lockFormat.version)
      throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
    if (!Array.isArray(methods)) throw new UsageError(`${name} has no methods: ${writeAgain}`)
    return apiOf(value, name, 'lock')
  }
  if (typeof openrpc !== 'string') {
    const other = ['openapi', 'swagger', 'asyncapi'].find((each) => each in value)
    throw new UsageError(`${name} is no OpenRPC document: ${other ? `it says ${other}` : 'it does not say openrpc'}`)
  }
  if (!/^1\.[234](?:\.|$)/.test(openrpc))
    throw new UsageError(`${name} is OpenRPC ${openrpc}: 1.2, 1.3 and 1.4 can be read`)
  if (!Array.isArray(methods)) throw new UsageError(`${name} is no OpenRPC document: it has no list of methods`)
  return apiOf(value, name, 'document')
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // Behind a comma the file is quoted, with its line breaks.
    throw new UsageError(`${name} is no JSON: ${String((error as Error).message).split(',')[0]}`)
  }
}

/** An OpenRPC document, or a part of one with its methods, as an API. */
export function apiOf(document: object, name: string, kind: ApiKind = 'contract'): Api {
  const reader = new Reader(document as Fields, name, kind === 'lock')
  const methods = listOf((document as Fields)['methods']).map((each, i) => reader.method(each, i))
  return { name, kind, methods: withRests(methods) }
}

/** A method, and whether a version of rpc-gen may have written it that did not mark rest parameters. */
interface ReadMethod extends Method {
  readonly mayHaveRest: boolean
}

/**
 * Marks the rest parameters of documents that were written before there was a mark. A parameter that may be left out accepts null
 * in documents of ours, and only a rest parameter does not. Where one mark is, all of them are.
 */
function withRests(methods: readonly ReadMethod[]): readonly Method[] {
  if (methods.some(({ params }) => params.some(({ rest }) => rest))) return methods
  return methods.map((method) => {
    const last = method.params.at(-1)
    if (!last || last.required || !method.mayHaveRest) return method
    if (!last.type.branches().every(({ kind }) => kind === 'array')) return method
    return { ...method, structure: 'either', params: [...method.params.slice(0, -1), { ...last, rest: true }] }
  })
}

/** A parameter or result, with the text that describes it. */
interface Descriptor extends Param {
  readonly doc: string
}

/** Reads the methods of a document. `isLock`: what is not as a lock has it is an error. */
class Reader {
  readonly #root: Fields
  readonly #file: string
  readonly #isLock: boolean
  readonly #typeOf: (schema: AnySchema) => Type

  constructor(root: Fields, file: string, isLock: boolean) {
    this.#root = root
    this.#file = file
    this.#isLock = isLock
    this.#typeOf = typesOf(root, file)
  }

  method(value: unknown, index: number): ReadMethod {
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
      deprecated: method['deprecated'] === true,
      docs: docsOf(method, params, result, errors),
      mayHaveRest: structure === 'by-name' && (protocols ?? signatures) !== undefined,
    }
  }

  /** Follows references to methods, content descriptors and errors; those of schemas are followed when they are compared. */
  #resolve(value: unknown): unknown {
    const seen = new Set<unknown>()
    let at = value
    while (isRecord(at) && typeof at['$ref'] === 'string') {
      if (seen.has(at))
        throw new UsageError(`${this.#file} has ${at['$ref']}, which is nothing but a reference to itself`)
      seen.add(at)
      at = lookUp(at['$ref'], this.#root, this.#file)
    }
    return at
  }

  #signature({ params, result }: Fields, at: string) {
    return {
      params: listOf(params).map((each, i) => this.#descriptor(each, `param ${i + 1} of ${at}`)),
      result: result === undefined ? undefined : this.#descriptor(result, `the result of ${at}`),
    }
  }

  #descriptor(value: unknown, at: string): Descriptor {
    const found = this.#resolve(value)
    if (!isRecord(found)) throw new UsageError(`${at} is no content descriptor`)
    const { name = 'result', schema, required, summary, description, 'x-rest': rest } = found
    if (typeof name !== 'string') throw new UsageError(`${at} has no name`)
    if (typeof schema !== 'boolean' && !isRecord(schema)) throw new UsageError(`${at} has no schema`)
    const own = typeof schema === 'boolean' ? undefined : schema['description']
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
    const wrong = value.findIndex((each) => !isRecord(each) || !Array.isArray(each['params']))
    if (wrong !== -1 && this.#isLock)
      throw new UsageError(`overload ${wrong + 1} of ${at} is not a signature: ${writeAgain}`)
    if (wrong !== -1) return undefined
    return value.map((each, i) => {
      const { params, result } = this.#signature(each, `overload ${i + 1} of ${at}`)
      return { params, result: result?.type }
    })
  }
}

/** A rest parameter is why documents of ours are by name: calls by position work all the same. */
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
    ['since when it is there', textIn([method['x-since']])],
    ...params.map(({ name, doc }): [string, string] => [`param ${name}`, doc]),
    ['the result', result?.doc ?? ''],
    ...Array.from(errors, ([code, message]): [string, string] => [`error ${code}`, message]),
  ])
}

/** The first that is a text. */
function textIn(values: readonly unknown[]): string {
  return values.find((each) => typeof each === 'string') ?? ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Undefined for what is not a list of strings. */
function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}

function signaturesOf(value: unknown): readonly (readonly string[])[] | undefined {
  return Array.isArray(value) && value.every((each) => stringsOf(each)) ? value : undefined
}
