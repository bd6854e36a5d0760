// Reads OpenRPC documents 1.2 to 1.4 of any tool. What is not valid is an error that names it, and each part is read once, however many references
// lead to it:
//
//     { "name": "f", "params": [{ "$ref": "#/components/contentDescriptors/Id" }], … }  →  { name: 'f', params: [{ name: 'id', … }], … }
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Method, Param, Signature } from './contract.js'
import { documentedProperties, stringsOf } from './properties.js'
import { SchemaReader } from './read-schema.js'
import { References } from './references.js'
import { readSchemes, readSecurity, type SchemeTexts } from './security.js'
import type { Steps } from './steps.js'

/**
 * Returns the methods of a document; `file` is its name in messages. Each part is read once, however many references lead to it; types are made
 * with `steps`. Throws UsageError for a document that is not valid.
 */
export function readOpenRpc(document: object, file: string, steps: Steps): Method[] {
  const root = document as JsonObject
  const methods = listOf(root['methods'])
  const hasXml = methods.some((each) => isJsonObject(each) && each['x-xmlrpc-signatures'] !== undefined)
  const reader = new DocumentReader(new References(root, file), hasXml, steps)
  return methods.map((each, i) => reader.method(each, i))
}

/** A parameter or result, with the text that describes it, and the name of this text in a report. */
interface Descriptor extends Param {
  readonly subject: string
  readonly doc: string
}

class DocumentReader {
  readonly #references: References
  readonly #params: SchemaReader
  readonly #results: SchemaReader
  readonly #schemes: SchemeTexts
  /** The methods that were read, by their names. */
  readonly #methods = new Map<string, number>()

  constructor(references: References, hasXml: boolean, steps: Steps) {
    this.#references = references
    this.#schemes = readSchemes(references.root['x-security-schemes'])
    this.#params = new SchemaReader(references, true, 'number', steps)
    // A result `number` of rpc-gen may be a `Double`, which its documents do not distinguish; that is the one that breaks.
    this.#results = new SchemaReader(references, false, hasXml ? 'double' : 'number', steps)
  }

  method(value: unknown, index: number): Method {
    const { file } = this.#references
    const method = this.#references.follow(value).value
    if (!isJsonObject(method) || typeof method['name'] !== 'string')
      throw new UsageError(`method ${index + 1} of ${file} has no name`)
    const { name, params: listed = [], errors: announced = [] } = method
    const same = this.#methods.get(name)
    if (same !== undefined)
      throw new UsageError(`methods ${same + 1} and ${index + 1} of ${file} are both called ${name}`)
    this.#methods.set(name, index)
    const { 'x-params-object': object, 'x-subscription': subscription, 'x-overloads': overloads } = method
    const at = `method ${name} of ${file}`
    if (!Array.isArray(listed)) throw new UsageError(`${at} has no list of params`)
    if (!Array.isArray(announced)) throw new UsageError(`${at} has no list of errors`)
    const item = isJsonObject(subscription) ? subscription['item'] : undefined
    const signature = { params: object === undefined ? listed : [object], result: item ?? method['result'] }
    const { params, result } = this.#signature(signature, at)
    const errors = new Map(announced.map((each, i) => this.#error(each, `error ${i + 1} of ${at}`)))
    const signatures = listOf(method['x-xmlrpc-signatures']).flatMap((each) => [stringsOf(each) ?? []])
    const hasRest = params.some(({ rest }) => rest)
    const properties = documentedProperties(method, hasRest)
    return {
      name,
      params,
      result: result?.type,
      overloads: Array.isArray(overloads)
        ? overloads.map((each, i) => this.#overload(each, `overload ${i + 1} of ${at}`))
        : undefined,
      ...properties,
      xml: method['x-xmlrpc-signatures'] !== undefined && properties.protocols.includes('xml-rpc'),
      security: readSecurity(method['x-security'], this.#schemes),
      errors: [...errors.keys()],
      signatures,
      deprecated: method['deprecated'] === true,
      docs: textsBySubject(method, params, result, errors),
    }
  }

  #signature({ params, result }: JsonObject, at: string) {
    return {
      params: listOf(params).map((each, i) => this.#descriptor(each, `param ${i + 1} of ${at}`, this.#params)),
      result: result === undefined ? undefined : this.#descriptor(result, `the result of ${at}`, this.#results),
    }
  }

  /** A document does not have the result of an overload: it is one of the results of the method. */
  #overload(value: unknown, at: string): Signature {
    if (!isJsonObject(value) || !Array.isArray(value['params'])) throw new UsageError(`${at} is not a signature`)
    return { params: this.#signature(value, at).params, result: undefined }
  }

  #descriptor(value: unknown, at: string, schemas: SchemaReader): Descriptor {
    const found = this.#references.follow(value).value
    if (!isJsonObject(found)) throw new UsageError(`${at} is not a content descriptor`)
    const { name = 'result', schema, required, summary, description, 'x-rest': rest } = found
    if (typeof name !== 'string') throw new UsageError(`${at} has no name`)
    if (typeof schema !== 'boolean' && !isJsonObject(schema)) throw new UsageError(`${at} has no schema`)
    const own = isJsonObject(schema) ? schema['description'] : undefined
    const doc = textIn([summary, description, own])
    // Many methods may have a long name.
    const subject = `param ${name.slice(0, 100)}`
    return { name, optional: required !== true, rest: rest === true, type: schemas.type(schema), subject, doc }
  }

  #error(value: unknown, at: string): readonly [number, string] {
    const found = this.#references.follow(value).value
    if (!isJsonObject(found) || typeof found['code'] !== 'number') throw new UsageError(`${at} has no code`)
    return [found['code'], textIn([found['message']])]
  }
}

function textsBySubject(
  method: JsonObject,
  params: readonly Descriptor[],
  result: Descriptor | undefined,
  errors: ReadonlyMap<number, string>,
): Map<string, string> {
  const tags = listOf(method['tags']).flatMap((tag) => (isJsonObject(tag) ? textIn([tag['name']]) : []))
  return new Map([
    ['the description', textIn([method['description'], method['summary']])],
    ['the tags', tags.join(', ')],
    ['the version that introduced it', textIn([method['x-since']])],
    ...params.map(({ subject, doc }): [string, string] => [subject, doc]),
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
