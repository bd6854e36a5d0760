import { partsOf } from '../../runtime/schema/parts.js'
import type { ModelType } from '../model/model.js'
import type { Planner } from './planner.js'

/** Which way a value goes: from the wire, or to it. */
export type Direction = 'revive' | 'lower'

/** Kinds that the protocols write in forms of their own: their conversion asks the wire. */
const byWire: Readonly<Record<Direction, ReadonlySet<string>>> = {
  revive: new Set(['date', 'bytes', 'bigint']),
  lower: new Set(['date', 'bytes', 'bigint', 'any']),
}

/** Kinds that no protocol has: it carries them as something else. */
const bySelf = new Set(['undefined', 'void', 'set', 'map', 'url'])

/** A question about a type that one of its parts may answer. */
interface Question {
  readonly name: string
  readonly isAnsweredBy: (part: ModelType) => boolean
}

const needs: Readonly<Record<Direction, Question>> = { revive: needsQuestion('revive'), lower: needsQuestion('lower') }
const asksWire: Readonly<Record<Direction, Question>> = { revive: wireQuestion('revive'), lower: wireQuestion('lower') }
const goesTwoWays: Question = {
  name: 'goes two ways',
  isAnsweredBy: (part) => byWire.lower.has(part.kind) || bySelf.has(part.kind) || hasOptionalElements(part),
}

function needsQuestion(direction: Direction): Question {
  return {
    name: `needs converting: ${direction}`,
    isAnsweredBy: (part) => byWire[direction].has(part.kind) || bySelf.has(part.kind) || losesParts(part),
  }
}

function wireQuestion(direction: Direction): Question {
  return { name: `asks the wire: ${direction}`, isAnsweredBy: (part) => byWire[direction].has(part.kind) }
}

/** Whether a type needs converting at all: it has another form on the wire, or members that go or are left out. */
export function needsConvert(type: ModelType, direction: Direction, planner: Planner): boolean {
  return some(type, planner, needs[direction])
}

/** Whether the conversion asks the protocol. */
export function takesWire(type: ModelType, direction: Direction, planner: Planner): boolean {
  return some(type, planner, asksWire[direction])
}

/** Whether both directions are one: nothing changes but that members and elements go. */
export function isOneWay(type: ModelType, planner: Planner): boolean {
  return !some(type, planner, goesTwoWays)
}

function losesParts(type: ModelType): boolean {
  if (type.kind === 'struct')
    return !type.rest || type.keys !== undefined || type.members.some(({ optional }) => optional)
  return hasOptionalElements(type)
}

function hasOptionalElements(type: ModelType): boolean {
  return type.kind === 'tuple' && type.required < type.elements.length
}

/** Whether some part of a type answers a question; what a name answers is asked once. */
function some(type: ModelType, planner: Planner, question: Question): boolean {
  if (type.kind !== 'ref') {
    return question.isAnsweredBy(type) || partsOf(type).some((part) => some(part, planner, question))
  }
  const { answers } = planner
  const key = `${question.name} ${type.name}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = someWithin(type, planner, question, new Set())
  answers.set(key, answer)
  return answer
}

/** Recursion ends where a name comes again. */
function someWithin(type: ModelType, planner: Planner, question: Question, seen: Set<string>): boolean {
  if (question.isAnsweredBy(type)) return true
  if (type.kind !== 'ref') return partsOf(type).some((part) => someWithin(part, planner, question, seen))
  if (seen.has(type.name)) return false
  seen.add(type.name)
  const known = planner.answers.get(`${question.name} ${type.name}`)
  return known ?? someWithin(planner.typeOf(type.name).type, planner, question, seen)
}

/** Whether null is one of a type's values. */
export function isNullable(type: ModelType, planner: Planner): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => isNullable(branch, planner))
  if (type.kind === 'ref') return isNullable(planner.typeOf(type.name).type, planner)
  return type.kind === 'null' || type.kind === 'any'
}
