import { html, raw } from 'hono/html'
import type { Sample } from './code/index.js'
import type { Html } from './html.js'
import { protocolTitles } from './protocol-titles.js'

/** Placeholders in code for the addresses of the endpoint and the WebSocket until a request determines them. */
export const urlMark = '\ue000url'
export const socketMark = '\ue000socket'

/** The same in HTML: markup, which no text has unescaped. */
export const urlMarkup: Html = raw('<url>')
export const socketMarkup: Html = raw('<socket>')

/** The first sample, for readers without JavaScript: the script writes that of the language and protocol that are chosen. */
export function codeHtml([sample]: readonly Sample[]): Html {
  if (!sample) return html``
  const { language, protocol, code } = sample
  return html`<div class="code"><pre tabindex="0" role="group" aria-label="${language}, ${protocolTitles[protocol]}"><code>${marked(code)}</code></pre></div>`
}

function marked(code: string): Html {
  return raw(`${html`${code}`}`.replaceAll(urlMark, `${urlMarkup}`).replaceAll(socketMark, `${socketMarkup}`))
}
