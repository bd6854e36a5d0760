import { own } from './dom.js'

/** A type that is unfolded where it is used shows a copy of its declaration. */
export function startExpansions(): void {
  // The event does not bubble.
  own('main').addEventListener('toggle', ({ target }) => fill(target), { capture: true })
}

function fill(target: EventTarget | null): void {
  if (!(target instanceof HTMLDetailsElement) || !target.matches('.expand.scripted') || target.children.length > 1)
    return
  const declaration = own(`type.${target.textContent}`)
  for (const each of declaration.querySelectorAll(':scope > :not(h3)')) target.append(each.cloneNode(true))
}
