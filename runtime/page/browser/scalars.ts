import type { DescribedType } from '../../description/description.js'
import { encodeBase64 } from '../../values/bytes.js'
import type { EnumConstant } from '../../values/types.js'
import { patternOf } from '../sample.js'
import { make } from './dom.js'
import { type Field, type FieldContext, labelled, type OfKind, textField } from './field.js'

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
      const date = new Date(typeof value === 'string' ? value : Number.NaN)
      if (Number.isNaN(date.getTime())) return
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
  const element = make(
    'div',
    { class: 'field' },
    make('div', { class: 'head' }, name, make('code', {}, text), ...extras),
  )
  return { element, read: () => value, write: () => undefined }
}

/** Anything, as JSON. */
export function anyField(type: DescribedType, context: FieldContext): Field {
  return textField(type, context, parseJson, {
    tag: 'textarea',
    rows: '1',
    class: 'mono',
    placeholder: 'JSON',
    format: (value) => JSON.stringify(value, undefined, 2),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
