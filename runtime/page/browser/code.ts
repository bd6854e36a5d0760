import type { Sample } from '../code/index.js'
import { copyButton } from './copy.js'

/** Code follows the choices of the reader: a choice in one place applies everywhere. */
export function startCode(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.code')) return
    const alike = `.code input[type=radio][value="${CSS.escape(target.value)}"]`
    const at = target.getBoundingClientRect().top
    for (const each of document.querySelectorAll<HTMLInputElement>(alike)) each.checked = true
    // Code above may be longer or shorter now.
    scrollBy({ top: target.getBoundingClientRect().top - at, behavior: 'instant' })
  })
  for (const code of document.querySelectorAll('.code')) {
    code.append(copyButton('the code', () => shownCode(code)))
  }
}

function shownCode(code: Element): string {
  const panes = [...code.querySelectorAll('pre')]
  return panes.find((each) => each.checkVisibility())?.textContent ?? ''
}

/** Replaces the code that the page was served with. */
export function showCode(article: Element, samples: readonly Sample[]): void {
  for (const { language, protocol, code } of samples) {
    const pane = article.querySelector(`.code pre.${language.toLowerCase()}.${protocol} code`)
    if (pane && pane.textContent !== code) pane.textContent = code
  }
}
