import { jsonStyle, print, type ShownCall } from './print.js'

/** curl, in JSON-RPC. */
export function curlJson(call: ShownCall): string {
  return curl(call, 'application/json', print(call.message, jsonStyle, 76))
}

/** curl, which prints the events of a stream as they come. */
export function curlStream(call: ShownCall): string {
  const headers = { Accept: 'text/event-stream', ...call.headers }
  return curl({ ...call, headers }, 'application/json', print(call.message, jsonStyle, 76), 'curl -N')
}

/** curl, in XML-RPC. */
export function curlXml(call: ShownCall): string {
  return curl(call, 'text/xml', call.xml)
}

function curl(
  { url, headers }: Pick<ShownCall, 'url' | 'headers'>,
  contentType: string,
  body: string,
  command = 'curl',
): string {
  const lines = Object.entries({ 'Content-Type': contentType, ...headers }).map(
    ([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`,
  )
  return [`${command} ${quoteShell(url)}`, ...lines, `--data-binary ${quoteShell(body)}`].join(' \\\n  ')
}

/** A word of a POSIX shell: nothing in single quotes means anything. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
