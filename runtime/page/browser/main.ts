import { startCode } from './code.js'
import { startLinks } from './links.js'
import { callsById, correctUrls, type Page, readPage } from './page.js'
import { createPanel } from './panel.js'
import { startSearch } from './search.js'
import { applyTheme, startTheme } from './theme.js'

// Before anything is shown, so that nothing changes its looks while it is read.
document.documentElement.classList.add('js')
applyTheme()
document.addEventListener('DOMContentLoaded', start)

function start(): void {
  const page = readPage()
  startTheme()
  correctUrls(page)
  startSearch()
  startCode()
  startPanels(page)
  startLinks()
}

/** The form of a procedure is made when it is first opened. */
function startPanels(page: Page): void {
  const calls = callsById(page)
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details.try')) {
    details.addEventListener('toggle', () => {
      const article = details.closest('article')
      const call = article && calls.get(article.id)
      if (call && details.children.length === 1) details.append(createPanel(call, page, article))
    })
  }
}
