// What is reported: a code that `--allow` accepts, the path of the change, and a message. The report for people has breaking changes first:
//
//     { code: 'param-removed', path: 'createOrder(note)', … }  →  param-removed createOrder(note): the param is no longer accepted
import { jsonText, type Line, plural, terminalText } from '../diagnostics/printable.js'
import type { Steps } from './steps.js'

/**
 * Every change that two versions of an API can have: its stable code, and whether it breaks callers of the old one. docs/reference/diff.md has an
 * example of each, in this order.
 */
export const changeCodes = {
  ...{ 'method-removed': true, 'method-renamed': true, 'method-added': false },
  ...{ 'protocol-removed': true, 'protocol-added': false },
  ...{ 'param-structure-narrowed': true, 'param-structure-widened': false },
  ...{ 'overload-removed': true, 'overload-added': false },
  ...{ 'signature-changed': true, 'subscription-changed': true },
  ...{ 'idempotent-removed': true, 'idempotent-added': false },
  ...{ 'auth-tightened': true, 'auth-loosened': false, 'auth-changed': true },
  ...{ 'param-removed': true, 'param-renamed': true, 'param-reordered': true, 'param-rest-changed': true },
  ...{ 'param-added-required': true, 'param-added-optional': false, 'param-required': true, 'param-optional': false },
  ...{ 'param-type-narrowed': true, 'param-type-widened': false, 'param-type-changed': true },
  ...{ 'param-value-removed': true, 'param-value-added': false },
  ...{ 'param-member-removed': true, 'param-member-added-required': true, 'param-member-added-optional': false },
  ...{ 'param-member-required': true, 'param-member-optional': false },
  ...{ 'param-constraint-tightened': true, 'param-constraint-loosened': false },
  ...{ 'result-removed': true, 'result-added': false },
  ...{ 'result-type-widened': true, 'result-type-narrowed': false, 'result-type-changed': true },
  ...{ 'result-value-added': true, 'result-value-removed': false },
  ...{ 'result-member-removed': true, 'result-member-added': false, 'result-member-optional': true },
  ...{ 'result-member-required': false },
  ...{ 'result-constraint-loosened': true, 'result-constraint-tightened': false },
  ...{ 'error-removed': true, 'error-added': false },
  ...{ 'not-compared': true },
  ...{ deprecated: false, undeprecated: false, 'docs-changed': false },
} as const

export type ChangeCode = keyof typeof changeCodes

/** One difference between two versions of an API. */
export interface Change {
  readonly code: ChangeCode
  /** True if a caller of the old version can fail. The same for every change of a code. */
  readonly breaking: boolean
  /** The method, by its old name if it was renamed. */
  readonly method: string
  /** The path: `createOrder`, `createOrder(draft).lines[].sku`; `createOrder()` is the result. */
  readonly path: string
  /** A sentence without a full stop, for people. */
  readonly message: string
  /** The old form, in short. */
  readonly old?: string
  /** The new form, in short. */
  readonly new?: string
}

/** Collects the changes of one method. */
export class Changes {
  readonly all: Change[] = []
  readonly method: string
  readonly #report: Steps | undefined

  constructor(method: string, report?: Steps) {
    this.method = method
    this.#report = report
  }

  /** @throws TooManySteps if the changes have more text than is reported: many methods may have one large type, and many changes one long path */
  add(code: ChangeCode, path: string, message: string, old?: string, now?: string): void {
    const breaking = changeCodes[code]
    const length = [path, message, old, now].reduce((sum, text = '') => sum + text.length, 0)
    this.expectRoom(10 + Math.ceil(length / 8))
    const forms = { ...(old !== undefined && { old }), ...(now !== undefined && { new: now }) }
    this.all.push({ code, breaking, method: this.method, path, message, ...forms })
  }

  /** Adds a change from one form to another; `more` follows in the message. */
  became(code: ChangeCode, path: string, old: string, now: string, more = ''): void {
    this.add(code, path, (old === now ? `${now} changed` : `${old} became ${now}`) + more, old, now)
  }

  /** Adds that the method, or the rest of it, is not compared, even if no further change is reported. */
  stopped(message: string): void {
    this.all.push({ code: 'not-compared', breaking: true, method: this.method, path: this.method, message })
  }

  /** @throws TooManySteps if no further change is reported: what differs need not be looked for */
  expectRoom(size = 0): void {
    this.#report?.take(size, 'it has more changes than are reported')
  }

  get breaks(): boolean {
    return this.all.some(({ breaking }) => breaking)
  }
}

export function isChangeCode(text: string): text is ChangeCode {
  return Object.hasOwn(changeCodes, text)
}

/** A reported change. `allowed`: `--allow` names it, so it does not count as breaking. */
export interface Reported extends Change {
  readonly allowed?: boolean
}

/** Breaking changes first, otherwise in the given order. */
export function sortChanges<Each extends Change>(changes: readonly Each[]): Each[] {
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)]
}

/** `param-removed createOrder(note): the param is no longer accepted` */
export function changeLine({ code, path, message, allowed }: Reported): Exclude<Line, string> {
  return [[allowed ? 'dim' : 'bold', code], ` ${path}: ${message}${allowed ? ' (allowed)' : ''}`]
}

/** `3 breaking (1 allowed), 2 compatible changes` */
export function summaryOf(changes: readonly Reported[]): string {
  if (changes.length === 0) return 'no changes'
  const breaking = changes.filter((each) => each.breaking).length
  const allowed = changes.filter((each) => each.allowed).length
  const compatible = changes.length - breaking
  const counts = [
    ...(breaking > 0 ? [`${breaking} breaking${allowed > 0 ? ` (${allowed} allowed)` : ''}`] : []),
    ...(compatible > 0 ? [`${compatible} compatible`] : []),
  ]
  return `${counts.join(', ')} ${plural(compatible || breaking, 'change')}`
}

/** Text for people: breaking changes, then the others, by method, and a line with their numbers. */
export function textReport(changes: readonly Reported[], color = false): string {
  const sections = [
    ['breaking', changes.filter((each) => each.breaking), 'red'],
    ['compatible', changes.filter((each) => !each.breaking), 'green'],
  ] as const
  const shown = sections.filter(([, all]) => all.length > 0)
  const blocks = shown.map(([title, all, style]): Line[] => [[[style, title]], ...byMethod(all), ''])
  return terminalText([...blocks.flat(), summaryOf(changes)], color)
}

/** The changes of a method follow each other. */
function byMethod(changes: readonly Reported[]): Line[] {
  return changes.flatMap((change, i): Line[] => {
    const line: Line = ['    ', ...changeLine(change)]
    return changes[i - 1]?.method === change.method ? [line] : [`  ${change.method}`, line]
  })
}

/** Text for programs: one JSON object per line. */
export function jsonReport(changes: readonly Reported[]): string {
  return changes.map((change) => `${jsonText(change)}\n`).join('')
}
