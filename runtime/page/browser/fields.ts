// The field of any type. Those of types with parts are made of the fields of the parts: a list of rows, a struct of its members, a
// union of the branch that is chosen.
import { isJsonObject, type PlainType, resolveConstrained, resolveType } from '../../description/described-types.js'
import type { DescribedType } from '../../description/description.js'
import { branchOf } from '../../description/json-types.js'
import { textOf } from '../../description/type-text.js'
import { positional, sampleOf } from '../sample.js'
import { announce, button, freshId, make } from './dom.js'
import {
  anyField,
  bigintField,
  bytesField,
  choiceField,
  dateField,
  type Field,
  type FieldContext,
  fixedField,
  grouped,
  hintOf,
  numberField,
  type OfKind,
  stringField,
} from './scalars.js'

/** The field of a type. */
export function makeField(type: DescribedType, outer: FieldContext): Field {
  const context = { ...outer, shown: textOf(type) }
  if (type.kind === 'custom') return makeField(type.wire, outer)
  if (type.kind !== 'ref') return fieldOf(type, context)
  if (context.inside.includes(type.name)) return laterField(type, context)
  return fieldOf(resolveConstrained(type, context.types), { ...context, inside: [...context.inside, type.name] })
}

function fieldOf(type: PlainType, context: FieldContext): Field {
  const make: (type: never, context: FieldContext) => Field = fieldsByKind[type.kind]
  return make(type as never, context)
}

const fieldsByKind: { readonly [Kind in PlainType['kind']]: (type: OfKind<Kind>, context: FieldContext) => Field } = {
  int: numberField,
  double: numberField,
  number: numberField,
  bigint: bigintField,
  string: stringField,
  template: stringField,
  url: stringField,
  boolean: (type, context) => choiceField(type, context, [true, false]),
  date: dateField,
  bytes: bytesField,
  literal: ({ value }, context) => fixedField(context, value),
  null: (_, context) => fixedField(context, null),
  undefined: (_, context) => fixedField(context, undefined),
  void: (_, context) => fixedField(context, undefined),
  array: listField,
  set: listField,
  tuple: tupleField,
  struct: structField,
  map: mapField,
  union: unionField,
  any: anyField,
}

/** One row of a list. */
interface Row {
  readonly field: Field
  readonly name: HTMLInputElement | undefined
  readonly element: HTMLElement
}

/** Rows that can be added and removed. `named`: each has a name. */
function createRows(element: DescribedType, context: FieldContext, what: string, named = false) {
  const all: Row[] = []
  const list = make('div', { class: 'rows' })
  const more = button(`Add ${what}`, () => {
    const { element: row } = add()
    row.querySelector<HTMLElement>('input, textarea, select, button:not(.remove)')?.focus()
    changed()
  })

  function add(value?: unknown, name = ''): Row {
    const id = freshId()
    const label = `${context.label}[${all.length}]`
    const remove = button('Remove', () => drop(row), { class: 'remove', 'aria-label': `Remove ${label}` })
    const key = named
      ? make('input', { id, placeholder: 'name', 'aria-label': `Name of ${label}`, class: 'key' })
      : undefined
    if (key) key.value = name
    const field = makeField(element, { ...context, label, doc: undefined, extras: [remove] })
    if (value !== undefined) field.write(value)
    const row: Row = { field, name: key, element: make('div', { class: 'row' }, key, field.element) }
    all.push(row)
    list.append(row.element)
    return row
  }

  function drop(row: Row): void {
    const left = all.filter((each) => each !== row).map(({ field, name }) => [field.read(), name?.value] as const)
    clear()
    // Created again, because their labels contain their numbers.
    for (const [value, name] of left) add(value, name)
    more.focus()
    announce(`Removed. ${all.length} left`)
    changed()
  }

  function changed(): void {
    list.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const clear = () => {
    for (const { element: each } of all.splice(0)) each.remove()
  }
  return { element: make('div', { class: 'list' }, list, more), all, add, clear }
}

/** A list of any length. */
export function listField(type: OfKind<'array' | 'set'>, context: FieldContext): Field {
  const rows = createRows(type.element, context, 'one')
  for (let count = type.constraints?.minItems ?? 0; count > 0; count--) rows.add()
  return {
    element: grouped(type, context, rows.element),
    read: () => rows.all.map(({ field }) => field.read() ?? null),
    write(value) {
      if (!Array.isArray(value)) return
      rows.clear()
      for (const each of value) rows.add(each)
    },
  }
}

/** Names with values. */
function mapField(type: OfKind<'map'>, context: FieldContext): Field {
  const entries = entriesOf(type.value, context)
  return { ...entries, element: grouped(type, context, entries.element) }
}

/** The same as a part of a struct. */
function entriesOf(value: DescribedType, context: FieldContext): Field {
  const rows = createRows(value, context, 'entry', true)
  return {
    element: rows.element,
    read: () => Object.fromEntries(rows.all.map(({ field, name }) => [name?.value ?? '', field.read() ?? null])),
    write(given) {
      if (!isJsonObject(given)) return
      rows.clear()
      for (const [name, each] of Object.entries(given)) rows.add(each, name)
    },
  }
}

/** A tuple: elements with separate types, optional ones without gaps, then any number of others. */
function tupleField(type: OfKind<'tuple'>, context: FieldContext): Field {
  const { elements, required, rest } = type
  const fields = elements.map((each, index) => {
    const inner = { ...context, label: `${context.label}[${index}]`, doc: undefined, extras: [] }
    return index < required ? makeField(each, inner) : optionalField(each, inner)
  })
  const rows = rest && createRows(rest, { ...context, label: `${context.label} more` }, 'one')
  for (let count = (type.constraints?.minItems ?? 0) - elements.length; count > 0; count--) rows?.add()
  return {
    element: grouped(type, context, ...fields.map((each) => each.element), rows?.element),
    read() {
      const values = fields.map((each) => each.read())
      const more = rows?.all.map(({ field }) => field.read() ?? null) ?? []
      return positional([...values, ...more])
    },
    write(value) {
      if (!Array.isArray(value)) return
      for (const [index, each] of fields.entries()) each.write(value[index])
      rows?.clear()
      for (const each of value.slice(elements.length)) rows?.add(each)
    },
  }
}

/** A box that includes it; the field itself is made when it is first needed, so that recursion ends. */
export function optionalField(type: DescribedType, context: FieldContext): Field {
  let field: Field | undefined
  const id = freshId()
  const box = make('input', { type: 'checkbox', id })
  const include = make('span', { class: 'unseen' }, 'Include ')
  const label = make('label', { for: id, class: 'include' }, box, include, context.label)
  const hint = make('span', { class: 'hint' }, hintOf(type, { ...context, shown: textOf(type) }))
  const element = make('div', { class: 'optional' }, make('div', { class: 'head' }, label, hint))
  const show = (): Field => {
    field ??= makeField(type, context)
    if (box.checked) element.append(field.element)
    else field.element.remove()
    return field
  }
  box.addEventListener('change', show)
  return {
    element,
    read: () => (box.checked ? show().read() : undefined),
    write(value) {
      box.checked = value !== undefined
      if (box.checked || field) show().write(value)
    },
  }
}

/** An object: its members, and further ones if the type allows them. */
function structField(type: OfKind<'struct'>, context: FieldContext): Field {
  const members = type.members.map(({ name, type: each, optional, doc }) => {
    const inner = { ...context, label: name, doc, extras: [] }
    return { name, field: optional ? optionalField(each, inner) : makeField(each, inner) }
  })
  const [first, ...more] = (type.indexes ?? []).map((each) => each.type)
  const value = first && more.length > 0 ? ({ kind: 'union', branches: [first, ...more] } as const) : first
  const label = members.length === 0 ? context.label : 'other members'
  const others = value && entriesOf(value, { ...context, label })
  const named = new Set(type.members.map(({ name }) => name))
  const elements = members.map(({ field }) => field.element)
  return {
    element: grouped(type, context, ...elements, others?.element),
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
function unionField(type: OfKind<'union'>, context: FieldContext): Field {
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
    const field = makeField(branch, { ...context, doc: undefined, extras: [] })
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
function laterField(type: DescribedType, context: FieldContext): Field {
  let field: Field | undefined
  const open = () => {
    field ??= makeField(type, { ...context, inside: [] })
    element.replaceChildren(field.element)
    return field
  }
  const add = button(`Add ${textOf(type)}`, () => {
    open().element.querySelector<HTMLElement>('input, textarea, select')?.focus()
    element.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const head = make('span', { class: 'head' }, context.label, ...(context.extras ?? []))
  const element = make('div', { class: 'later' }, head, add)
  return {
    element,
    read: () => field?.read(),
    write(value) {
      if (value !== undefined) open().write(value)
    },
  }
}
