import { jsonText, type Line, textOf } from '../printable.js'
import type { Change } from './change.js'

/** A change as it is reported; one that is allowed breaks nothing that the caller cares for. */
export interface Reported extends Change {
  readonly allowed?: boolean
}

/** What breaks first, else in the order that it had. */
export function sortChanges<Each extends Change>(changes: readonly Each[]): Each[] {
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)]
}

/** `param-removed createOrder(note): the param is gone (string)` */
export function changeLine({ code, path, message, allowed }: Reported): Exclude<Line, string> {
  return [[allowed ? 'dim' : 'bold', code], ` ${path}: ${message}${allowed ? ' (allowed)' : ''}`]
}

/** `3 breaking, 2 compatible changes` */
export function summaryOf(changes: readonly Reported[]): string {
  if (changes.length === 0) return 'no changes'
  const breaking = changes.filter((each) => each.breaking)
  const allowed = breaking.filter((each) => each.allowed).length
  const compatible = changes.length - breaking.length
  const counts = [
    ...(breaking.length > 0 ? [`${breaking.length} breaking${allowed > 0 ? ` (${allowed} allowed)` : ''}`] : []),
    ...(compatible > 0 ? [`${compatible} compatible`] : []),
  ]
  const last = compatible > 0 ? compatible : breaking.length
  return `${counts.join(', ')} change${last === 1 ? '' : 's'}`
}

/** For people: what breaks, then the rest, by method, and a line that counts them. */
export function textReport(changes: readonly Reported[], color = false): string {
  const sections = [
    ['breaking', changes.filter((each) => each.breaking), 'red'],
    ['compatible', changes.filter((each) => !each.breaking), 'green'],
  ] as const
  const shown = sections.filter(([, all]) => all.length > 0)
  const blocks = shown.map(([title, all, style]): Line[] => [[[style, title]], ...byMethod(all), ''])
  return textOf([...blocks.flat(), summaryOf(changes)], color)
}

function byMethod(changes: readonly Reported[]): Line[] {
  const groups = new Map<string, Reported[]>()
  for (const change of changes) {
    const all = groups.get(change.method) ?? []
    all.push(change)
    groups.set(change.method, all)
  }
  return Array.from(groups, ([method, all]): Line[] => [
    `  ${method}`,
    ...all.map((change): Line => ['    ', ...changeLine(change)]),
  ]).flat()
}

/** For programs: an object a line. */
export function jsonReport(changes: readonly Reported[]): string {
  return changes.map((change) => `${jsonText(change)}\n`).join('')
}
