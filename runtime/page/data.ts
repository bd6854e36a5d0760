import type { DescribedProcedure, Description, NamedType, TypesByName } from '../description/description.js'
import type { ProtocolName } from '../protocols.js'
import { sampleCall } from './sample.js'

/** The data for the script of the page. */
export interface PageData {
  readonly endpoint?: string | undefined
  readonly webSocket?: string | undefined
  readonly protocols: readonly ProtocolName[]
  readonly procedures: readonly CallData[]
  readonly types: readonly NamedType[]
}

/** The parameters of a form. */
export interface CallData
  extends Pick<DescribedProcedure, 'name' | 'params' | 'paramsObject' | 'protocols' | 'subscription' | 'examples'> {
  /** The arguments that the form begins with. */
  readonly sample: readonly unknown[]
}

/** JSON for a `<script>`: it cannot open or close an element or a comment. */
export function dataOf({ description, protocols, endpoint, webSocket }: DocsSource): string {
  const byName: TypesByName = new Map(description.types.map((each) => [each.name, each]))
  const procedures = description.procedures.map((procedure): CallData => {
    const { name, params, paramsObject, subscription, protocols: own, examples } = procedure
    const shown = examples?.filter((each) => each.params)
    return {
      name,
      params,
      ...(paramsObject && { paramsObject }),
      ...(subscription && { subscription }),
      ...(own ? { protocols: own } : {}),
      ...(shown?.length ? { examples: shown } : {}),
      sample: sampleCall(procedure, byName),
    }
  })
  const types = description.types.map(({ name, type, constants }) => ({ name, type, ...(constants && { constants }) }))
  const data: PageData = { endpoint, webSocket, protocols, procedures, types }
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

/** The input of the page. */
export interface DocsSource {
  readonly description: Description
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  /** The protocols of the server. */
  readonly protocols: readonly ProtocolName[]
  /** The endpoint, relative to the page. Default: the page's own address. */
  readonly endpoint: string | undefined
  /** The WebSocket for subscriptions, relative to the page. Default: none, they are streams over HTTP. */
  readonly webSocket?: string | undefined
  /** The address of the OpenRPC document, relative to the page. */
  readonly openrpc: string | undefined
}

/** The names of the protocols for people. */
export const protocolTitles: Readonly<Record<ProtocolName, string>> = {
  'json-rpc': 'JSON-RPC',
  'xml-rpc': 'XML-RPC',
}

// Ids of the page. A procedure has its name, and all others begin like names that no procedure can have.

/**
 * Returns the id of a name, another one for each name: white space is not allowed in an id, and the parser of HTML replaces control
 * characters and lone surrogates.
 */
export function idOf(name: string): string {
  return name
    .replace(/[\s%\p{Cc}]/gu, encodeURIComponent)
    .replace(/\p{Surrogate}/gu, (each) => `%u${each.charCodeAt(0).toString(16)}`)
}

/** An id of the page's own. */
export function ownId(name: string): string {
  return `rpc.docs.${idOf(name)}`
}

/** The id of a type's declaration. */
export function typeId(name: string): string {
  return ownId(`type.${name}`)
}

/** A link to an id of this page. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(id)}`
}
