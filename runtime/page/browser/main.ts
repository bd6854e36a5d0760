// The script of the page: the theme, the code of each procedure in the language of the reader, and what the other modules start.
import { samplesOf } from '../code/index.js'
import { type CallData, idOf, protocolTitles } from '../data.js'
import { addressOf, copyButton, correctUrls, createChoice, make, type Page, readPage } from './dom.js'
import { startCredentials } from './headers.js'
import { createPanel, type ShowCode } from './panel.js'
import { startExpansions, startLinks, startSearch } from './search.js'

const themes = ['auto', 'light', 'dark'] as const
const key = 'rpc-docs-theme'
let theme: string = themes.find((each) => each === stored()) ?? 'auto'

// Before anything is shown, so that nothing changes its looks while it is read.
document.documentElement.classList.add('js')
applyTheme()
document.addEventListener('DOMContentLoaded', start)

function start(): void {
  const page = readPage()
  startTheme()
  correctUrls(page)
  startSearch()
  startCalls(page)
  startCredentials()
  startExpansions()
  startLinks()
}

/** The code of each procedure, and its form, which is made when it is first opened. */
function startCalls(page: Page): void {
  for (const call of page.procedures) {
    const article = document.getElementById(idOf(call.name))
    const shown = article?.querySelector('.code')
    const details = article?.querySelector<HTMLDetailsElement>('.try')
    // A procedure that no protocol of the server serves has neither.
    if (!shown || !details) continue
    const showCode = createCode(shown, call, page)
    details.addEventListener('toggle', () => {
      if (details.children.length === 1) details.append(createPanel(call, page, showCode))
    })
  }
}

/** A choice in one place applies everywhere. */
const followers: ((language: string, protocol: string) => void)[] = []

/** Replaces the code that the page was served with. Returns what shows a call with other values. */
function createCode(element: Element, call: CallData, page: Page): ShowCode {
  const webSocket = page.socket !== undefined
  const context = { url: addressOf(call, page), types: page.byName, protocols: page.protocols, webSocket }
  let samples = samplesOf(call, call.sample, context)
  const language = createChoice('Language', [...new Set(samples.map((each) => each.language))])
  const protocol = createChoice('Protocol', [...new Set(samples.map((each) => each.protocol))], protocolTitles)
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
  element.replaceChildren(choices, pre)
  return (params, headers) => {
    samples = samplesOf(call, params, { ...context, headers })
    write()
  }

  function write(): void {
    const shown = samples.find((each) => each.language === language.value() && each.protocol === protocol.value())
    if (!shown) return
    const { code } = shown
    if (text.textContent !== code) text.textContent = code
    pre.setAttribute('aria-label', `${shown.language}, ${protocolTitles[shown.protocol]}`)
  }
}

/** Shows the page in the theme that was chosen before. */
function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme
}

/** A button that cycles through the themes. The choice is stored if the browser allows it. */
function startTheme(): void {
  const toggle = document.querySelector<HTMLButtonElement>('.theme')
  const show = () => {
    if (toggle) toggle.textContent = `Theme: ${theme}`
  }
  show()
  toggle?.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme as 'auto') + 1) % themes.length] as string
    store(theme)
    applyTheme()
    show()
  })
}

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // It then lasts as long as the page.
  }
}
