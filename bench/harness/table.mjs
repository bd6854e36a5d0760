// Tables in Markdown.
import { summarise } from './statistics.mjs'

export function table(head, rows) {
  return [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** A number with three significant digits. */
export function digits(number) {
  if (number >= 100) return Math.round(number).toLocaleString('en')
  return number.toPrecision(number < 0.1 ? 2 : 3)
}

/** Median and quartiles of ratios: `0.98 [0.95..1.02]`. */
export function spread(ratios) {
  const { low, middle, high } = summarise(ratios)
  return `${digits(middle)} [${digits(low)}..${digits(high)}]`
}

/** The results of `contest`, one column per item: absolute for the base, multiples of the base for all others. */
export function contestTable(base, unit, columns, targets = {}) {
  const found = columns.flatMap(({ costs, failures }) => [...costs.keys(), ...failures.keys()])
  const titles = [...new Set(found)].filter((title) => title !== base)
  const row = (title, cell) => [title, ...columns.map((column) => cell(column))]
  const rows = [
    row(`${base}, ${unit}`, ({ costs }) => (costs.has(base) ? digits(summarise(costs.get(base)).middle) : '–')),
    ...titles.map((title) => row(title, (column) => cellOf(column, title))),
  ]
  if (Object.keys(targets).length > 0) rows.push(row('*target of rpc-gen*', ({ item }) => targets[item] ?? '–'))
  return table(['', ...columns.map(({ item }) => item)], rows)
}

function cellOf({ ratios, failures }, title) {
  if (failures.has(title)) return failures.get(title)
  return ratios.has(title) ? spread(ratios.get(title)) : '–'
}
