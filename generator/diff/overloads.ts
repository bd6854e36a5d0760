import type { ApiMethod } from './api.js'
import { branchesAt, type Calls, callsOf, describeCalls, type Taking } from './calls.js'
import { type Change, changeOf } from './change.js'
import { describeType } from './describe.js'
import type { MethodTypes, ParamType, SignatureTypes } from './method-types.js'
import { createWithin, type Within } from './within.js'

/** Compares versions of a method of which one at least is overloaded: the first signature that takes a call answers it. */
export interface OverloadComparison {
  /** What is no longer taken, and what is taken too; `told` is what the params of all signatures together tell. */
  calls(method: ApiMethod, old: MethodTypes, now: MethodTypes, told: readonly Change[]): Change[]
  /**
   * Which signature of the new version may answer calls that one of the old version took. Undefined where a version does
   * not say what each of its overloads answers.
   */
  answering(
    old: MethodTypes,
    now: MethodTypes,
  ): readonly (readonly [old: SignatureTypes, now: SignatureTypes])[] | undefined
}

/** Whether there is more than one signature in a version. */
export function isOverloaded(old: MethodTypes, now: MethodTypes): boolean {
  return old.overloads !== undefined || now.overloads !== undefined
}

/** Makes a comparison over grouped types. */
export function createOverloadComparison(): OverloadComparison {
  const { branch: within } = createWithin()
  // A text that may be a Date is one where an overload takes a Date: which one takes it is told by the type that it has.
  const { branch: surely } = createWithin('param')
  return {
    calls: (method, old, now, told) => [
      ...lostCalls(method, old, now, told, { within, surely }),
      ...addedOverloads(method, old, now, within),
    ],
    answering: (old, now) => answeringPairs(signaturesOf(old), signaturesOf(now), surely),
  }
}

function answeringPairs(
  before: readonly SignatureTypes[],
  after: readonly SignatureTypes[],
  within: Within['branch'],
): (readonly [SignatureTypes, SignatureTypes])[] | undefined {
  if ([...before, ...after].some(({ result }) => !result)) return undefined
  const ways = after.map((each) => callsOf(each, before, within))
  return before.flatMap((one, i) => {
    const reached = ownCalls(one, i, before, after, within).map(({ taking }) => taking.slice(before.length))
    return after.flatMap((other, j): [SignatureTypes, SignatureTypes][] => {
      // What an earlier signature took is judged with that one.
      const isOwn = ways[j]?.some(({ taking }) => mayReach(taking, i))
      return isOwn && reached.some((taking) => mayReach(taking, j)) ? [[one, other]] : []
    })
  })
}

/** Whether calls may come to a signature: none before it takes all of them. */
function mayReach(taking: readonly Taking[], index: number): boolean {
  return taking[index] !== 'none' && !taking.slice(0, index).includes('all')
}

function signaturesOf(types: MethodTypes): readonly SignatureTypes[] {
  return types.overloads ?? [types]
}

/** The calls that reach a signature; what takes them stands by the old signatures, then the new ones. */
function ownCalls(
  one: SignatureTypes,
  index: number,
  before: readonly SignatureTypes[],
  after: readonly SignatureTypes[],
  within: Within['branch'],
): Calls[] {
  const all = callsOf(one, [...before, ...after], within)
  return all.filter(({ taking }) => !taking.slice(0, index).includes('all'))
}

/** Calls that the params of all signatures together do not take are told of the params. */
function lostCalls(
  method: ApiMethod,
  old: MethodTypes,
  now: MethodTypes,
  told: readonly Change[],
  { within, surely }: Readonly<Record<'within' | 'surely', Within['branch']>>,
): Change[] {
  const [before, after] = [signaturesOf(old), signaturesOf(now)]
  const refused = (one: SignatureTypes, i: number, by: Within['branch']) =>
    ownCalls(one, i, before, [...after, now], by).filter(
      ({ taking }) => !taking.slice(before.length, -1).includes('all'),
    )
  const isTakenByParams = ({ taking }: Calls) => taking.at(-1) === 'all'
  // Where some overload has each argument as what it was, none of the others gets it.
  const isKnown = ({ positions }: Calls) =>
    positions.every((all, at) => {
      const union = after.flatMap((each) => branchesAt(each, at))
      return all.every((branch) => surely(branch, union))
    })
  const isTold = told.some(({ breaking }) => breaking)
  return before.flatMap((one, i) => {
    const plainly = refused(one, i, within).filter((each) => !isTold || isTakenByParams(each))
    const lost = plainly.length > 0 ? plainly : refused(one, i, surely).filter(isKnown)
    return lost.length > 0 ? [lostChange(method, one, lost)] : []
  })
}

/** More calls than these are counted. */
const shownCalls = 3

function lostChange({ name }: ApiMethod, signature: SignatureTypes, calls: readonly Calls[]): Change {
  // Null in place of what may be left out is told with what is left out.
  const plain = calls.filter(({ positions }) => positions.every((all) => all.some(({ kind }) => kind !== 'null')))
  const all = [...new Set((plain.length > 0 ? plain : calls).map(describeCalls))]
  const more = all.length > shownCalls ? [`${all.length - shownCalls} more`] : []
  const message = `calls with ${[...all.slice(0, shownCalls), ...more].join(' or ')} are no longer taken`
  return changeOf('overload-removed', name, name, { message, old: describeSignature(signature) })
}

/** An overload that takes what nothing took. */
function addedOverloads({ name }: ApiMethod, old: MethodTypes, now: MethodTypes, within: Within['branch']): Change[] {
  const before = signaturesOf(old)
  return (now.overloads ?? []).flatMap((each) => {
    if (!callsOf(each, before, within).some(({ taking }) => !taking.includes('all'))) return []
    const text = describeSignature(each)
    return [changeOf('overload-added', name, name, { message: `calls with ${text} are taken too`, new: text })]
  })
}

/** `(x: Int, y?: string)` */
export function describeSignature({ params }: SignatureTypes): string {
  const word = ({ name, required, rest, type }: ParamType) => {
    const text = describeType(type)
    return rest
      ? `...${name}: ${text}`
      : `${name}${required ? '' : '?'}: ${required ? text : text.replace(/ \| null$/, '')}`
  }
  return `(${params.map(word).join(', ')})`
}
