import { html, raw } from 'hono/html'
import { type Language, languages, type Sample } from './code/index.js'
import { type Html, joinHtml } from './html.js'
import { protocolTitles } from './protocol-titles.js'

/** Placeholder for the address of the endpoint in code: a private character and letters. */
export const urlMark = '\ue000url'

/** The same in HTML, until a request determines the address: markup, which no text has unescaped. */
export const urlMarkup: Html = raw('<url>')

/** Code in every language and protocol; choices are radio buttons, so that they work without JavaScript. */
export function codeHtml(samples: readonly Sample[], group: string): Html {
  const protocols = [...new Set(samples.map(({ protocol }) => protocol))]
  const panes = samples.map(
    ({ language, protocol, code }) =>
      html`<pre class="${classOf(language)} ${protocol}" tabindex="0" role="group" aria-label="${language}, ${protocolTitles[protocol]}"><code>${marked(code)}</code></pre>`,
  )
  return html`<div class="code"><div class="choices">${choices(
    'Language',
    `${group}.language`,
    languages.map((each) => [classOf(each), each]),
  )}${choices(
    'Protocol',
    `${group}.protocol`,
    protocols.map((each) => [each, protocolTitles[each]]),
  )}</div>${joinHtml(panes)}</div>`
}

function classOf(language: Language): string {
  return language.toLowerCase()
}

/** One of several, as radio buttons that look like a row of tabs. */
function choices(legend: string, name: string, options: readonly (readonly [value: string, text: string])[]): Html {
  const buttons = options.map(
    ([value, text], index) =>
      html`<label><input type="radio" name="${name}" value="${value}"${index === 0 ? raw(' checked') : ''}><span>${text}</span></label>`,
  )
  return html`<fieldset class="choice"><legend class="unseen">${legend}</legend>${joinHtml(buttons)}</fieldset>`
}

/** Code that contains the placeholder of the address. */
function marked(code: string): Html {
  const pieces = code.split(urlMark).map((each) => html`${each}`)
  return raw(pieces.join(`<span class="url">${urlMarkup}</span>`))
}
