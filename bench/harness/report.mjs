// Results are stored in results.json, a section and a major version of Node at a time. The tables of bench/RESULTS.md, and the charts
// and tables of docs/performance.md, are made from it. `npm run bench -- report` writes them again, `--check` compares them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { charts, renderChart } from './charts.mjs'
import { commit, describeMachine, loadNow, versions } from './machine.mjs'
import { median } from './statistics.mjs'
import { readerTables } from './summary.mjs'
import { targetTable } from './targets.mjs'

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const results = at('bench/results.json')

/** Replaces one section's results on this version of Node, and the pages made from them. */
export function writeReport(name, { text, columns = {}, ...figures }) {
  const all = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {}
  const { node } = process.versions
  const when = `Measured ${new Date().toISOString().slice(0, 10)}${commit()}, load ${loadNow()} at the end.`
  const found = { node, when, machine: describeMachine(), versions: versions(), text, medians: mediansOf(columns) }
  const runs = { ...all[name], [node.split('.', 1)[0]]: { ...found, ...figures } }
  // The last measured section is moved to the end: the versions are those of its newest run.
  delete all[name]
  all[name] = runs
  writeFileSync(results, `${JSON.stringify(all, null, 2)}\n`)
  for (const { path, text } of renderPages(all)) writeFileSync(path, text)
}

/** `{ table: { item: { title: ratio } } }`, and under `costs` the same in absolute numbers. */
function mediansOf(columns) {
  const table = (key) => (list) =>
    Object.fromEntries(list.map((column) => [column.item, mapValues(Object.fromEntries(column[key] ?? []), median)]))
  const of = (key) => mapValues(columns, table(key))
  return { ratios: of('ratios'), costs: of('costs'), throughput: of('throughput') }
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

/** Returns the pages and charts made from all results. */
function renderPages(stored) {
  const all = mapValues(stored, (runs) => mapValues(runs, (run) => ({ ...run, when: `${run.when} ${run.machine}.` })))
  // Major versions are integer keys, which are in ascending order.
  const newest = mapValues(all, (runs) => Object.values(runs).at(-1))
  const { versions: installed } = Object.values(newest).at(-1)
  const machine = [...new Set(Object.values(newest).map((each) => each.machine))].join('; ')
  const sections = Object.entries(all).map(([name, runs]) => [name, Object.values(runs).map(section).join('\n\n')])
  const raw = [...sections, ['machine', `${machine}.\n\n${installed}.`], ['targets', targetTable(newest)]]
  const reader = [['machine', `${machine}.`], ...Object.entries(readerTables(all))]
  return [
    { path: at('bench/RESULTS.md'), text: filled(at('bench/RESULTS.md'), raw) },
    { path: at('docs/performance.md'), text: filled(at('docs/performance.md'), reader) },
    ...charts.map((chart) => ({ path: at(`docs/images/bench-${chart.file}.svg`), text: renderChart(chart, newest) })),
  ]
}

const section = ({ node, when, text }) => `**Node ${node}.** ${when}\n\n${text}`

function filled(file, parts) {
  return parts.reduce((text, [name, content]) => replace(text, name, content), readFileSync(file, 'utf8'))
}

function replace(text, name, content) {
  const marks = new RegExp(`(<!-- bench:${name} -->\n)[^]*?(<!-- /bench:${name} -->)`)
  if (!marks.test(text)) throw new Error(`no marks for ${name}`)
  return text.replace(marks, (_, start, end) => `${start}\n${content}\n\n${end}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = renderPages(JSON.parse(readFileSync(results, 'utf8')))
  if (process.argv.includes('--check')) {
    const stale = pages.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
    for (const { path } of stale) console.error(`${path} is stale: run npm run bench -- report`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    for (const { path, text } of pages) writeFileSync(path, text)
  }
}
