// The page as HTML, made on the server: its header, the index, the procedures in groups (`user` for `user.create`), the types, and what every
// call has in common. Without JavaScript it can be read, but not searched, and no call can be made from it.
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { DescribedProcedure, NamedType, TypesByName } from '../description/description.js'
import { type AuthScheme, schemesIn } from '../description/security.js'
import { escapeControls } from '../description/type-text.js'
import { ErrorCode } from '../error.js'
import type { ProtocolName } from '../protocols.js'
import { type DocsSource, dataOf, idOf, linkTo, ownId, protocolTitles, typeId } from './data.js'
import { type PageContext, procedureHtml, socketMarkup, urlMarkup } from './procedure.js'
import { code } from './prose.js'
import { definitionHtml, docHtml, nameCode, nameHtml, row } from './types.js'

/** The page after `<head>`; `urlMarkup` and `socketMarkup` are the placeholders for addresses. */
export function bodyHtml(source: DocsSource): string {
  const { description, info, protocols } = source
  const groups = groupsOf(description.procedures)
  const types: TypesByName = new Map(description.types.map((each) => [each.name, each]))
  const context: PageContext = { types, protocols, webSocket: source.webSocket !== undefined }
  const main = `#${ownId('main')}`
  const body = (
    <body>
      <a class="skip" href={main}>
        Skip to the procedures
      </a>
      <header>
        <p class="title">
          <a href={main}>{info.title}</a> <span class="version">{info.version}</span>
        </p>
        <div class="tools">
          <button type="button" class="menu" popovertarget={ownId('index')}>
            Index
          </button>
          <button type="button" class="theme scripted">
            Theme: auto
          </button>
        </div>
      </header>
      {indexHtml(groups, description.types)}
      <main id={ownId('main')} tabindex={-1}>
        {intro(source)}
        <p id={ownId('none')} hidden></p>
        {groups.map((group) => groupHtml(group, context))}
        {typesHtml(description.types, types)}
        {commonHtml(protocols)}
      </main>
      <div class="unseen" role="status" id={ownId('said')}></div>
      <script type="application/json" id={ownId('data')}>
        {raw(dataOf(source))}
      </script>
    </body>
  )
  return `${body}\n</html>\n`
}

/** The names with the version, where there are several. */
const fullTitles: Readonly<Record<ProtocolName, string>> = { ...protocolTitles, 'json-rpc': 'JSON-RPC 2.0' }

function intro({ info, description, protocols, openrpc, webSocket }: DocsSource) {
  const { procedures } = description
  const spoken = protocols.map((each) => fullTitles[each]).join(' and ')
  const endpoint = (
    <code>
      POST <span class="url">{urlMarkup}</span>
    </code>
  )
  const hasSocket = webSocket !== undefined && procedures.some(({ subscription }) => subscription)
  return (
    <div class="intro">
      <h1>{info.title}</h1>
      {docHtml(info.description)}
      <dl class="facts">
        {row('Endpoint', endpoint)}
        {row('Protocols', spoken)}
        {hasSocket && row('WebSocket', <code class="socket">{socketMarkup}</code>)}
        {row('Procedures', procedures.length)}
        {openrpc !== undefined && row('Description', <a href={openrpc}>OpenRPC document</a>)}
      </dl>
      {authorize([...schemesIn(procedures)])}
    </div>
  )
}

/** A form for the credentials of each scheme, whose headers the script of the page sends with every call. */
function authorize(schemes: readonly (readonly [string, AuthScheme])[]) {
  return (
    schemes.length > 0 && (
      <details class="expand authorize scripted">
        <summary>Authorize</summary>
        <p class="hint">Sent with every call from this page, and never stored.</p>
        {schemes.map(([name, scheme]) => credentials(name, scheme))}
      </details>
    )
  )
}

function credentials(name: string, scheme: AuthScheme) {
  const { scheme: kind, description } = scheme
  if (kind === 'cookie') {
    return (
      <div>
        <p class="label">{name}</p>
        {docHtml(description)}
        <p class="hint">
          The browser sends the cookie <code>{scheme.cookie}</code>.
        </p>
      </div>
    )
  }
  const [header, prefix] = kind === 'apiKey' ? [scheme.header, ''] : ['Authorization', `${titles[kind]} `]
  const fields = kind === 'basic' ? ['Name', 'Password'] : [kind === 'apiKey' ? header : 'Token']
  const inputs = fields.map((label) => (
    <label>
      {label} <input class="mono" type={label === 'Name' ? 'text' : 'password'} autocomplete="off" spellcheck={false} />
    </label>
  ))
  return (
    <form data-header={header} data-prefix={prefix}>
      <fieldset>
        <legend>{name}</legend>
        {docHtml(description)}
        {inputs}
      </fieldset>
    </form>
  )
}

const titles = { basic: 'Basic', bearer: 'Bearer' } as const

/** A part of the page, with its heading. */
function section(name: string, title: Child, content: Child, className = 'group') {
  const id = ownId(name)
  return (
    <section class={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {content}
    </section>
  )
}

function groupHtml(group: Group, context: PageContext) {
  const procedures = group.procedures.map((each) => procedureHtml(each, context))
  return section(`group.${group.name}`, <bdi>{titleOf(group)}</bdi>, procedures)
}

function typesHtml(all: readonly NamedType[], types: TypesByName) {
  const content = all.map((each) => (
    <section class="typedef" id={typeId(each.name)}>
      <h3>{nameCode(each.name)}</h3>
      {definitionHtml(each, types)}
    </section>
  ))
  return all.length > 0 && section('types', 'Types', content, 'group types')
}

/** Procedures with the same part before the last dot of their names; `''` for names without one. */
interface Group {
  readonly name: string
  readonly procedures: readonly DescribedProcedure[]
}

/** Groups in the order in which they first appear. */
function groupsOf(procedures: readonly DescribedProcedure[]): readonly Group[] {
  const groups = new Map<string, DescribedProcedure[]>()
  for (const each of procedures) {
    const name = each.name.slice(0, Math.max(each.name.lastIndexOf('.'), 0))
    const known = groups.get(name)
    if (known) known.push(each)
    else groups.set(name, [each])
  }
  return [...groups].map(([name, members]) => ({ name, procedures: members }))
}

/** How a group is called on the page. */
function titleOf({ name }: Group): string {
  return name === '' ? 'Procedures' : name
}

/** The index: a search field, and every procedure and every type with a name. */
function indexHtml(groups: readonly Group[], types: readonly NamedType[]) {
  const search = ownId('search')
  const attributes = { placeholder: 'Search', autocomplete: 'off', spellcheck: false, 'aria-keyshortcuts': '/' }
  const named = types.filter(({ anonymous }) => !anonymous)
  const typeLinks = named.map(({ name }) => item(typeId(name), <bdi>{escapeControls(name)}</bdi>))
  return (
    <nav id={ownId('index')} aria-label="Procedures and types" popover="auto">
      <search class="scripted">
        <label for={search} class="unseen">
          Search
        </label>
        <input id={search} type="search" {...attributes} aria-describedby={ownId('count')} />
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it cannot be focused */}
        <kbd aria-hidden="true">/</kbd>
        <p id={ownId('count')} role="status"></p>
      </search>
      {groups.map((group) => links(`group.${group.name}`, titleOf(group), group.procedures.map(procedureItem)))}
      {named.length > 0 && links('types', 'Types', typeLinks)}
    </nav>
  )
}

function links(name: string, title: string, items: Child) {
  const link = <a href={linkTo(ownId(name))}>{title}</a>
  return (
    <section>
      <h2>{link}</h2>
      <ul>{items}</ul>
    </section>
  )
}

function item(id: string, text: Child, attributes = {}, note?: Child) {
  return (
    <li>
      <a href={linkTo(id)} {...attributes}>
        {text}
      </a>
      {note}
    </li>
  )
}

function procedureItem({ name, deprecated, deprecation }: DescribedProcedure) {
  if (!deprecated) return item(idOf(name), nameHtml(name))
  const title = deprecation === undefined ? undefined : escapeControls(deprecation)
  return item(idOf(name), nameHtml(name), { class: 'old', title }, <span class="unseen"> (deprecated)</span>)
}

/** What all procedures have in common: how values are sent, and the errors of any call. */
function commonHtml(protocols: readonly ProtocolName[]) {
  const rows = Object.entries(errors).map(([name, text]) => {
    return row(<code class="code-number">{ErrorCode[name as keyof typeof errors]}</code>, text)
  })
  const columns = (
    <div class="columns">
      <div>
        <h3>How values are sent</h3>
        {valuesTable(protocols)}
      </div>
      <div>
        <h3>Errors</h3>
        <dl class="items">{rows}</dl>
      </div>
    </div>
  )
  return section('common', 'Every call', columns, 'group common')
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

function valuesTable(protocols: readonly ProtocolName[]) {
  const json = protocols.includes('json-rpc')
  const xml = protocols.includes('xml-rpc')
  const rows = values.map(([type, inJson, inXml]) => (
    <tr>
      <th scope="row">{code(type)}</th>
      {json && <td>{inJson}</td>}
      {xml && <td>{inXml}</td>}
    </tr>
  ))
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Type</th>
          {json && <th scope="col">JSON-RPC</th>}
          {xml && <th scope="col">XML-RPC</th>}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  )
}

/** When a call has each error of a server. */
const errors: { readonly [Name in keyof typeof ErrorCode]: string } = {
  PARSE_ERROR: 'The request is not well-formed.',
  INVALID_REQUEST: 'The request is not a call.',
  METHOD_NOT_FOUND: 'The procedure does not exist.',
  INVALID_PARAMS: 'The parameters do not match the declared types; data lists the mismatches.',
  INTERNAL_ERROR: 'Something went wrong inside the server.',
  TIMEOUT: 'The call took longer than its time limit; the procedure may still run.',
  RESPONSE_TOO_LARGE: 'The response would be larger than the server sends; the procedure may have run.',
  AUTHENTICATION: 'The caller is not known: credentials are missing or wrong.',
  FORBIDDEN: 'The caller is not allowed to call this.',
  REQUEST_CANCELLED: 'The caller cancelled the call.',
}
