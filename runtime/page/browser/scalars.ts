// The field of a value without parts: a label, the control, and how the value is read from its text.
import type { DescribedType, TypesByName } from '../../description/description.js'
import { textOf } from '../../description/type-text.js'
import { parseDate } from '../../jsonrpc/scalars.js'
import { encodeBase64 } from '../../values/bytes.js'
import { describeConstraints } from '../../values/constraints.js'
import type { EnumConstant } from '../../values/types.js'
import { patternOf } from '../sample.js'
import { type Attributes, freshId, make, parseJson } from './dom.js'

/** The form elements for one value. */
export interface Field {
  readonly element: HTMLElement
  /** The value in JSON form, valid or not; undefined if it is omitted. */
  read(): unknown
  /** Shows a value. Inner values that it cannot show are left unchanged. */
  write(value: unknown): void
}

/** Where a field is. */
export interface FieldContext {
  /** The text of its label. */
  readonly label: string
  readonly types: TypesByName
  /** Elements beside the label: the buttons and boxes of the containing field. */
  readonly extras?: readonly Node[]
  readonly doc?: string | undefined
  /** The name of the type at its use. */
  readonly shown?: string
  /** The named types that it is in. */
  readonly inside: readonly string[]
}

/** A type of one kind. */
export type OfKind<Kind extends DescribedType['kind']> = Extract<DescribedType, { kind: Kind }>

/** The text below a label: the type and its constraints. */
export function hintOf(type: DescribedType, { doc, shown }: FieldContext): string {
  const limits = type.constraints && describeConstraints(type.constraints)
  return [shown || textOf(type), limits, doc?.split('\n\n')[0]].filter(Boolean).join(' · ')
}

/** A control with its label above it and its type beside that. */
function labelled(type: DescribedType, context: FieldContext, control: HTMLElement, unit?: Node): HTMLElement {
  const { label, extras = [] } = context
  const id = freshId()
  control.id = id
  control.setAttribute('aria-describedby', `${id}.hint`)
  const hint = make('span', { class: 'hint', id: `${id}.hint` }, hintOf(type, context))
  const head = make('div', { class: 'head' }, make('label', { for: id }, label), hint, ...extras)
  return make('div', { class: 'field' }, head, control, unit)
}

/** Several fields with a heading. */
export function grouped(
  type: DescribedType,
  context: FieldContext,
  ...children: readonly (Node | undefined)[]
): HTMLFieldSetElement {
  const { label, extras = [] } = context
  const hint = make('span', { class: 'hint' }, hintOf(type, context))
  const head = make('div', { class: 'head' }, hint, ...extras)
  const body = make('div', { class: 'body' }, ...children)
  return make('fieldset', { class: 'field' }, make('legend', {}, label), head, body)
}

/**
 * A field that is one control with a text in it. A text that does not match `pattern` is marked: the attribute `pattern` has other
 * flags than the server, and a textarea does not have it.
 */
function textField(
  type: DescribedType,
  context: FieldContext,
  parse: (text: string) => unknown,
  { tag = 'input', format = plainText, ...attributes }: TextOptions = {},
  pattern?: RegExp,
): Field {
  const check = () => control.setCustomValidity(pattern?.test(control.value) === false ? 'does not match' : '')
  const control = make(tag, { autocomplete: 'off', spellcheck: 'false', input: check, ...attributes })
  check()
  return {
    element: labelled(type, context, control),
    read: () => parse(control.value),
    write(value) {
      if (value === undefined) return
      control.value = format(value)
      check()
    },
  }
}

type TextOptions = Attributes & {
  readonly tag?: 'input' | 'textarea'
  readonly format?: (value: unknown) => string
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Any number; other text is sent as text, for the server to reject. */
export function numberField(type: DescribedType, context: FieldContext): Field {
  const pattern = type.kind === 'int' ? '-?\\d+' : '-?\\d+(\\.\\d+)?([eE][\\-+]?\\d+)?'
  return textField(type, context, parseNumber, { inputmode: type.kind === 'int' ? 'numeric' : 'decimal', pattern })
}

function parseNumber(text: string): unknown {
  const value = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : text
}

/** Integers of any size are sent as text. */
export function bigintField(type: OfKind<'bigint'>, context: FieldContext): Field {
  const field = textField(type, context, (text) => text, { inputmode: 'numeric', pattern: '-?\\d+' })
  if (type.value !== undefined) field.write(type.value)
  return field
}

/** One line for types with short values, else as many lines as needed. */
export function stringField(type: DescribedType, context: FieldContext): Field {
  const { format, maxLength, minLength, pattern } = type.constraints ?? {}
  const source = type.kind === 'template' ? type.pattern : pattern
  // No maxlength: a reader may want to see how the server handles longer text.
  const minlength = minLength === undefined ? undefined : String(minLength)
  const short = format !== undefined || type.kind !== 'string' || (maxLength ?? 1000) <= 80
  const tag = short ? 'input' : 'textarea'
  const attributes = { tag, rows: short ? undefined : '1', minlength, ...inputs[format ?? ''] } as const
  return textField(type, context, (text) => text, attributes, source === undefined ? undefined : patternOf(source))
}

const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  email: { inputmode: 'email' },
  uri: { inputmode: 'url' },
  url: { inputmode: 'url' },
  password: { type: 'password' },
}

/** A day and a time, in UTC whatever the reader's zone. */
export function dateField(type: DescribedType, context: FieldContext): Field {
  const control = make('input', { type: 'datetime-local', step: '1' })
  const zone = make('span', { class: 'unit' }, 'UTC')
  return {
    element: labelled(type, context, control, zone),
    read: () => (control.value === '' ? '' : `${control.value.length < 17 ? `${control.value}:00` : control.value}Z`),
    write(value) {
      const date = typeof value === 'string' ? parseDate(value) : undefined
      if (!date) return
      const text = date.toISOString()
      control.step = text.endsWith('.000Z') ? '1' : '0.001'
      control.value = text.replace(/(\.000)?Z$/, '')
    },
  }
}

/** Base64 as text, or a file of any kind. */
export function bytesField(type: DescribedType, context: FieldContext): Field {
  const text = make('textarea', { class: 'mono', rows: '1', spellcheck: 'false', placeholder: 'base64' })
  const file = make('input', { type: 'file', 'aria-label': `File for ${context.label}` })
  file.addEventListener('change', async () => {
    const chosen = file.files?.[0]
    if (!chosen) return
    text.value = encodeBase64(new Uint8Array(await chosen.arrayBuffer()))
    text.dispatchEvent(new Event('input', { bubbles: true }))
  })
  return {
    element: labelled(type, context, text, file),
    read: () => text.value,
    write(value) {
      if (typeof value === 'string') text.value = value
    },
  }
}

/** One of a few values; `constants` are the names of some of them. */
export function choiceField(
  type: DescribedType,
  context: FieldContext,
  values: readonly unknown[],
  constants: readonly EnumConstant[] = [],
): Field {
  const options = values.map((each) => {
    const text = typeof each === 'string' ? each : JSON.stringify(each)
    const name = constants.find(({ value }) => value === each)?.name ?? text
    return make('option', {}, name === text ? text : `${name} = ${text}`)
  })
  const control = make('select', {}, ...options)
  return {
    element: labelled(type, context, control),
    read: () => values[control.selectedIndex],
    write(value) {
      const at = values.indexOf(value)
      if (at >= 0) control.selectedIndex = at
    },
  }
}

/** The one value that a type has. */
export function fixedField({ label, extras = [] }: FieldContext, value: unknown): Field {
  const text = value === undefined ? 'left out' : JSON.stringify(value)
  const name = make('span', { class: 'label' }, label)
  const head = make('div', { class: 'head' }, name, make('code', {}, text), ...extras)
  return { element: make('div', { class: 'field' }, head), read: () => value, write: () => undefined }
}

/** Anything, as JSON. */
export function anyField(type: DescribedType, context: FieldContext): Field {
  const read = (text: string) => {
    const value = parseJson(text)
    return value === undefined ? text : value
  }
  return textField(type, context, read, {
    tag: 'textarea',
    rows: '1',
    class: 'mono',
    placeholder: 'JSON',
    format: (value) => JSON.stringify(value, undefined, 2),
  })
}
