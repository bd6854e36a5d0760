import type { DescribedType, TypesByName } from '../../description/description.js'
import { describeConstraints } from '../../values/constraints.js'
import { textOf } from '../type-text.js'
import { type Attributes, freshId, make } from './dom.js'

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
  /** Makes a field of a type: fields do not know each other. */
  readonly make: MakeField
}

/** Makes a field of any type. */
type MakeField = (type: DescribedType, context: FieldContext) => Field

/** A type of one kind. */
export type OfKind<Kind extends DescribedType['kind']> = Extract<DescribedType, { kind: Kind }>

/** The text below a label: the type and its constraints. */
export function hintOf(type: DescribedType, { doc, shown }: FieldContext): string {
  const limits = type.constraints && describeConstraints(type.constraints)
  return [shown || textOf(type), limits, doc?.split('\n\n')[0]].filter(Boolean).join(' · ')
}

/** A control with its label above it and its type beside that. */
export function labelled<Control extends HTMLElement>(
  type: DescribedType,
  context: FieldContext,
  control: Control,
  ...more: readonly Node[]
): HTMLElement {
  const { label, extras = [] } = context
  const id = freshId()
  control.id = id
  control.setAttribute('aria-describedby', `${id}.hint`)
  const hint = make('span', { class: 'hint', id: `${id}.hint` }, hintOf(type, context))
  const head = make('div', { class: 'head' }, make('label', { for: id }, label), hint, ...extras)
  return make('div', { class: 'field' }, head, control, ...more)
}

/** Several fields with a heading. */
export function grouped(type: DescribedType, context: FieldContext, ...children: readonly Node[]): HTMLFieldSetElement {
  const { label, extras = [] } = context
  const hint = make('span', { class: 'hint' }, hintOf(type, context))
  const legend = make('legend', {}, label)
  return make(
    'fieldset',
    { class: 'field' },
    legend,
    make('div', { class: 'head' }, hint, ...extras),
    make('div', { class: 'body' }, ...children),
  )
}

/**
 * A field that is one control with a text in it. A text that does not match `pattern` is marked: the attribute `pattern` has other
 * flags than the server, and a textarea does not have it.
 */
export function textField(
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
