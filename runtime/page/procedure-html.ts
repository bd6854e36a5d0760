import { html, raw } from 'hono/html'
import {
  type DescribedError,
  type DescribedExample,
  type DescribedParam,
  type DescribedProcedure,
  docText,
  isCallableBy,
  parameterLists,
  type TypesByName,
} from '../description/description.js'
import { type DescribedSecurity, securityText } from '../description/security.js'
import type { ProtocolName } from '../protocols.js'
import { type Sample, samplesOf } from './code/index.js'
import { protocolTitles } from './data.js'
import { emptyHtml, type Html, idOf, joinHtml, linkTo, nameHtml } from './html.js'
import { inline, prose } from './prose.js'
import { sampleCall } from './sample.js'
import { expansionsOf, itemList, omissionOf, typeHtml } from './type-html.js'
import { escapeControls } from './type-text.js'

/** The settings for showing procedures. */
export interface Showing {
  readonly types: TypesByName
  readonly protocols: readonly ProtocolName[]
  /** True if subscriptions use a WebSocket. */
  readonly webSocket: boolean
}

/** One procedure. */
export function procedureHtml(procedure: DescribedProcedure, showing: Showing): Html {
  const { name, description, deprecated, subscription } = procedure
  const id = idOf(name)
  const samples = codeOf(procedure, showing)
  return html`
<article class="procedure" id="${id}" aria-label="${name}">
<h3><a href="${linkTo(id)}"${deprecated ? html` class="old"` : ''}>${nameHtml(name)}</a></h3>
<div class="columns"><div>${badges(procedure, showing)}<p class="signature">${signature(procedure)}</p>${
    description ? html`<div class="prose about">${prose(description)}</div>` : ''
  }${parameters(procedure, showing)}${returned(procedure, showing)}${errors(procedure.throws, showing)}${examples(procedure.examples)}</div>
<div class="side">${codeHtml(samples)}</div></div>
${
  samples.length === 0
    ? ''
    : html`<details class="try"><summary>${subscription ? 'Subscribe to' : 'Call'} <code>${nameHtml(name)}</code></summary></details>`
}
</article>`
}

/** The protocols of a procedure, if they are shown. */
function protocolsOf(procedure: DescribedProcedure, showing: Showing): readonly ProtocolName[] {
  return showing.protocols.filter((each) => isCallableBy(each, procedure))
}

function codeOf(procedure: DescribedProcedure, { types, protocols, webSocket }: Showing) {
  const url = procedure.subscription && webSocket ? socketMark : urlMark
  return samplesOf(procedure, sampleCall(procedure, types), { url, types, protocols, webSocket })
}

function badges(procedure: DescribedProcedure, showing: Showing): Html {
  const { deprecated, deprecation, since, paramsObject, subscription, idempotent, security } = procedure
  const protocols = protocolsOf(procedure, showing)
  const all = [
    ...(deprecated ? [html`<li class="warn">Deprecated</li>`] : []),
    ...(deprecated && deprecation ? [html`<li class="prose instead">${prose(deprecation)}</li>`] : []),
    ...(security && security.length > 0 ? [callers(security)] : []),
    ...(protocols.length < showing.protocols.length
      ? protocols.map((each) => html`<li>${protocolTitles[each]} only</li>`)
      : []),
    ...(paramsObject ? [html`<li>One params object</li>`] : []),
    ...(subscription ? [html`<li>Subscription${showing.webSocket ? ' over WebSocket' : ''}</li>`] : []),
    ...(since ? [html`<li>Since ${since}</li>`] : []),
    ...(idempotent ? [html`<li>Idempotent</li>`] : []),
  ]
  return all.length === 0 ? emptyHtml : html`<ul class="badges">${joinHtml(all)}</ul>`
}

/** The rules, and the schemes for the search. */
function callers(security: DescribedSecurity): Html {
  const schemes = security.flat().flatMap(({ scheme }) => (scheme ? [scheme.name, scheme.scheme] : []))
  return html`<li class="callers" data-schemes="${escapeControls(schemes.join(' '))}">${securityText(security).replace(/\.$/, '')}</li>`
}

function signature(procedure: DescribedProcedure): Html {
  const { name, returns, subscription } = procedure
  const item = typeHtml(returns.type)
  const result = subscription ? html`AsyncIterable&lt;${item}&gt;` : item
  const lines = parameterLists(procedure).map(
    (params) => html`<code>${nameHtml(name)}(${joinHtml(params.map(parameter))}): ${result}</code>`,
  )
  return joinHtml(lines)
}

function parameter({ name, type, optional, rest }: DescribedParam, index: number): Html {
  const mark = rest ? '' : optional ? '?' : ''
  return html`${index > 0 ? ', ' : ''}<span class="arg">${rest ? '...' : ''}${name}${mark}: ${typeHtml(rest ? { kind: 'array', element: type } : type)}</span>`
}

function parameters({ params }: DescribedProcedure, { types }: Showing): Html {
  if (params.length === 0) return emptyHtml
  const items = params.map((param) => ({
    name: param.name,
    type: param.type,
    doc: docText(param),
    ...omissionOf(param, param.rest ? 'any number' : param.optional ? 'optional' : undefined),
  }))
  return html`<h4>Parameters</h4>${itemList(items, types, true)}`
}

function returned({ returns, signatures, subscription }: DescribedProcedure, { types, protocols }: Showing): Html {
  const { type, doc } = returns
  const forms = signatures.map(([result, ...params]) => html`<li><code>${result}(${params.join(', ')})</code></li>`)
  const xml =
    !subscription && protocols.includes('xml-rpc') && forms.length > 0
      ? html`<details class="expand"><summary>XML-RPC signatures</summary><ul class="branches">${joinHtml(forms)}</ul></details>`
      : ''
  return html`<h4>${subscription ? 'Items' : 'Result'}</h4><dl class="items"><div><dt>${typeHtml(type)}</dt><dd>${
    doc ? html`<div class="prose">${prose(doc)}</div>` : ''
  }${expansionsOf(type, types)}${xml}</dd></div></dl>`
}

function errors(throws: readonly DescribedError[] = [], { types }: Showing): Html {
  if (throws.length === 0) return emptyHtml
  const rows = throws.map(
    ({ name, code, text, data }) =>
      html`<div><dt>${code === undefined ? '' : html`<code class="code-number">${code}</code> `}${
        name && name !== String(code) ? html`<code><bdi>${name}</bdi></code>` : ''
      }${data ? html` ${typeHtml(data)}` : ''}</dt><dd>${inline(withoutCode(text, code))}${
        data ? expansionsOf(data, types) : ''
      }</dd></div>`,
  )
  return html`<h4>Errors</h4><dl class="items errors">${joinHtml(rows)}</dl>`
}

/** The code is already before the text. */
function withoutCode(text: string, code = Number.NaN): string {
  return text.startsWith(`${code} `) ? text.slice(`${code} `.length) : text
}

function examples(all: readonly DescribedExample[] = []): Html {
  if (all.length === 0) return emptyHtml
  // The text after it, on the same line, may describe the result.
  const blocks = all.map(
    ({ text }) => html`<pre class="example"><code>${text.replace(/[ \t]+(?=\/\/ ?=>)/, '\n')}</code></pre>`,
  )
  return html`<h4>${all.length > 1 ? 'Examples' : 'Example'}</h4>${joinHtml(blocks)}`
}

/** Placeholders in code for the addresses of the endpoint and the WebSocket until a request determines them. */
const urlMark = '\ue000url'
const socketMark = '\ue000socket'

/** The same in HTML: markup, which no text has unescaped. */
export const urlMarkup: Html = raw('<url>')
export const socketMarkup: Html = raw('<socket>')

/** The first sample, for readers without JavaScript: the script writes that of the language and protocol that are chosen. */
function codeHtml([sample]: readonly Sample[]): Html {
  if (!sample) return html``
  const { language, protocol, code } = sample
  return html`<div class="code"><pre tabindex="0" role="group" aria-label="${language}, ${protocolTitles[protocol]}"><code>${marked(code)}</code></pre></div>`
}

function marked(code: string): Html {
  return raw(`${html`${code}`}`.replaceAll(urlMark, `${urlMarkup}`).replaceAll(socketMark, `${socketMarkup}`))
}
