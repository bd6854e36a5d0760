import { own } from './dom.js'

/** Opens, highlights and focuses the target of a link. */
export function startLinks(): void {
  addEventListener('hashchange', () => reveal())
  own('index').addEventListener('click', ({ target }) => {
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
export function linksById(): ReadonlyMap<string, HTMLAnchorElement> {
  const links = [...own('index').querySelectorAll<HTMLAnchorElement>('li > a')]
  return new Map(links.map((each) => [idIn(each.hash), each]))
}

function closeIndex(): void {
  const index = own('index')
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
  own('main').addEventListener('toggle', ({ target }) => fill(target), { capture: true })
}

function fill(target: EventTarget | null): void {
  if (!(target instanceof HTMLDetailsElement) || !target.matches('.expand.scripted') || target.children.length > 1)
    return
  const declaration = own(`type.${target.dataset['of']}`)
  for (const each of declaration.querySelectorAll(':scope > :not(h3)')) target.append(each.cloneNode(true))
}
