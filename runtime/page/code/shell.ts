import { jsonStyle, print, type ShownCall } from './print.js'

/** curl, in JSON-RPC. */
export function curlJson(call: ShownCall): string {
  return curl(call, 'application/json', print(call.message, jsonStyle, 76))
}

/** curl, in XML-RPC. */
export function curlXml(call: ShownCall): string {
  return curl(call, 'text/xml', call.xml)
}

function curl({ url, headers }: ShownCall, contentType: string, body: string): string {
  const lines = Object.entries({ 'Content-Type': contentType, ...headers }).map(
    ([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`,
  )
  return [`curl ${quoteShell(url)}`, ...lines, `--data-binary ${quoteShell(body)}`].join(' \\\n  ')
}

/** A word of a POSIX shell: nothing in single quotes means anything. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
