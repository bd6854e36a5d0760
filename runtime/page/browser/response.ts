import { prettyJson, prettyXml } from '../pretty.js'

/** What the server sent. */
export interface Received {
  readonly status: string
  readonly headers: string
  readonly body: string
  readonly milliseconds: number
}

/** Sends a request to the endpoint. Rejects if there is no response. */
export async function send(url: string, headers: Headers, body: string, signal: AbortSignal): Promise<Received> {
  const start = performance.now()
  // Never sends a cookie to another origin, or a header to the target of a redirect.
  const init: RequestInit = { method: 'POST', headers, body, signal, credentials: 'same-origin', redirect: 'error' }
  const response = await fetch(url, { ...init, cache: 'no-store', referrerPolicy: 'no-referrer' })
  const text = await response.text()
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: text,
    milliseconds: Math.round(performance.now() - start),
  }
}

/** Describes a response in a few words and numbers; `failed` for errors. */
export function summaryOfResponse(response: Received): { readonly text: string; readonly failed: boolean } {
  const { text, failed } = verdictOn(response)
  const size = new TextEncoder().encode(response.body).length
  return { text: `${text} · HTTP ${response.status} · ${response.milliseconds} ms · ${size} bytes`, failed }
}

function verdictOn({ body, status }: Received): { readonly text: string; readonly failed: boolean } {
  const failed = !status.startsWith('2')
  if (body === '') return { text: failed ? 'No body' : 'Done, without a result', failed }
  const error = body.trimStart().startsWith('<') ? xmlFault(body) : jsonError(body)
  if (error !== undefined) return { text: error, failed: true }
  return { text: failed ? 'Rejected' : 'Result', failed }
}

function jsonError(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body)
    return error && `Error ${error.code}: ${error.message}`
  } catch {
    return undefined
  }
}

function xmlFault(body: string): string | undefined {
  if (!body.includes('<fault>')) return undefined
  const member = (name: string) =>
    new RegExp(`<name>${name}</name>\\s*<value>\\s*(?:<\\w+>)?([^<]*)`).exec(body)?.[1] ?? ''
  return `Fault ${member('faultCode')}: ${decode(member('faultString'))}`
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Returns a body with line breaks if it is JSON or XML. */
export function prettyBody(body: string): string {
  return body.trimStart().startsWith('<') ? prettyXml(body) : prettyJson(body)
}

const most = 100_000

/** As much of a text as a page can show at once. */
export function shorten(text: string): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n… and ${text.length - most} more characters`
}
