// Reads the methods of OpenRPC documents 1.2 to 1.4 of any tool. What is not valid is an error that names it:
//
//     rpc-gen: param 1 of method find of old.json has no schema
import type { Direction } from '../../runtime/description/json-schema.js'
import { UsageError } from '../options.js'
import { allProtocols, type Method, type Param, type ParamStructure, type Signature } from './contract.js'
import { SchemaReader } from './read-schema.js'
import { type Fields, isRecord, isSchema, resolveReferences } from './references.js'
import { readSecurity } from './security.js'
import type { Type } from './type.js'

/** Returns the methods of a document; `file` is its name in messages. Throws UsageError for a document that is not valid. */
export function readOpenRpc(document: object, file: string): Method[] {
  const root = document as Fields
  const methods = listOf(root['methods'])
  const hasXml = methods.some((each) => isRecord(each) && each['x-xmlrpc-signatures'] !== undefined)
  const reader = new DocumentReader(root, file, hasXml)
  return methods.map((each, i) => reader.method(each, i))
}

/** A parameter or result, with the text that describes it. */
interface Descriptor extends Param {
  readonly doc: string
}

class DocumentReader {
  readonly #root: Fields
  readonly #file: string
  readonly #types: Readonly<Record<Direction, (schema: unknown) => Type>>

  constructor(root: Fields, file: string, hasXml: boolean) {
    this.#root = root
    this.#file = file
    const read = (direction: Direction) => {
      const schemas = new SchemaReader(root, file, direction, hasXml && direction === 'output' ? 'double' : 'number')
      return (schema: unknown) => schemas.type(schema)
    }
    this.#types = { input: read('input'), output: read('output') }
  }

  method(value: unknown, index: number): Method {
    const method = this.#resolve(value)
    if (!isRecord(method) || typeof method['name'] !== 'string')
      throw new UsageError(`method ${index + 1} of ${this.#file} has no name`)
    const { name, params: listed = [], errors: announced = [], paramStructure: structure } = method
    const { 'x-params-object': object, 'x-subscription': subscription, 'x-overloads': overloads } = method
    const at = `method ${name} of ${this.#file}`
    if (!Array.isArray(listed)) throw new UsageError(`${at} has no list of params`)
    if (!Array.isArray(announced)) throw new UsageError(`${at} has no list of errors`)
    const item = isRecord(subscription) ? subscription['item'] : undefined
    const signature = { params: object === undefined ? listed : [object], result: item ?? method['result'] }
    const { params, result } = this.#signature(signature, at)
    const errors = new Map(announced.map((each, i) => this.#error(each, `error ${i + 1} of ${at}`)))
    const protocols = stringsOf(method['x-protocols']) ?? allProtocols
    const signatures = listOf(method['x-xmlrpc-signatures']).flatMap((each) => [stringsOf(each) ?? []])
    const hasRest = params.some(({ rest }) => rest)
    return {
      name,
      params,
      result: result?.type,
      overloads: Array.isArray(overloads)
        ? overloads.map((each, i) => this.#overload(each, `overload ${i + 1} of ${at}`))
        : undefined,
      structure: object === undefined ? structureOf(structure, hasRest) : 'object',
      protocols,
      xml: method['x-xmlrpc-signatures'] !== undefined && protocols.includes('xml-rpc'),
      subscription: subscription !== undefined,
      idempotent: method['x-idempotent'] === true,
      security: readSecurity(method['x-security'], this.#root['x-security-schemes']),
      errors: [...errors.keys()],
      signatures,
      deprecated: method['deprecated'] === true,
      docs: docsOf(method, params, result, errors),
    }
  }

  /** Follows references to methods, content descriptors and errors. */
  #resolve(value: unknown): unknown {
    return resolveReferences(value, this.#root, this.#file).value
  }

  #signature({ params, result }: Fields, at: string) {
    return {
      params: listOf(params).map((each, i) => this.#descriptor(each, `param ${i + 1} of ${at}`, 'input')),
      result: result === undefined ? undefined : this.#descriptor(result, `the result of ${at}`, 'output'),
    }
  }

  /** A document does not have the result of an overload: it is one of the results of the method. */
  #overload(value: unknown, at: string): Signature {
    if (!isRecord(value) || !Array.isArray(value['params'])) throw new UsageError(`${at} is not a signature`)
    return { params: this.#signature(value, at).params, result: undefined }
  }

  #descriptor(value: unknown, at: string, direction: Direction): Descriptor {
    const found = this.#resolve(value)
    if (!isRecord(found)) throw new UsageError(`${at} is not a content descriptor`)
    const { name = 'result', schema, required, summary, description, 'x-rest': rest } = found
    if (typeof name !== 'string') throw new UsageError(`${at} has no name`)
    if (!isSchema(schema)) throw new UsageError(`${at} has no schema`)
    const own = isRecord(schema) ? schema['description'] : undefined
    const doc = textIn([summary, description, own])
    return { name, required: required === true, rest: rest === true, type: this.#types[direction](schema), doc }
  }

  #error(value: unknown, at: string): readonly [number, string] {
    const found = this.#resolve(value)
    if (!isRecord(found) || typeof found['code'] !== 'number') throw new UsageError(`${at} has no code`)
    return [found['code'], textIn([found['message']])]
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
