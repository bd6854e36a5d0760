import { html, raw } from 'hono/html'
import type { ProtocolName } from '../protocols.js'
import { escapeControls } from './type-text.js'

/** Markup that is escaped already. */
export type Html = ReturnType<typeof html>

/** Nothing. */
export const emptyHtml: Html = raw('')

/** One after another. */
export function joinHtml(pieces: readonly Html[]): Html {
  return raw(pieces.join(''))
}

/** Ids of the page's own begin like names that no procedure can have. */
export function ownId(name: string): string {
  return `rpc.docs.${idOf(name)}`
}

/** A link to an id of this page. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(id)}`
}

/** A name that may break after its dots, isolated from the text direction around it. */
export function nameHtml(name: string): Html {
  const segments = escapeControls(name).split(/(?<=[.])/)
  return html`<bdi>${joinHtml(segments.map((each, index) => (index === 0 ? html`${each}` : html`<wbr>${each}`)))}</bdi>`
}

/** What all procedures have in common: how values are sent, and the errors of any call. */
export function commonHtml(protocols: readonly ProtocolName[]): Html {
  return html`<section class="group common" aria-labelledby="${ownId('common')}"><h2 id="${ownId('common')}">Every call</h2>
<div class="columns"><div><h3>How values are sent</h3>${valuesTable(protocols)}</div><div><h3>Errors</h3>${errorsList()}</div></div></section>`
}

const values: readonly (readonly [type: string, json: string, xml: string])[] = [
  ['Int', 'number', 'int'],
  ['Double, number', 'number', 'double, int'],
  ['bigint', 'decimal string', 'i8'],
  ['string', 'string', 'string'],
  ['boolean', 'true, false', 'boolean'],
  ['Date', 'ISO 8601 string', 'dateTime.iso8601, UTC'],
  ['Uint8Array, Buffer', 'base64 string', 'base64'],
  ['arrays, Set', 'array', 'array'],
  ['objects, Map', 'object', 'struct'],
  ['null, void', 'null', 'nil'],
]

function valuesTable(protocols: readonly ProtocolName[]): Html {
  const json = protocols.includes('json-rpc')
  const xml = protocols.includes('xml-rpc')
  const cell = (shown: boolean, text: string) => (shown ? html`<td>${text}</td>` : html``)
  const head = (shown: boolean, text: string) => (shown ? html`<th scope="col">${text}</th>` : html``)
  const rows = values.map(
    ([type, inJson, inXml]) =>
      html`<tr><th scope="row"><code>${type}</code></th>${cell(json, inJson)}${cell(xml, inXml)}</tr>`,
  )
  return html`<table><thead><tr><th scope="col">Type</th>${head(json, 'JSON-RPC')}${head(xml, 'XML-RPC')}</tr></thead><tbody>${joinHtml(rows)}</tbody></table>`
}

const errors: readonly (readonly [code: number, text: string])[] = [
  [-32700, 'The request is not well-formed.'],
  [-32600, 'The request is not a call.'],
  [-32601, 'The procedure does not exist.'],
  [-32602, 'The parameters do not match the declared types; data lists the mismatches.'],
  [-32603, 'Something went wrong inside the server.'],
  [-32098, 'The caller is not known: credentials are missing or wrong.'],
  [-32099, 'The caller is not allowed to call this.'],
]

function errorsList(): Html {
  const rows = errors.map(
    ([code, text]) => html`<div><dt><code class="code-number">${code}</code></dt><dd>${text}</dd></div>`,
  )
  return html`<dl class="items">${joinHtml(rows)}</dl>`
}

/**
 * Returns the id of a name, another one for each name: white space is not allowed in an id, and the parser of HTML replaces control
 * characters and lone surrogates.
 */
export function idOf(name: string): string {
  return name
    .replace(/[\s%\p{Cc}]/gu, encodeURIComponent)
    .replace(/\p{Surrogate}/gu, (each) => `%u${each.charCodeAt(0).toString(16)}`)
}
