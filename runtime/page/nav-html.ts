import { html } from 'hono/html'
import type { DescribedProcedure, NamedType } from '../schema/description.js'
import { type Html, joinHtml, linkTo, nameHtml, ownId } from './html.js'
import { idOf } from './id.js'
import { typeId } from './type-html.js'
import { escapeControls } from './type-text.js'

/** Procedures with the same part before the last dot of their names; `''` for names without one. */
export interface Group {
  readonly name: string
  readonly procedures: readonly DescribedProcedure[]
}

/** Groups in the order in which they first appear. */
export function groupsOf(procedures: readonly DescribedProcedure[]): readonly Group[] {
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
export function groupTitle(name: string): string {
  return name === '' ? 'Procedures' : name
}

/** The index: a search field, and every procedure and type. */
export function navHtml(groups: readonly Group[], types: readonly NamedType[]): Html {
  const named = types.filter(({ anonymous }) => !anonymous)
  const typeItems = named.map(({ name }) => item(typeId(name), html`<bdi>${name}</bdi>`))
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
