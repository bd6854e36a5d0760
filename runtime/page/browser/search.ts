// How the reader finds things: the search field above the index, and links to procedures and types.
import { pluralize } from '../../values/constraints.js'
import { pageElement } from './dom.js'

/** A procedure or a type, with the elements that are shown or hidden for it. */
interface Entry {
  readonly kind: 'procedure' | 'type'
  readonly text: string
  readonly elements: readonly HTMLElement[]
}

/** Filters while the reader types; `/` focuses the field, Enter opens the best result, Escape shows everything again. */
export function startSearch(): void {
  const field = pageElement<HTMLInputElement>('search')
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
    if (event.key === 'Enter') bestResult(field.value)?.click()
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
function bestResult(query: string): HTMLElement | undefined {
  const links = [...pageElement('index').querySelectorAll<HTMLElement>('li:not([hidden]) > a')]
  return links.find((each) => each.textContent.toLowerCase().includes(query.trim().toLowerCase())) ?? links[0]
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=radio], [type=checkbox]), textarea, select')
}

/** On a small screen the index is a popover. */
function openIndex(): void {
  const index = pageElement('index')
  if (getComputedStyle(index).display === 'none') index.showPopover()
}

/** A type without a name is not in the index. */
function findEntries(): Entry[] {
  const links = linksById()
  return [...document.querySelectorAll<HTMLElement>('.procedure, .typedef')].map((target) => {
    const link = links.get(target.id)?.parentElement
    const text = descriptionsIn(target).map((each) => `${each.textContent} ${each.dataset['schemes'] ?? ''}`)
    return {
      kind: target.matches('.typedef') ? 'type' : 'procedure',
      text: text.join('\n').toLowerCase(),
      elements: link ? [link, target] : [target],
    }
  })
}

/**
 * The names, types and docs of a procedure or a type itself, and its auth; those of the types that a procedure names are theirs. Words of
 * the page, such as those of other badges, are not searched.
 */
function descriptionsIn(target: HTMLElement): readonly HTMLElement[] {
  const selector = 'h3, .about, .signature, .prose, .items dt code, .type, .errors dd, .callers'
  const elements = target.querySelectorAll<HTMLElement>(selector)
  return [...elements].filter((each) => !each.closest('.expand'))
}

/** Only writes: layout must not be read while elements are added and removed. */
function filter(entries: readonly Entry[], query: string): void {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter(({ text }) => words.every((word) => text.includes(word)))
  const shown = new Set(found)
  for (const entry of entries) for (const each of entry.elements) each.hidden = !shown.has(entry)
  for (const each of document.querySelectorAll<HTMLElement>('nav section, .group')) {
    const entries = each.querySelectorAll('nav li, .procedure, .typedef')
    each.hidden = words.length > 0 && [...entries].every((entry) => entry instanceof HTMLElement && entry.hidden)
  }
  document.documentElement.classList.toggle('filtered', words.length > 0)
  pageElement('count').textContent = words.length === 0 ? '' : countsOf(found)
  const none = pageElement('none')
  none.textContent = found.length > 0 ? '' : `Nothing contains “${query.trim()}”.`
  none.hidden = found.length > 0
}

/** `3 procedures, 1 type` */
function countsOf(entries: readonly Entry[]): string {
  if (entries.length === 0) return 'Nothing found'
  return (['procedure', 'type'] as const)
    .map((kind) => [kind, entries.filter((each) => each.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => pluralize(count, kind))
    .join(', ')
}

/** Opens, highlights and focuses the target of a link. */
export function startLinks(): void {
  addEventListener('hashchange', () => reveal())
  pageElement('index').addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) closeIndex()
  })
  // Not smoothly: a page that was just opened shows its target at once, however far down it is.
  reveal('instant')
  followReader()
}

/** The index marks the procedure that is being read. */
function followReader(): void {
  const links = linksById()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) links.get(target.id)?.setAttribute('aria-current', 'location')
        else links.get(target.id)?.removeAttribute('aria-current')
      }
    },
    { rootMargin: '-20% 0px -79%' },
  )
  for (const each of document.querySelectorAll('.procedure, .typedef')) observer.observe(each)
}

/** The links of the index, by the ids of their targets. */
function linksById(): ReadonlyMap<string, HTMLAnchorElement> {
  const links = [...pageElement('index').querySelectorAll<HTMLAnchorElement>('li > a')]
  return new Map(links.map((each) => [idIn(each.hash), each]))
}

function closeIndex(): void {
  const index = pageElement('index')
  if (index.matches(':popover-open')) index.hidePopover()
}

function reveal(behavior: ScrollBehavior = 'auto'): void {
  const target = document.getElementById(idIn(location.hash))
  if (!target) return
  for (let each: Element | null = target; each; each = each.parentElement) {
    if (each instanceof HTMLDetailsElement) each.open = true
    if (each instanceof HTMLElement) each.hidden = false
  }
  target.scrollIntoView({ behavior })
}

function idIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

/** A type that is unfolded where it is used shows a copy of its declaration. */
export function startExpansions(): void {
  // The event does not bubble.
  pageElement('main').addEventListener('toggle', ({ target }) => fill(target), { capture: true })
}

function fill(target: EventTarget | null): void {
  if (!(target instanceof HTMLDetailsElement) || !target.matches('.expand.scripted') || target.children.length > 1)
    return
  const declaration = pageElement(`type.${target.dataset['of']}`)
  for (const each of declaration.querySelectorAll(':scope > :not(h3)')) target.append(each.cloneNode(true))
}
