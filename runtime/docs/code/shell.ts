import type { ShownCall } from './call.js'
import { jsonStyle, print } from './print.js'

/** curl, in JSON-RPC. */
export function curlJson({ url, message }: ShownCall): string {
  return curl(url, 'application/json', print(message, jsonStyle, 76))
}

/** curl, in XML-RPC. */
export function curlXml({ url, xml }: ShownCall): string {
  return curl(url, 'text/xml', xml)
}

function curl(url: string, contentType: string, body: string): string {
  return `curl ${quoteShell(url)} \\\n  -H ${quoteShell(`Content-Type: ${contentType}`)} \\\n  --data-binary ${quoteShell(body)}`
}

/** A word of a POSIX shell: nothing in single quotes means anything. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
