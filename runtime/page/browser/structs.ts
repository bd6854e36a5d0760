import { branchOf, isJsonObject, resolveType } from '../../schema/described-types.js'
import type { DescribedType } from '../../schema/description.js'
import { sampleOf } from '../sample.js'
import { textOf } from '../type-text.js'
import { button, make } from './dom.js'
import type { Field, OfKind, Place } from './field.js'
import { grouped } from './layout.js'
import { entriesOf, optionalField } from './lists.js'
import { choiceField } from './scalars.js'

/** An object: its members, and further ones if the type allows them. */
export function structField(type: OfKind<'struct'>, place: Place): Field {
  const members = type.members.map(({ name, type: each, optional, doc }) => {
    const inner = { ...place, label: name, doc, extras: [] }
    return { name, field: optional ? optionalField(each, inner) : place.make(each, inner) }
  })
  const [index, ...more] = type.indexes ?? []
  const value =
    more.length > 0
      ? ({ kind: 'union', branches: [index, ...more].flatMap((each) => each?.type ?? []) } as const)
      : index?.type
  const others = value && entriesOf(value, { ...place, label: members.length === 0 ? place.label : 'other members' })
  const named = new Set(type.members.map(({ name }) => name))
  const elements = members.map(({ field }) => field.element)
  return {
    element: grouped(type, place, ...elements, ...(others ? [others.element] : [])),
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
export function unionField(type: OfKind<'union'>, place: Place): Field {
  const flat = flatten(type, place)
  const plain = flat.branches.map((each) => resolveType(each, place.types))
  const values = plain.flatMap((each) => (each.kind === 'literal' ? [each.value] : each.kind === 'null' ? [null] : []))
  const named = place.types.get(place.inside.at(-1) ?? '')
  if (values.length === plain.length) return choiceField(type, place, values, named?.constants)
  return branchField(flat, place)
}

/** A union in a union is the choice of one of all. */
function flatten(type: OfKind<'union'>, place: Place): OfKind<'union'> {
  let { discriminant } = type
  const branches = type.branches.flatMap((each) => {
    const plain = resolveType(each, place.types)
    if (plain.kind !== 'union') return [each]
    const inner = flatten(plain, place)
    discriminant ??= inner.discriminant
    return inner.branches
  })
  return discriminant === undefined ? { kind: 'union', branches } : { kind: 'union', branches, discriminant }
}

function branchField(type: OfKind<'union'>, place: Place): Field {
  const fields = new Map<number, Field>()
  const options = type.branches.map((each) => make('option', {}, branchLabel(each, type.discriminant, place)))
  const by = type.discriminant === undefined ? '' : `, by ${type.discriminant}`
  const choice = make('select', { 'aria-label': `Type of ${place.label}${by}` }, ...options)
  const slot = make('div', { class: 'branch' })
  choice.selectedIndex = Math.max(0, branchOf(sampleOf(type, place.types), type, place.types))
  choice.addEventListener('change', () => void show())
  show()
  return {
    element: grouped(type, place, choice, slot),
    read: () => show().read(),
    write(value) {
      const at = branchOf(value, type, place.types)
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
    const field = place.make(branch, { ...place, doc: undefined, extras: [] })
    field.write(sampleOf(branch, place.types))
    return field
  }
}

/** The label of a branch: the value of the discriminant, before the type. */
function branchLabel(branch: DescribedType, discriminant: string | undefined, { types }: Place): string {
  const plain = resolveType(branch, types)
  const tag = plain.kind === 'struct' && plain.members.find(({ name }) => name === discriminant)
  return tag ? `${textOf(tag.type)}: ${textOf(branch)}`.slice(0, 80) : textOf(branch).slice(0, 80)
}

/** A type inside of itself is made when somebody wants it. */
export function laterField(type: DescribedType, place: Place): Field {
  let field: Field | undefined
  const open = () => {
    field ??= place.make(type, { ...place, inside: [] })
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
    make('span', { class: 'head' }, place.label, ...(place.extras ?? [])),
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
