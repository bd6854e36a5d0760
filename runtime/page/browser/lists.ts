import { isJsonObject } from '../../description/described-types.js'
import type { DescribedType } from '../../description/description.js'
import { textOf } from '../type-text.js'
import { announce, button, freshId, make } from './dom.js'
import { type Field, type FieldContext, grouped, hintOf, type OfKind } from './field.js'
import { positional } from './request.js'

/** One row of a list. */
interface Row {
  readonly field: Field
  readonly name?: HTMLInputElement
  readonly element: HTMLElement
}

/** Rows that can be added and removed. `named`: each has a name. */
interface Rows {
  readonly element: HTMLElement
  readonly all: readonly Row[]
  add(value?: unknown, name?: string): Row
  clear(): void
}

function createRows(element: DescribedType, context: FieldContext, what: string, named = false): Rows {
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
    const field = context.make(element, { ...context, label, doc: undefined, extras: [remove] })
    if (value !== undefined) field.write(value)
    const row: Row = {
      field,
      element: make('div', { class: 'row' }, ...(key ? [key] : []), field.element),
      ...(key ? { name: key } : {}),
    }
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
export function listField(type: DescribedType, element: DescribedType, context: FieldContext): Field {
  const rows = createRows(element, context, 'one')
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
export function mapField(type: OfKind<'map'>, context: FieldContext): Field {
  const entries = entriesOf(type.value, context)
  return { ...entries, element: grouped(type, context, entries.element) }
}

/** The same as a part of a struct. */
export function entriesOf(value: DescribedType, context: FieldContext): Field {
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
export function tupleField(type: OfKind<'tuple'>, context: FieldContext): Field {
  const { elements, required, rest } = type
  const fields = elements.map((each, index) => {
    const inner = { ...context, label: `${context.label}[${index}]`, doc: undefined, extras: [] }
    return index < required ? context.make(each, inner) : optionalField(each, inner)
  })
  const rows = rest && createRows(rest, { ...context, label: `${context.label} more` }, 'one')
  for (let count = (type.constraints?.minItems ?? 0) - elements.length; count > 0; count--) rows?.add()
  return {
    element: grouped(type, context, ...fields.map((each) => each.element), ...(rows ? [rows.element] : [])),
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
    field ??= context.make(type, context)
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
