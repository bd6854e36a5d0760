import { freshId, make } from './dom.js'

/** One of several options, as radio buttons that look like a row of tabs. Hidden if there is nothing to choose. */
export interface Choice {
  readonly element: HTMLElement
  value(): string
  /** Selects an option, if there is such an option. */
  select(value: string): void
}

/** Makes it; the first option is selected. */
export function createChoice(legend: string, options: readonly (readonly [value: string, text: string])[]): Choice {
  const name = freshId()
  const inputs = options.map(([value], index) => make('input', { type: 'radio', name, value, checked: index === 0 }))
  const labels = inputs.map((input, index) => make('label', {}, input, make('span', {}, options[index]?.[1] ?? '')))
  const hidden = options.length < 2
  return {
    element: make('fieldset', { class: 'choice', hidden }, make('legend', { class: 'unseen' }, legend), ...labels),
    value: () => inputs.find(({ checked }) => checked)?.value ?? '',
    select(value) {
      for (const each of inputs) if (each.value === value) each.checked = true
    },
  }
}
