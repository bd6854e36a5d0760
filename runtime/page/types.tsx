import type { Child } from 'hono/jsx'
import { referencedNames } from '../description/described-types.js'
import {
  type DescribedType,
  docText,
  type NamedType,
  type NameRef,
  type TypesByName,
} from '../description/description.js'
import { escapeControls, piecesOf } from '../description/type-text.js'
import { type Constraints, describeConstraints } from '../values/constraints.js'
import type { MemberOf, ValueNotes } from '../values/types.js'
import { idOf, linkTo, typeId } from './data.js'
import { code, prose } from './prose.js'

/** A name that may break after its dots, isolated from the text direction around it. */
export function nameHtml(name: string) {
  const [first, ...more] = escapeControls(name).split(/(?<=[.])/)
  return <bdi>{[first, ...more.flatMap((each) => [<wbr />, each])]}</bdi>
}

/** The same as code. */
export function nameCode(name: string) {
  return code(nameHtml(name))
}

/** A type as TypeScript writes it; names link to their declarations. */
export function typeHtml(type: DescribedType) {
  const pieces = piecesOf(type).map(({ text, ref }) =>
    ref ? <a href={linkTo(typeId(text))}>{escapeControls(text)}</a> : escapeControls(text),
  )
  return (
    <code class="type">
      <bdi>{pieces}</bdi>
    </code>
  )
}

/** A doc comment; nothing without one. */
export function docHtml(text: string | undefined, className = 'prose') {
  return text && <div class={className}>{prose(text)}</div>
}

/** A term of a list and its text. */
export function row(term: Child, text: Child) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{text}</dd>
    </div>
  )
}

/** One thing of a list: a parameter, a member. */
export interface Item {
  readonly name: string
  readonly type: DescribedType
  readonly note?: string | undefined
  readonly doc?: string | undefined
}

/** Names with their types and docs. `expand`: the types that they name can be unfolded in place. */
export function itemList(items: readonly Item[], types: TypesByName, expand = false) {
  const rows = items.map(({ name, type, note, doc }) =>
    row(
      [nameCode(name), ' ', typeHtml(type), note && [' ', <span class="note">{note}</span>]],
      [limits(type, types), docHtml(doc), expand && expansionsOf(type, types)],
    ),
  )
  return <dl class="items">{rows}</dl>
}

/** The constraints of a type, in words. */
function limits(type: DescribedType, types: TypesByName) {
  const named = type.kind === 'ref' ? types.get(type.name)?.type.constraints : undefined
  const all: Constraints = { ...named, ...type.constraints }
  return Object.keys(all).length > 0 && <p class="limit">{describeConstraints(all)}</p>
}

/** The types that a type names, each to be unfolded: the script copies its declaration from the list of types. */
export function expansionsOf(type: DescribedType, types: TypesByName) {
  const names = [...new Set(referencedNames(type))].filter((name) => types.has(name))
  return names.map((name) => (
    <details class="expand scripted" data-of={idOf(name)}>
      <summary>{escapeControls(name)}</summary>
    </details>
  ))
}

/** The declaration of a named type: its docs, and the names of the values of an enum or the type itself. */
export function definitionHtml(named: NamedType, types: TypesByName): Child[] {
  const { type, constants } = named
  const items = constants?.map((each): Item => {
    return { name: each.name, type: { kind: 'literal', value: each.value }, doc: docText(each) }
  })
  return [docHtml(docText(named)), items ? [<p>One of:</p>, itemList(items, types)] : bodyOf(type, types)]
}

function bodyOf(type: DescribedType, types: TypesByName): Child {
  if (type.kind === 'struct') return itemList(membersOf(type), types)
  if (type.kind !== 'union') return [<p>{typeHtml(type)}</p>, limits(type, types)]
  const tag = type.discriminant
  const by = tag !== undefined && [', distinguished by ', code(tag)]
  return [<p>One of{by}:</p>, branchList(type.branches.map(typeHtml))]
}

/** Alternatives, one below the other. */
export function branchList(branches: readonly Child[]) {
  const items = branches.map((each) => <li>{each}</li>)
  return <ul class="branches">{items}</ul>
}

function membersOf({ members, indexes = [] }: Extract<DescribedType, { kind: 'struct' }>): Item[] {
  const items = members.map((member: MemberOf<NameRef>) => ({
    name: member.name,
    type: member.type,
    doc: docText(member),
    note: noteOf(member, member.optional ? 'optional' : undefined),
  }))
  return [...items, ...indexes.map(({ type, keys }) => ({ name: `[${keys?.text ?? 'any other name'}]`, type }))]
}

/** The words for a parameter or a member that may be omitted: `optional`, `optional, default 20`. */
export function noteOf({ default: value }: ValueNotes, omitted: string | undefined): string {
  const words = [omitted, value === undefined ? undefined : `default ${JSON.stringify(value)}`]
  return words.filter((each) => each !== undefined).join(', ')
}
