import { describeConstraints } from '../../schema/constraints.js'
import type { DescribedType } from '../../schema/description.js'
import { textOf } from '../type-text.js'
import { type Attributes, freshId, make } from './dom.js'
import type { Field, Place } from './field.js'

/** The text below a label: the type and its constraints. */
export function hintOf(type: DescribedType, { doc, shown }: Place): string {
  const limits = type.constraints && describeConstraints(type.constraints)
  return [shown || textOf(type), limits, doc?.split('\n\n')[0]].filter(Boolean).join(' · ')
}

/** A control with its label above it and its type beside that. */
export function labelled<Control extends HTMLElement>(
  type: DescribedType,
  place: Place,
  control: Control,
  ...more: readonly Node[]
): HTMLElement {
  const { label, extras = [] } = place
  const id = freshId()
  control.id = id
  control.setAttribute('aria-describedby', `${id}.hint`)
  const hint = make('span', { class: 'hint', id: `${id}.hint` }, hintOf(type, place))
  const head = make('div', { class: 'head' }, make('label', { for: id }, label), hint, ...extras)
  return make('div', { class: 'field' }, head, control, ...more)
}

/** Several fields with a heading. */
export function grouped(type: DescribedType, place: Place, ...children: readonly Node[]): HTMLFieldSetElement {
  const { label, extras = [] } = place
  const hint = make('span', { class: 'hint' }, hintOf(type, place))
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
  place: Place,
  parse: (text: string) => unknown,
  { tag = 'input', format = plainText, ...attributes }: TextOptions = {},
  pattern?: RegExp,
): Field {
  const check = () => control.setCustomValidity(pattern?.test(control.value) === false ? 'does not match' : '')
  const control = make(tag, { autocomplete: 'off', spellcheck: 'false', input: check, ...attributes })
  check()
  return {
    element: labelled(type, place, control),
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
