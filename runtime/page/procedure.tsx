// One procedure of the page: `user.create(name: string): User` with its docs, badges such as `Deprecated` and `JSON-RPC only`, parameters,
// result, errors and examples, and the code of a call beside them.
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
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
import { escapeControls } from '../description/type-text.js'
import type { ProtocolName } from '../protocols.js'
import { type Sample, samplesOf } from './code/index.js'
import { idOf, linkTo, protocolTitles } from './data.js'
import { code, inline, prose } from './prose.js'
import { sampleCall } from './sample.js'
import { branchList, docHtml, expansionsOf, itemList, nameCode, nameHtml, noteOf, row, typeHtml } from './types.js'

/** The settings for showing procedures. */
export interface PageContext {
  readonly types: TypesByName
  readonly protocols: readonly ProtocolName[]
  /** True if subscriptions use a WebSocket. */
  readonly webSocket: boolean
}

/** One procedure. */
export function procedureHtml(procedure: DescribedProcedure, context: PageContext) {
  const { name, description, deprecated, subscription, throws, examples } = procedure
  const id = idOf(name)
  const url = subscription && context.webSocket ? socketMark : urlMark
  const [sample] = samplesOf(procedure, sampleCall(procedure, context.types), { ...context, url })
  return (
    <article class="procedure" id={id} aria-label={name}>
      <h3>
        <a href={linkTo(id)} class={deprecated ? 'old' : undefined}>
          {nameHtml(name)}
        </a>
      </h3>
      <div class="columns">
        <div>
          {badges(procedure, context)}
          <p class="signature">{signatures(procedure)}</p>
          {docHtml(description, 'prose about')}
          {parameters(procedure, context)}
          {returned(procedure, context)}
          {errors(throws, context)}
          {exampleList(examples)}
        </div>
        <div class="side">{sample && codeHtml(sample)}</div>
      </div>
      {sample && (
        <details class="try">
          <summary>
            {subscription ? 'Subscribe to' : 'Call'} {nameCode(name)}
          </summary>
        </details>
      )}
    </article>
  )
}

function badges(procedure: DescribedProcedure, context: PageContext) {
  const { deprecated, deprecation, since, paramsObject, subscription, idempotent, security } = procedure
  const protocols = context.protocols.filter((each) => isCallableBy(each, procedure))
  const only = protocols.length < context.protocols.length ? protocols : []
  const all = [
    deprecated && <li class="warn">Deprecated</li>,
    deprecated && deprecation && <li class="prose instead">{prose(deprecation)}</li>,
    security && security.length > 0 && callers(security),
    ...only.map((each) => <li>{protocolTitles[each]} only</li>),
    paramsObject && <li>One params object</li>,
    subscription && <li>Subscription{context.webSocket && ' over WebSocket'}</li>,
    since && <li>Since {since}</li>,
    idempotent && <li>Idempotent</li>,
  ]
  return all.some(Boolean) && <ul class="badges">{all}</ul>
}

/** The rules, and the schemes for the search. */
function callers(security: DescribedSecurity) {
  const schemes = security.flat().flatMap(({ scheme }) => (scheme ? [scheme.name, scheme.scheme] : []))
  const text = securityText(security).replace(/\.$/, '')
  return (
    <li class="callers" data-schemes={escapeControls(schemes.join(' '))}>
      {text}
    </li>
  )
}

function signatures(procedure: DescribedProcedure) {
  const { name, returns, subscription } = procedure
  const item = typeHtml(returns.type)
  const result = subscription ? ['AsyncIterable<', item, '>'] : item
  return parameterLists(procedure).map((params) => code([nameHtml(name), '(', params.map(parameter), '): ', result]))
}

function parameter({ name, type, optional, rest }: DescribedParam, index: number): Child[] {
  const label = rest ? `...${name}: ` : `${name}${optional ? '?' : ''}: `
  const all = typeHtml(rest ? { kind: 'array', element: type } : type)
  return [index > 0 && ', ', <span class="arg">{[label, all]}</span>]
}

function parameters({ params }: DescribedProcedure, { types }: PageContext) {
  const items = params.map((param) => ({
    name: param.name,
    type: param.type,
    doc: docText(param),
    note: noteOf(param, param.rest ? 'any number' : param.optional ? 'optional' : undefined),
  }))
  return items.length > 0 && [<h4>Parameters</h4>, itemList(items, types, true)]
}

function returned({ returns, signatures, subscription }: DescribedProcedure, { types, protocols }: PageContext) {
  const { type, doc } = returns
  const forms = signatures.map(([result, ...params]) => code(`${result}(${params.join(', ')})`))
  const xml = !subscription && protocols.includes('xml-rpc') && forms.length > 0 && (
    <details class="expand">
      <summary>XML-RPC signatures</summary>
      {branchList(forms)}
    </details>
  )
  const text = [docHtml(doc), expansionsOf(type, types), xml]
  return [<h4>{subscription ? 'Items' : 'Result'}</h4>, <dl class="items">{row(typeHtml(type), text)}</dl>]
}

function errors(throws: readonly DescribedError[] = [], { types }: PageContext) {
  const rows = throws.map(({ name, code: number, text, data }) => {
    const start = number !== undefined && [<code class="code-number">{number}</code>, ' ']
    const own = name && name !== String(number) && code(<bdi>{name}</bdi>)
    // The code is already before the text.
    const line = inline(text.startsWith(`${number} `) ? text.slice(`${number} `.length) : text)
    return row([start, own, data && [' ', typeHtml(data)]], [line, data && expansionsOf(data, types)])
  })
  return rows.length > 0 && [<h4>Errors</h4>, <dl class="items errors">{rows}</dl>]
}

function exampleList(all: readonly DescribedExample[] = []) {
  // The text after it, on the same line, may describe the result.
  const texts = all.map(({ text }) => text.replace(/[ \t]+(?=\/\/ ?=>)/, '\n'))
  const blocks = texts.map((text) => <pre class="example">{code(text)}</pre>)
  return all.length > 0 && [<h4>{all.length > 1 ? 'Examples' : 'Example'}</h4>, blocks]
}

/** Placeholders in code for the addresses of the endpoint and the WebSocket until a request determines them. */
const urlMark = '\ue000url'
const socketMark = '\ue000socket'

/** The same in HTML: markup, which no text has unescaped. */
export const urlMarkup = raw('<url>')
export const socketMarkup = raw('<socket>')

/** The first sample, for readers without JavaScript: the script writes that of the language and protocol that are chosen. */
function codeHtml({ language, protocol, code: text }: Sample) {
  const marked = `${code(text)}`.replaceAll(urlMark, `${urlMarkup}`).replaceAll(socketMark, `${socketMarkup}`)
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <pre tabindex={0} role="group" aria-label={`${language}, ${protocolTitles[protocol]}`}>
        {raw(marked)}
      </pre>
    </div>
  )
}
