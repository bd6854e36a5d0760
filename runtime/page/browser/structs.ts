import { branchOf, isJsonObject, resolveType } from '../../description/described-types.js'
import type { DescribedType } from '../../description/description.js'
import { sampleOf } from '../sample.js'
import { textOf } from '../type-text.js'
import { button, make } from './dom.js'
import { type Field, type FieldContext, grouped, type OfKind } from './field.js'
import { entriesOf, optionalField } from './lists.js'
import { choiceField } from './scalars.js'

/** An object: its members, and further ones if the type allows them. */
export function structField(type: OfKind<'struct'>, context: FieldContext): Field {
  const members = type.members.map(({ name, type: each, optional, doc }) => {
    const inner = { ...context, label: name, doc, extras: [] }
    return { name, field: optional ? optionalField(each, inner) : context.make(each, inner) }
  })
  const [index, ...more] = type.indexes ?? []
  const value =
    more.length > 0
      ? ({ kind: 'union', branches: [index, ...more].flatMap((each) => each?.type ?? []) } as const)
      : index?.type
  const others =
    value && entriesOf(value, { ...context, label: members.length === 0 ? context.label : 'other members' })
  const named = new Set(type.members.map(({ name }) => name))
  const elements = members.map(({ field }) => field.element)
  return {
    element: grouped(type, context, ...elements, ...(others ? [others.element] : [])),
    read() {
      const own = members.map(({ name, field }): [string, unknown] => [name, field.read()])
      const more = others ? Object.entries(others.read() as object) : []
      return Object.fromEntries([...own.filter(([, value]) => value !== undefined), ...more])
    },
    write(value) {
      if (!isJsonObject(value)) return
      for (const { name, field } of members) field.write(Object.hasOwn(value, name) ? value[name] : undefined)
      others?.write(Object.fromEntries(Object.entries(value).filter(([name]) => !named.has(name))))
    },
  }
}

/** One of several types; if all are values, one of several values. */
export function unionField(type: OfKind<'union'>, context: FieldContext): Field {
  const flat = flatten(type, context)
  const plain = flat.branches.map((each) => resolveType(each, context.types))
  const values = plain.flatMap((each) => (each.kind === 'literal' ? [each.value] : each.kind === 'null' ? [null] : []))
  const named = context.types.get(context.inside.at(-1) ?? '')
  if (values.length === plain.length) return choiceField(type, context, values, named?.constants)
  return branchField(flat, context)
}

/** A union in a union is the choice of one of all. */
function flatten(type: OfKind<'union'>, context: FieldContext): OfKind<'union'> {
  let { discriminant } = type
  const branches = type.branches.flatMap((each) => {
    const plain = resolveType(each, context.types)
    if (plain.kind !== 'union') return [each]
    const inner = flatten(plain, context)
    discriminant ??= inner.discriminant
    return inner.branches
  })
  return discriminant === undefined ? { kind: 'union', branches } : { kind: 'union', branches, discriminant }
}

function branchField(type: OfKind<'union'>, context: FieldContext): Field {
  const fields = new Map<number, Field>()
  const options = type.branches.map((each) => make('option', {}, branchLabel(each, type.discriminant, context)))
  const by = type.discriminant === undefined ? '' : `, by ${type.discriminant}`
  const choice = make('select', { 'aria-label': `Type of ${context.label}${by}` }, ...options)
  const slot = make('div', { class: 'branch' })
  choice.selectedIndex = Math.max(0, branchOf(sampleOf(type, context.types), type, context.types))
  choice.addEventListener('change', () => void show())
  show()
  return {
    element: grouped(type, context, choice, slot),
    read: () => show().read(),
    write(value) {
      const at = branchOf(value, type, context.types)
      if (value === undefined || at < 0) return
      choice.selectedIndex = at
      show().write(value)
    },
  }

  function show(): Field {
    const at = choice.selectedIndex
    const field = fields.get(at) ?? filled(type.branches[at] as DescribedType)
    fields.set(at, field)
    if (slot.firstChild !== field.element) slot.replaceChildren(field.element)
    return field
  }

  function filled(branch: DescribedType): Field {
    const field = context.make(branch, { ...context, doc: undefined, extras: [] })
    field.write(sampleOf(branch, context.types))
    return field
  }
}

/** The label of a branch: the value of the discriminant, before the type. */
function branchLabel(branch: DescribedType, discriminant: string | undefined, { types }: FieldContext): string {
  const plain = resolveType(branch, types)
  const tag = plain.kind === 'struct' && plain.members.find(({ name }) => name === discriminant)
  return tag ? `${textOf(tag.type)}: ${textOf(branch)}`.slice(0, 80) : textOf(branch).slice(0, 80)
}

/** The field of a recursive type, created on demand. */
export function laterField(type: DescribedType, context: FieldContext): Field {
  let field: Field | undefined
  const open = () => {
    field ??= context.make(type, { ...context, inside: [] })
    element.replaceChildren(field.element)
    return field
  }
  const add = button(`Add ${textOf(type)}`, () => {
    open().element.querySelector<HTMLElement>('input, textarea, select')?.focus()
    element.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const element = make(
    'div',
    { class: 'later' },
    make('span', { class: 'head' }, context.label, ...(context.extras ?? [])),
    add,
  )
  return {
    element,
    read: () => field?.read(),
    write(value) {
      if (value !== undefined) open().write(value)
    },
  }
}
