import { html, raw } from 'hono/html'
import type { NamedType, TypesByName } from '../schema/description.js'
import { socketMarkup, urlMarkup } from './code-html.js'
import { commonHtml } from './common-html.js'
import { dataOf } from './data.js'
import { type Html, joinHtml, nameHtml, ownId } from './html.js'
import { type Group, groupsOf, groupTitle, navHtml } from './nav-html.js'
import { procedureHtml, type Showing } from './procedure-html.js'
import { prose } from './prose.js'
import type { DocsSource } from './source.js'
import { definitionHtml, typeId } from './type-html.js'

/** The page after `<head>`; `urlMarkup` and `socketMarkup` are the placeholders for addresses. */
export function bodyHtml(source: DocsSource): string {
  const { description, info, protocols } = source
  const groups = groupsOf(description.procedures)
  const types: TypesByName = new Map(description.types.map((each) => [each.name, each]))
  const showing: Showing = { types, protocols }
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

function intro({ info, description, protocols, openrpc }: DocsSource): Html {
  const spoken = protocols.map((each) => (each === 'json-rpc' ? 'JSON-RPC 2.0' : 'XML-RPC')).join(' and ')
  const { procedures } = description
  return html`<div class="intro"><h1>${info.title}</h1>${
    info.description ? html`<div class="prose">${prose(info.description)}</div>` : ''
  }<dl class="facts"><div><dt>Endpoint</dt><dd><code>POST <span class="url">${urlMarkup}</span></code></dd></div><div><dt>Protocols</dt><dd>${spoken}</dd></div>${
    procedures.some(({ subscription }) => subscription)
      ? html`<div><dt>WebSocket</dt><dd><code class="socket">${socketMarkup}</code></dd></div>`
      : ''
  }<div><dt>Procedures</dt><dd>${procedures.length}</dd></div>${
    openrpc === undefined ? '' : html`<div><dt>Description</dt><dd><a href="${openrpc}">OpenRPC document</a></dd></div>`
  }</dl></div>`
}

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
