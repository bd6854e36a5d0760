// What was found goes into results.json, a section at a time, and from there into docs/performance.md, between marks.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { barTable } from './bars.mjs'
import { commit, describeMachine, loadNow, versions } from './machine.mjs'
import { median } from './statistics.mjs'

const results = new URL('../results.json', import.meta.url)
const page = new URL('../../docs/performance.md', import.meta.url)

/** Replaces one section's results, and the parts of the page that are made of them. */
export function writeReport(name, { text, columns = {}, ...figures }) {
  const all = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : {}
  const when = `Measured ${new Date().toISOString().slice(0, 10)}${commit()}, load ${loadNow()} at the end.`
  // What was measured last stands last: machine and versions are said as they were then.
  delete all[name]
  all[name] = { when, machine: describeMachine(), versions: versions(), text, medians: mediansOf(columns), ...figures }
  writeFileSync(results, `${JSON.stringify(all, null, 2)}\n`)
  writePage(all)
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

/** The pages as they stand, made anew from all that is known. */
export function writePage(all) {
  const { machine, versions: installed } = Object.values(all).at(-1)
  const sections = Object.entries(all).map(([name, { text, when }]) => [name, `${when}\n\n${text}`])
  fill(page, [...sections, ['machine', `${machine}.\n\n${installed}.`], ['bars', barTable(all)]])
}

function fill(file, parts) {
  const text = parts.reduce((text, [name, content]) => replace(text, name, content), readFileSync(file, 'utf8'))
  writeFileSync(file, text)
}

function replace(text, name, content) {
  const marks = new RegExp(`(<!-- bench:${name} -->\n)[^]*?(<!-- /bench:${name} -->)`)
  if (!marks.test(text)) throw new Error(`there is no place for ${name}`)
  return text.replace(marks, (_, start, end) => `${start}\n${content}\n\n${end}`)
}
