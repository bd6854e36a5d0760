import type { ContentDescriptor, OpenRpc, OpenRpcMethod, OpenRpcOverload } from '../../runtime/openrpc/openrpc.js'
import { isRest, markRests } from './rest.js'

/** One method of a document of any tool: one without a result is a notification. */
export type AnyMethod = Omit<OpenRpcMethod, 'result'> & { readonly result?: ContentDescriptor }

/** How params may be sent. */
export type ParamStructure = 'by-name' | 'by-position' | 'either'

/** A method as far as two versions of it are compared. */
export interface ApiMethod {
  readonly name: string
  readonly params: readonly ContentDescriptor[]
  readonly result: ContentDescriptor | undefined
  /** Undefined for one signature; else calls are of the first that takes them, and `params` and `result` what any of them has. */
  readonly overloads: readonly OpenRpcOverload[] | undefined
  /** By code. */
  readonly errors: ReadonlyMap<number, string>
  readonly structure: ParamStructure
  readonly protocols: readonly string[]
  /** Undefined where XML-RPC cannot call it, or where the document does not say. */
  readonly signatures: readonly (readonly string[])[] | undefined
  readonly idempotent: boolean
  readonly deprecated: boolean
  /** What people read, by what it is about: `description`, `param a`, `the result`. */
  readonly docs: ReadonlyMap<string, string>
}

/** An API as one file or one model describes it. */
export interface Api {
  /** What messages call it: the file. */
  readonly name: string
  /** What the references of its schemas start from. */
  readonly root: object
  /** Whether it has the words for people; a lock has none. */
  readonly documented: boolean
  /** Whether what XML-RPC alone may call can be missing: it is no part of an OpenRPC document. */
  readonly jsonOnly: boolean
  readonly methods: readonly ApiMethod[]
}

/** What a method speaks that does not say. */
export const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

/** A document that has what XML-RPC alone may call too. `name` is what messages call it. */
export function apiOf(
  document: Pick<OpenRpc, 'components'> & { readonly methods: readonly AnyMethod[] },
  name: string,
): Api {
  const methods = markRests(document.methods, isOurs, (schema) => schema.type === 'array')
  return { name, root: document, documented: true, jsonOnly: false, methods: methods.map(methodOf) }
}

/** Documents of ours say of every method who may call it, and have params by name for the sake of a rest parameter only. */
function isOurs(method: AnyMethod): boolean {
  const says = method['x-xmlrpc-signatures'] ?? method['x-protocols']
  return says !== undefined && method.paramStructure === 'by-name'
}

function methodOf(method: AnyMethod): ApiMethod {
  const { name, params, result, errors = [] } = method
  return {
    name,
    params,
    result,
    overloads: method['x-overloads'],
    errors: new Map(errors.map(({ code, message }) => [code, message])),
    structure: structureOf(method),
    protocols: method['x-protocols'] ?? allProtocols,
    signatures: method['x-xmlrpc-signatures'],
    idempotent: method['x-idempotent'] ?? false,
    deprecated: method.deprecated ?? false,
    docs: docsOf(method),
  }
}

/** A rest parameter is the reason why documents of ours say by name: calls by position go on to work. */
function structureOf({ paramStructure = 'either', params }: AnyMethod): ParamStructure {
  return paramStructure === 'by-name' && params.some(isRest) ? 'either' : paramStructure
}

function docsOf({
  summary,
  description,
  tags,
  params,
  result,
  errors = [],
  ...method
}: AnyMethod): Map<string, string> {
  return new Map([
    ['the description', description ?? summary ?? ''],
    ['the tags', (tags ?? []).map(({ name }) => name).join(', ')],
    ['since when it is there', method['x-since'] ?? ''],
    ...params.map((each): [string, string] => [`param ${each.name}`, wordsOf(each)]),
    ['the result', result ? wordsOf(result) : ''],
    ...errors.map(({ code, message }): [string, string] => [`error ${code}`, message]),
  ])
}

function wordsOf({ summary, schema }: ContentDescriptor): string {
  return summary ?? schema.description ?? ''
}
