import { samplesOf } from '../code/index.js'
import { type CallData, protocolTitles } from '../data.js'
import { copyButton, createChoice, make } from './dom.js'
import { addressOf, type Page } from './page.js'

/** The code of a procedure, in the language and protocol of the reader. */
export interface Code {
  /** Shows a call with other values. */
  show(params: readonly unknown[], headers: Readonly<Record<string, string>>): void
}

/** A choice in one place applies everywhere. */
const followers: ((language: string, protocol: string) => void)[] = []

/** Replaces the code that the page was served with. */
export function createCode(place: Element, call: CallData, page: Page): Code {
  const webSocket = page.socket !== undefined
  const surroundings = { url: addressOf(call, page), types: page.byName, protocols: page.protocols, webSocket }
  let samples = samplesOf(call, call.sample, surroundings)
  const languages = new Set(samples.map((each) => each.language))
  const language = createChoice(
    'Language',
    [...languages].map((each) => [each, each]),
  )
  const protocol = createChoice(
    'Protocol',
    [...new Set(samples.map((each) => each.protocol))].map((each) => [each, protocolTitles[each]]),
  )
  const text = make('code')
  const pre = make('pre', { tabindex: '0', role: 'group' }, text)
  const copy = copyButton('the code', () => text.textContent)
  const choices = make('div', { class: 'choices' }, language.element, protocol.element, copy)
  choices.addEventListener('change', () => {
    const at = choices.getBoundingClientRect().top
    for (const follow of followers) follow(language.value(), protocol.value())
    // Code above may be longer or shorter now.
    scrollBy({ top: choices.getBoundingClientRect().top - at, behavior: 'instant' })
  })
  followers.push((...chosen) => {
    language.select(chosen[0])
    protocol.select(chosen[1])
    write()
  })
  write()
  place.replaceChildren(choices, pre)
  return {
    show(params, headers) {
      samples = samplesOf(call, params, { ...surroundings, headers })
      write()
    },
  }

  function write(): void {
    const shown = samples.find((each) => each.language === language.value() && each.protocol === protocol.value())
    if (!shown) return
    const { code } = shown
    if (text.textContent !== code) text.textContent = code
    pre.setAttribute('aria-label', `${shown.language}, ${protocolTitles[shown.protocol]}`)
  }
}
