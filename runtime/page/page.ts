import { html, raw } from 'hono/html'
import type { DescribedProcedure, NamedType, TypesByName } from '../description/description.js'
import { type AuthScheme, schemesIn } from '../description/security.js'
import { protocolTable } from '../protocols.js'
import { type DocsSource, dataOf } from './data.js'
import { commonHtml, type Html, idOf, joinHtml, linkTo, nameHtml, ownId } from './html.js'
import { procedureHtml, type Showing, socketMarkup, urlMarkup } from './procedure-html.js'
import { prose } from './prose.js'
import { definitionHtml, typeId } from './type-html.js'
import { escapeControls } from './type-text.js'

/** The page after `<head>`; `urlMarkup` and `socketMarkup` are the placeholders for addresses. */
export function bodyHtml(source: DocsSource): string {
  const { description, info, protocols } = source
  const groups = groupsOf(description.procedures)
  const types: TypesByName = new Map(description.types.map((each) => [each.name, each]))
  const showing: Showing = { types, protocols, webSocket: source.webSocket !== undefined }
  const body = html`<body>
<a class="skip" href="#${ownId('main')}">Skip to the procedures</a>
<header><p class="title"><a href="#${ownId('main')}">${info.title}</a> <span class="version">${info.version}</span></p>
<div class="tools"><button type="button" class="menu" popovertarget="${ownId('index')}">Index</button><button type="button" class="theme scripted">Theme: auto</button></div></header>
${navHtml(groups, description.types)}
<main id="${ownId('main')}" tabindex="-1">
${intro(source)}
<p id="${ownId('none')}" hidden></p>
${joinHtml(groups.map((each) => groupHtml(each, showing)))}
${typesHtml(description.types, types)}
${commonHtml(protocols)}
</main>
<div class="unseen" role="status" id="${ownId('said')}"></div>
<script type="application/json" id="${ownId('data')}">${raw(dataOf(source))}</script>
</body>
</html>
`
  return body.toString()
}

function intro({ info, description, protocols, openrpc, webSocket }: DocsSource): Html {
  const spoken = protocols.map((each) => protocolTable[each].fullTitle).join(' and ')
  const { procedures } = description
  return html`<div class="intro"><h1>${info.title}</h1>${
    info.description ? html`<div class="prose">${prose(info.description)}</div>` : ''
  }<dl class="facts"><div><dt>Endpoint</dt><dd><code>POST <span class="url">${urlMarkup}</span></code></dd></div><div><dt>Protocols</dt><dd>${spoken}</dd></div>${
    webSocket !== undefined && procedures.some(({ subscription }) => subscription)
      ? html`<div><dt>WebSocket</dt><dd><code class="socket">${socketMarkup}</code></dd></div>`
      : ''
  }<div><dt>Procedures</dt><dd>${procedures.length}</dd></div>${
    openrpc === undefined ? '' : html`<div><dt>Description</dt><dd><a href="${openrpc}">OpenRPC document</a></dd></div>`
  }</dl>${authorize(procedures)}</div>`
}

/** A form for the credentials of each scheme, whose headers the script of the page sends with every call. */
function authorize(procedures: readonly DescribedProcedure[]): Html {
  const schemes = [...schemesIn(procedures)]
  if (schemes.length === 0) return html``
  return html`<details class="expand authorize scripted"><summary>Authorize</summary><p class="hint">Sent with every call from this page, and never stored.</p>${joinHtml(
    schemes.map(([name, scheme]) => credentials(name, scheme)),
  )}</details>`
}

function credentials(name: string, scheme: AuthScheme): Html {
  const { scheme: kind, description } = scheme
  const text = description === undefined ? '' : html`<div class="prose">${prose(description)}</div>`
  if (kind === 'cookie') {
    return html`<div><p class="label">${name}</p>${text}<p class="hint">The browser sends the cookie <code>${scheme.cookie}</code>.</p></div>`
  }
  const [header, prefix] = kind === 'apiKey' ? [scheme.header, ''] : ['Authorization', `${titles[kind]} `]
  const fields = kind === 'basic' ? ['Name', 'Password'] : [kind === 'apiKey' ? header : 'Token']
  const inputs = fields.map(
    (label) =>
      html`<label>${label} <input class="mono" type="${label === 'Name' ? 'text' : 'password'}" autocomplete="off" spellcheck="false"></label>`,
  )
  return html`<form data-header="${header}" data-prefix="${prefix}"><fieldset><legend>${name}</legend>${text}${joinHtml(inputs)}</fieldset></form>`
}

const titles = { basic: 'Basic', bearer: 'Bearer' } as const

function groupHtml({ name, procedures }: Group, showing: Showing): Html {
  const id = ownId(`group.${name}`)
  return html`<section class="group" aria-labelledby="${id}"><h2 id="${id}"><bdi>${groupTitle(name)}</bdi></h2>${joinHtml(
    procedures.map((each) => procedureHtml(each, showing)),
  )}</section>`
}

function typesHtml(all: readonly NamedType[], types: TypesByName): Html {
  if (all.length === 0) return html``
  const sections = all.map(
    (each) =>
      html`<section class="typedef" id="${typeId(each.name)}"><h3><code>${nameHtml(each.name)}</code></h3>${definitionHtml(each, types)}</section>`,
  )
  return html`<section class="group types" aria-labelledby="${ownId('types')}"><h2 id="${ownId('types')}">Types</h2>${joinHtml(sections)}</section>`
}

/** Procedures with the same part before the last dot of their names; `''` for names without one. */
export interface Group {
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
function groupTitle(name: string): string {
  return name === '' ? 'Procedures' : name
}

/** The index: a search field, and every procedure and type. */
function navHtml(groups: readonly Group[], types: readonly NamedType[]): Html {
  const named = types.filter(({ anonymous }) => !anonymous)
  const typeItems = named.map(({ name }) => item(typeId(name), html`<bdi>${escapeControls(name)}</bdi>`))
  return html`
<nav id="${ownId('index')}" aria-label="Procedures and types" popover>
<search class="scripted"><label for="${ownId('search')}" class="unseen">Search</label><input id="${ownId('search')}" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-describedby="${ownId('count')}"><kbd aria-hidden="true">/</kbd><p id="${ownId('count')}" role="status"></p></search>
${joinHtml(groups.map(groupItems))}
${typeItems.length > 0 ? html`<section><h2><a href="${linkTo(ownId('types'))}">Types</a></h2><ul>${joinHtml(typeItems)}</ul></section>` : ''}
</nav>`
}

function groupItems({ name, procedures }: Group): Html {
  const items = procedures.map((each) => item(idOf(each.name), nameHtml(each.name), each))
  const title = html`<a href="${linkTo(ownId(`group.${name}`))}">${groupTitle(name)}</a>`
  return html`<section><h2>${title}</h2><ul>${joinHtml(items)}</ul></section>`
}

function item(
  id: string,
  text: Html,
  { deprecated, deprecation }: Pick<DescribedProcedure, 'deprecated' | 'deprecation'> = {},
): Html {
  const title = deprecation === undefined ? '' : html` title="${escapeControls(deprecation)}"`
  return html`<li><a href="${linkTo(id)}"${deprecated ? html` class="old"${title}` : ''}>${text}</a>${
    deprecated ? html`<span class="unseen"> (deprecated)</span>` : ''
  }</li>`
}
