// What is reported: a code that `--allow` accepts, the path of the change, and a message. The report for people has breaking changes first:
//
//     { code: 'param-removed', path: 'createOrder(note)', … }  →  param-removed createOrder(note): the param is no longer accepted
import { jsonText, type Line, plural, terminalText } from '../diagnostics/printable.js'
import type { Steps } from './steps.js'

const breaks = (meaning: string) => ({ breaking: true, meaning })
const fits = (meaning: string) => ({ breaking: false, meaning })

/** Every change that two versions of an API can have: its stable code, and whether it breaks callers of the old one. */
export const changeCodes = {
  'method-removed': breaks('a method was removed'),
  'method-renamed': breaks('a method has another name, and is the same otherwise'),
  'method-added': fits('a method was added'),
  'protocol-removed': breaks('a protocol can no longer call the method'),
  'protocol-added': fits('a further protocol can call the method'),
  'param-structure-narrowed': breaks('params are no longer accepted by name, or no longer by position'),
  'param-structure-widened': fits('params are also accepted by name, or by position'),
  'overload-removed': breaks('calls that a signature accepted are rejected'),
  'overload-added': fits('a further signature is accepted'),
  'signature-changed': breaks('in XML-RPC a value has another type'),
  'subscription-changed': breaks('a call became a subscription, or a subscription a call'),
  'idempotent-removed': breaks('a call may no longer be sent again'),
  'idempotent-added': fits('a call may be sent again'),
  'auth-tightened': breaks('fewer callers are authorised'),
  'auth-loosened': fits('more callers are authorised'),
  'auth-changed': breaks('other callers are authorised, or they identify themselves by other means'),
  'param-removed': breaks('a param was removed'),
  'param-renamed': breaks('a param has another name, and is the same otherwise'),
  'param-reordered': breaks('params have other positions'),
  'param-rest-changed': breaks('a list became a rest parameter, or a rest parameter a list'),
  'param-added-required': breaks('a required param was added'),
  'param-added-optional': fits('an optional param was added'),
  'param-required': breaks('a param may no longer be left out'),
  'param-optional': fits('a param may be left out'),
  'param-type-narrowed': breaks('fewer values are accepted'),
  'param-type-widened': fits('more values are accepted'),
  'param-type-changed': breaks('other values are accepted'),
  'param-value-removed': breaks('a value of a list of values is no longer accepted'),
  'param-value-added': fits('a further value of a list of values is accepted'),
  'param-member-removed': breaks('a member was removed: what is sent for it is ignored or rejected'),
  'param-member-added-required': breaks('a required member was added'),
  'param-member-added-optional': fits('an optional member was added'),
  'param-member-required': breaks('a member may no longer be left out'),
  'param-member-optional': fits('a member may be left out'),
  'param-constraint-tightened': breaks('a constraint rejects values that were accepted'),
  'param-constraint-loosened': fits('a constraint accepts values that were rejected'),
  'result-removed': breaks('the method no longer returns a result'),
  'result-added': fits('the method returns a result, and did not before'),
  'result-type-widened': breaks('more values can be returned'),
  'result-type-narrowed': fits('fewer values can be returned'),
  'result-type-changed': breaks('other values are returned'),
  'result-value-added': breaks('a further value of a list of values can be returned'),
  'result-value-removed': fits('a value of a list of values is no longer returned'),
  'result-member-removed': breaks('a member is no longer returned'),
  'result-member-added': fits('a further member is returned'),
  'result-member-optional': breaks('a member may be missing'),
  'result-member-required': fits('a member is always present'),
  'result-constraint-loosened': breaks('returned values may be outside of the old limits'),
  'result-constraint-tightened': fits('returned values have narrower limits'),
  'error-removed': breaks('an error is no longer declared'),
  'error-added': fits('a further error is declared'),
  'not-compared': breaks(
    'keywords of a document changed that rpc-gen does not compare, or types have too many unions to be compared',
  ),
  deprecated: fits('the method is deprecated'),
  undeprecated: fits('the method is no longer deprecated'),
  'docs-changed': fits('the docs changed'),
}

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
    const { breaking } = changeCodes[code]
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
