import { html } from 'hono/html'
import { referencedNames } from '../description/described-types.js'
import {
  type DescribedType,
  docText,
  type NamedType,
  type NameRef,
  type TypesByName,
} from '../description/description.js'
import { type Constraints, describeConstraints } from '../values/constraints.js'
import type { EnumConstant, MemberOf, ValueNotes } from '../values/types.js'
import { emptyHtml, type Html, idOf, joinHtml, linkTo, nameHtml, ownId } from './html.js'
import { prose } from './prose.js'
import { escapeControls, piecesOf } from './type-text.js'

/** A type as TypeScript writes it; names link to their declarations. */
export function typeHtml(type: DescribedType): Html {
  const pieces = piecesOf(type).map(({ text, ref }) =>
    ref ? html`<a href="${linkTo(typeId(text))}">${escapeControls(text)}</a>` : html`${escapeControls(text)}`,
  )
  return html`<code class="type"><bdi>${joinHtml(pieces)}</bdi></code>`
}

/** The address of a type's declaration. */
export function typeId(name: string): string {
  return ownId(`type.${name}`)
}

/** One thing of a list: a parameter, a member. */
export interface Item {
  readonly name: string
  readonly type: DescribedType
  readonly note?: string
  readonly doc?: string | undefined
}

/** Names with their types and docs. `expand`: the types that they name can be unfolded in place. */
export function itemList(items: readonly Item[], types: TypesByName, expand = false): Html {
  const rows = items.map(
    ({ name, type, note, doc }) =>
      html`<div><dt><code>${nameHtml(name)}</code> ${typeHtml(type)}${
        note ? html` <span class="note">${note}</span>` : ''
      }</dt><dd>${constraintsHtml(type, types)}${proseHtml(doc)}${expand ? expansionsOf(type, types) : ''}</dd></div>`,
  )
  return html`<dl class="items">${joinHtml(rows)}</dl>`
}

/** The constraints of a type, in words. */
function constraintsHtml(type: DescribedType, types: TypesByName): Html {
  const named = type.kind === 'ref' ? types.get(type.name)?.type.constraints : undefined
  const all: Constraints = { ...named, ...type.constraints }
  return Object.keys(all).length === 0 ? emptyHtml : html`<p class="limit">${describeConstraints(all)}</p>`
}

/** The types that a type names, each to be unfolded: the script copies its declaration from the list of types. */
export function expansionsOf(type: DescribedType, types: TypesByName): Html {
  const names = [...new Set(referencedNames(type))].filter((name) => types.has(name))
  return joinHtml(
    names.map(
      (name) =>
        html`<details class="expand scripted" data-of="${idOf(name)}"><summary>${escapeControls(name)}</summary></details>`,
    ),
  )
}

/** The declaration of a named type. */
export function definitionHtml(named: NamedType, types: TypesByName): Html {
  const { type, constants } = named
  const body = constants ? constantsHtml(constants) : bodyHtml(type, types)
  return html`${proseHtml(docText(named))}${body}`
}

/** The names of the values of an enum. */
function constantsHtml(constants: readonly EnumConstant[]): Html {
  const rows = constants.map(
    (each) =>
      html`<div><dt><code>${nameHtml(each.name)}</code> ${typeHtml({ kind: 'literal', value: each.value })}</dt><dd>${proseHtml(docText(each))}</dd></div>`,
  )
  return html`<p>One of:</p><dl class="items">${joinHtml(rows)}</dl>`
}

function proseHtml(text: string | undefined): Html {
  return text ? html`<div class="prose">${prose(text)}</div>` : emptyHtml
}

/** The words for a parameter or a member that may be omitted: `optional`, `optional, default 20`. */
export function omissionOf({ default: value }: ValueNotes, omitted: string | undefined): { readonly note?: string } {
  const words = [...(omitted ? [omitted] : []), ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`])]
  return words.length > 0 ? { note: words.join(', ') } : {}
}

function bodyHtml(type: DescribedType, types: TypesByName): Html {
  if (type.kind === 'struct') return itemList(membersOf(type), types)
  if (type.kind !== 'union') return html`<p>${typeHtml(type)}</p>${constraintsHtml(type, types)}`
  const tag = type.discriminant
  const branches = type.branches.map((each) => html`<li>${typeHtml(each)}</li>`)
  return html`<p>One of${tag === undefined ? '' : html`, distinguished by <code>${tag}</code>`}:</p><ul class="branches">${joinHtml(branches)}</ul>`
}

function membersOf({ members, indexes = [] }: Extract<DescribedType, { kind: 'struct' }>): Item[] {
  const items = members.map((member: MemberOf<NameRef>) => ({
    name: member.name,
    type: member.type,
    doc: docText(member),
    ...omissionOf(member, member.optional ? 'optional' : undefined),
  }))
  return [...items, ...indexes.map(({ type, keys }) => ({ name: `[${keys?.text ?? 'any other name'}]`, type }))]
}
