import { html, raw } from 'hono/html'
import { idOf } from './id.js'
import { escapeControls } from './type-text.js'

/** Markup that is escaped already. */
export type Html = ReturnType<typeof html>

/** Nothing. */
export const nothing: Html = raw('')

/** One after another. */
export function joinHtml(pieces: readonly Html[]): Html {
  return raw(pieces.join(''))
}

/** Ids of the page's own begin like names that no procedure can have. */
export function ownId(name: string): string {
  return `rpc.docs.${idOf(name)}`
}

/** A link to an id of this page. */
export function linkTo(id: string): string {
  return `#${encodeURIComponent(id)}`
}

/** A name that may break after its dots, isolated from the text direction around it. */
export function nameHtml(name: string): Html {
  const segments = escapeControls(name).split(/(?<=[.])/)
  return html`<bdi>${joinHtml(segments.map((each, index) => (index === 0 ? html`${each}` : html`<wbr>${each}`)))}</bdi>`
}
