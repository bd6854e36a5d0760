// What the README says of speed: a few rows of what the page has.
import { digits, table } from './table.mjs'

const servers = {
  'rpc-gen': 'rpc-gen',
  hono: 'a bare Hono handler, nothing checked',
  jayson: 'jayson',
  'json-rpc-2.0': 'json-rpc-2.0 in Hono',
  orpc: 'oRPC',
  trpc: 'tRPC',
}
const codecs = {
  'rpc-gen': 'rpc-gen',
  'rpc-gen-json': 'the same server over JSON',
  davexmlrpc: 'davexmlrpc',
  xmlrpc: 'npm xmlrpc',
}

export function summaryTables({ http, xml }) {
  return [
    'Requests a second over HTTP:\n',
    rowsOf(servers, http.medians.throughput.http),
    '\nMicroseconds of CPU for a call as XML-RPC, text to text:\n',
    rowsOf(codecs, xml.medians.costs.xml),
  ].join('\n')
}

function rowsOf(titles, figures) {
  const items = Object.keys(figures)
  const cell = (value) => (value === undefined ? '–' : digits(value))
  const rows = Object.entries(titles).map(([key, title]) => [title, ...items.map((item) => cell(figures[item][key]))])
  return table(['', ...items], rows)
}
