import { own } from './dom.js'

/** A search result, with the elements that are shown or hidden for it. */
interface Entry {
  readonly text: string
  readonly elements: readonly HTMLElement[]
}

/** Filters while the reader types; `/` focuses the field, Enter opens the nearest result, Escape shows everything again. */
export function startSearch(): void {
  const field = own<HTMLInputElement>('search')
  let entries: readonly Entry[] | undefined
  let frame = 0
  const apply = () => {
    entries ??= findEntries()
    filter(entries, field.value)
  }
  field.addEventListener('input', () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(apply)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') nearest(field.value)?.click()
    if (event.key !== 'Escape' || field.value === '') return
    event.preventDefault()
    field.value = ''
    apply()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    openIndex()
    field.focus()
    field.select()
  })
}

/** The first result by name, else the first result. */
function nearest(query: string): HTMLElement | undefined {
  const links = [...own('index').querySelectorAll<HTMLElement>('li:not([hidden]) > a')]
  return links.find((each) => each.textContent.toLowerCase().includes(query.trim().toLowerCase())) ?? links[0]
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=radio], [type=checkbox]), textarea, select')
}

/** On a small screen the index is a popover. */
function openIndex(): void {
  const index = own('index')
  if (getComputedStyle(index).display === 'none') index.showPopover()
}

function findEntries(): Entry[] {
  return [...own('index').querySelectorAll<HTMLAnchorElement>('li > a')].map((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    const texts = [link, ...(target ? descriptionsIn(target) : [])].map((each) => each.textContent)
    const elements = [link.parentElement, target].filter((each) => each !== null)
    return { text: texts.join('\n').toLowerCase(), elements }
  })
}

/** The docs of a procedure or a type itself; those of the types that a procedure names are theirs. */
function descriptionsIn(target: HTMLElement): readonly Element[] {
  if (target.matches('.typedef')) return [target]
  const elements = target.querySelectorAll('.about, .signature, .badges, .items dt, .items .prose, .errors dd')
  return [...elements].filter((each) => !each.closest('.expand'))
}

/** Only writes: layout must not be read while elements are added and removed. */
function filter(entries: readonly Entry[], query: string): void {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const { text, elements } of entries) {
    const found = words.every((word) => text.includes(word))
    if (found) count++
    for (const each of elements) each.hidden = !found
  }
  for (const each of document.querySelectorAll<HTMLElement>('nav section, .group')) {
    const entries = each.querySelectorAll('nav li, .procedure, .typedef')
    each.hidden = words.length > 0 && [...entries].every((entry) => entry instanceof HTMLElement && entry.hidden)
  }
  document.documentElement.classList.toggle('filtered', words.length > 0)
  own('count').textContent = words.length === 0 ? '' : `${count} of ${entries.length} found`
}
