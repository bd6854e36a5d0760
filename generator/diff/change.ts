import { jsonText, type Line, textOf } from '../printable.js'

/** Where a change breaks the callers of the old version, and what it is in general. */
interface CodeMeaning {
  readonly breaking: boolean
  readonly title: string
}

const breaks = (title: string): CodeMeaning => ({ breaking: true, title })
const fits = (title: string): CodeMeaning => ({ breaking: false, title })

/** Every change that two versions of an API can have: its stable code, and whether it breaks callers. */
export const changeCodes = {
  'method-removed': breaks('a method is gone'),
  'method-renamed': breaks('a method has another name, and is the same otherwise'),
  'method-added': fits('a method is new'),
  'protocol-removed': breaks('a protocol can no longer call the method'),
  'protocol-added': fits('a further protocol can call the method'),
  'param-structure-narrowed': breaks('params are no longer taken by name, or no longer by position'),
  'param-structure-widened': fits('params are taken by name, or by position, too'),
  'overload-removed': breaks('calls that a signature took are taken by none'),
  'overload-added': fits('a further signature is taken'),
  'signature-changed': breaks('in XML-RPC a value has another type'),
  'subscription-changed': breaks('a call became a subscription, or a subscription a call'),
  'idempotent-removed': breaks('a call may no longer be sent again'),
  'idempotent-added': fits('a call may be sent again'),
  'param-removed': breaks('a param is gone'),
  'param-renamed': breaks('a param has another name, and is the same otherwise'),
  'param-reordered': breaks('params stand at other positions'),
  'param-rest-changed': breaks('a list became a rest parameter, or a rest parameter a list'),
  'param-added-required': breaks('a param is new and has to be sent'),
  'param-added-optional': fits('a param is new and may be left out'),
  'param-required': breaks('a param may no longer be left out'),
  'param-optional': fits('a param may be left out'),
  'param-type-narrowed': breaks('less is taken'),
  'param-type-widened': fits('more is taken'),
  'param-type-changed': breaks('something else is taken'),
  'param-value-removed': breaks('a value of a list of values is no longer taken'),
  'param-value-added': fits('a further value of a list of values is taken'),
  'param-member-removed': breaks('what is sent for a member is ignored or refused'),
  'param-member-added-required': breaks('a member is new and has to be sent'),
  'param-member-added-optional': fits('a member is new and may be left out'),
  'param-member-required': breaks('a member may no longer be left out'),
  'param-member-optional': fits('a member may be left out'),
  'param-constraint-tightened': breaks('a constraint refuses what was taken'),
  'param-constraint-loosened': fits('a constraint takes what was refused'),
  'result-removed': breaks('nothing is answered'),
  'result-added': fits('something is answered where nothing was'),
  'result-type-widened': breaks('more can be answered'),
  'result-type-narrowed': fits('less can be answered'),
  'result-type-changed': breaks('something else is answered'),
  'result-value-added': breaks('a further value of a list of values can be answered'),
  'result-value-removed': fits('a value of a list of values is no longer answered'),
  'result-member-removed': breaks('a member is no longer answered'),
  'result-member-added': fits('a further member is answered'),
  'result-member-optional': breaks('a member may be missing'),
  'result-member-required': fits('a member is always there'),
  'result-constraint-loosened': breaks('what is answered may leave the old limits'),
  'result-constraint-tightened': fits('what is answered has closer limits'),
  'error-removed': breaks('an error is no longer announced'),
  'error-added': fits('a further error is announced'),
  deprecated: fits('the method is deprecated'),
  undeprecated: fits('the method is no longer deprecated'),
  'docs-changed': fits('the docs say something else'),
} as const satisfies Readonly<Record<string, CodeMeaning>>

export type ChangeCode = keyof typeof changeCodes

/** One difference between two versions of an API. */
export interface Change {
  readonly code: ChangeCode
  /** Whether a caller of the old version can fail. The same for every change of a code. */
  readonly breaking: boolean
  /** The method, by its old name where it has two. */
  readonly method: string
  /** The place: `createOrder`, `createOrder(draft).lines[].sku`; `createOrder()` is the result. */
  readonly path: string
  /** A sentence without a full stop, for people. */
  readonly message: string
  /** What was there, in short. */
  readonly old?: string
  /** What is there now, in short. */
  readonly new?: string
}

/** The message of a change, with the old and the new form in short. */
export interface ChangeText {
  readonly message: string
  readonly old?: string
  readonly new?: string
}

export function changeOf(code: ChangeCode, method: string, path: string, said: ChangeText): Change {
  return { code, breaking: changeCodes[code].breaking, method, path, ...said }
}

export function isChangeCode(text: string): text is ChangeCode {
  return Object.hasOwn(changeCodes, text)
}

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
