import { idOf } from '../data.js'
import { createCode } from './code.js'
import { startCredentials } from './form.js'
import { startExpansions, startLinks } from './links.js'
import { correctUrls, type Page, readPage } from './page.js'
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
  startCalls(page)
  startCredentials()
  startExpansions()
  startLinks()
}

/** The code of each procedure, and its form, which is made when it is first opened. */
function startCalls(page: Page): void {
  for (const call of page.procedures) {
    const article = document.getElementById(idOf(call.name))
    const place = article?.querySelector('.code')
    const details = article?.querySelector<HTMLDetailsElement>('.try')
    // A procedure that no protocol of the server serves has neither.
    if (!place || !details) continue
    const code = createCode(place, call, page)
    details.addEventListener('toggle', () => {
      if (details.children.length === 1) details.append(createPanel(call, page, code))
    })
  }
}
