// The charts of docs/performance.md: bars from results.json, as SVG without a library.
import { digits } from './table.mjs'

const items = ['add', '12 members', 'batch of 100']
const documents = ['add', '12 members', '10,000 ints', '1,000 structs']

const servers = {
  'rpc-gen-node': 'rpc-gen on node:http',
  'rpc-gen': 'rpc-gen on Hono',
  hono: 'Hono, nothing checked',
  fastify: 'fastify, a JSON schema',
  jayson: 'jayson, zod',
  'json-rpc-2.0': 'json-rpc-2.0 on Hono, zod',
  orpc: 'oRPC, zod',
  trpc: 'tRPC, zod',
}
const codecs = { 'rpc-gen': 'rpc-gen', davexmlrpc: 'davexmlrpc', xmlrpc: 'npm xmlrpc' }
const validators = {
  'rpc-gen-read': 'rpc-gen',
  'rpc-gen-accepts': 'rpc-gen, the check alone',
  typia: 'typia',
  ajv: 'ajv',
  zod: 'zod',
  valibot: 'valibot',
}
const values = { point: 'two numbers and a string', order: 'an order', shape: 'a recursive union' }
const runs = ['cold', 'one file edited']

/** A chart: its file, its words, and its panels of bars `{ label, value, ours }`. */
export const charts = [
  {
    file: 'http',
    title: 'Requests per second over HTTP: longer is better',
    panels: ({ http }) =>
      items.map((item) => ({ title: item, bars: barsOf(servers, http.medians.throughput.http[item] ?? {}) })),
  },
  {
    file: 'xml',
    title: 'CPU time of an XML-RPC call, times rpc-gen: shorter is better',
    panels: ({ xml }) =>
      documents.map((item) => {
        const ratios = xml.medians.ratios.xml[item] ?? {}
        const timesOurs = Object.entries(ratios).map(([name, ratio]) => [name, ratio / ratios['rpc-gen']])
        return { title: item, bars: barsOf(codecs, Object.fromEntries(timesOurs)) }
      }),
  },
  {
    file: 'validation',
    title: 'CPU time to validate a value, times typia: shorter is better, cut at 20',
    limit: 20,
    panels: ({ validation }) =>
      Object.entries(values).map(([item, title]) => {
        return { title, bars: barsOf(validators, validation.medians.ratios.validation[item] ?? {}) }
      }),
  },
  {
    file: 'generator',
    title: 'Time to generate, times tsc --noEmit of the same sources: shorter is better',
    panels: ({ generator }) =>
      [100, 1_000, 5_000].map((count) => {
        const figures = generator.figures[count] ?? {}
        const ours = runs.filter((run) => run in figures).map((run) => bar(`rpc-gen, ${run}`, figures[run], true))
        return { title: `${count.toLocaleString('en')} procedures`, bars: [bar('tsc --noEmit', 1, false), ...ours] }
      }),
  },
]

const bar = (label, value, ours) => ({ label, value, ours })

/** The bars of those that were measured, in the order of their titles. */
function barsOf(titles, figures) {
  const measured = Object.entries(titles).filter(([name]) => figures[name] !== undefined)
  return measured.map(([name, label]) => bar(label, figures[name], name.startsWith('rpc-gen')))
}

const width = 760
const left = 190
const right = 80
const row = 24

/** Returns the text of an SVG. */
export function renderChart({ title, limit, panels }, all) {
  let y = 34
  const parts = []
  for (const { title: heading, bars } of panels(all)) {
    if (bars.length === 0) continue
    y += 20
    parts.push(`<text x="16" y="${y}" class="heading">${escapeXml(heading)}</text>`)
    const most = Math.min(Math.max(...bars.map(({ value }) => value)), limit ?? Number.POSITIVE_INFINITY)
    for (const { label, value, ours } of bars) {
      const length = Math.max(1, Math.round((Math.min(value, most) / most) * (width - left - right)))
      parts.push(
        `<text x="${left - 8}" y="${y + 20}" text-anchor="end">${escapeXml(label)}</text>`,
        `<rect x="${left}" y="${y + 8}" width="${length}" height="16" rx="2" class="${ours ? 'ours' : 'other'}"/>`,
        `<text x="${left + length + 6}" y="${y + 20}">${digits(value)}${value > most ? ' →' : ''}</text>`,
      )
      y += row
    }
    y += 14
  }
  const size = `width="${width}" height="${y}" viewBox="0 0 ${width} ${y}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escapeXml(title)}">
<style>text { font: 13px system-ui, sans-serif; fill: #1f2937 } .title { font-size: 15px; font-weight: 600 } .heading { font-weight: 600 } .ours { fill: #2563eb } .other { fill: #9ca3af }</style>
<rect width="${width}" height="${y}" rx="6" fill="#fff"/>
<text x="16" y="28" class="title">${escapeXml(title)}</text>
${parts.join('\n')}
</svg>
`
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
