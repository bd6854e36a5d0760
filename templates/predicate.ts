import { noStruct } from './struct.js'
import { all, behind, indent, lineWidth, list, oneOf } from './text.js'

/** The wire type of a named type, as an expression that can be broken. */
export interface WirePlan {
  readonly constant: string
  /** `struct('Order', {` */
  readonly open: string
  readonly items: readonly string[]
  readonly close: string
}

/** Whether a value is of a named type. */
export interface PredicatePlan {
  readonly name: string
  /** The TypeScript type that it proves; absent where the type cannot be named. */
  readonly proves?: string
  readonly test: TestPlan
  /** The function that memoizes it, in a type that is entangled with itself. */
  readonly memoize?: string
}

/** All conditions must hold, or one of them; or the case that the discriminant names decides. */
export type TestPlan =
  | { readonly conditions: readonly string[] }
  | { readonly alternatives: readonly string[] }
  | { readonly discriminant: string; readonly cases: readonly CasePlan[]; readonly otherwise: string }

/** The values of a discriminant that lead to one branch. */
export interface CasePlan {
  readonly values: readonly string[]
  readonly result: string
}

/** Turns a value of a named type, one way or the other. */
export interface ConvertPlan {
  readonly name: string
  readonly takesWire: boolean
  readonly body: ConvertBody
  /** The function that memoizes it, in a type that is entangled with itself. */
  readonly memoize?: string
}

export type ConvertBody =
  | { readonly expression: string }
  | SwitchBody
  | { readonly members: readonly string[]; readonly optional: readonly OptionalPlan[]; readonly result: string }

/** The case that the discriminant names decides; `unlike` is for what is no object. */
export interface SwitchBody {
  readonly discriminant: string
  readonly cases: readonly CasePlan[]
  readonly otherwise: string
  readonly unlike: string
}

/** A member that is written only where it is there. */
export interface OptionalPlan {
  readonly condition: string
  readonly assignment: string
}

/** `const order: WireType = struct('Order', { … })` */
export function renderWire({ constant, open, items, close }: WirePlan): string {
  const start = `const ${constant}: WireType = `
  return start + list(open, items, close, start.length)
}

/** `const isOrder = (v: unknown): v is Order => …` */
export function renderPredicate({ name, proves, test, memoize }: PredicatePlan): string {
  const open = memoize === undefined ? '' : `${memoize}(`
  const start = `const ${name} = ${open}(v: unknown): ${proves === undefined ? 'boolean' : `v is ${proves}`} =>`
  const close = memoize === undefined ? '' : ')'
  if ('conditions' in test) return behind(start, all(test.conditions, start.length + 1)) + close
  if ('alternatives' in test) return behind(start, oneOf(test.alternatives, start.length + 1)) + close
  return `${start} {\n${indent(`if (${noStruct('v')}) return ${test.otherwise}\n${cases(test.discriminant, test.cases, 'false')}`)}\n}${close}`
}

/** `function reviveOrder(v: unknown, wire: Wire): unknown { … }` */
export function renderConvert({ name, takesWire, body, memoize }: ConvertPlan): string {
  const params = `(v: unknown${takesWire ? ', wire: Wire' : ''}): unknown`
  const block = `{\n${indent(convertBody(body))}\n}`
  return memoize === undefined
    ? `function ${name}${params} ${block}`
    : `const ${name} = ${memoize}(${params} => ${block})`
}

function convertBody(body: ConvertBody): string {
  if ('expression' in body) return `return ${body.expression}`
  if ('discriminant' in body) {
    return `if (${noStruct('v')}) return ${body.unlike}\n${cases(body.discriminant, body.cases, body.otherwise)}`
  }
  const guard = `if (${noStruct('v')}) return v\n`
  const { members, optional, result } = body
  const literal = list('{', members, '}', 'const out: Struct = '.length)
  if (optional.length === 0 && result === 'out') return `${guard}return ${literal}`
  const assignments = optional.map(renderOptional).join('')
  return `${guard}const out: Struct = ${literal}\n${assignments}return ${result}`
}

function renderOptional({ condition, assignment }: OptionalPlan): string {
  const line = `if (${condition}) ${assignment}`
  return line.length <= lineWidth ? `${line}\n` : `if (${condition}) {\n  ${assignment}\n}\n`
}

function cases(discriminant: string, plans: readonly CasePlan[], otherwise: string): string {
  const blocks = plans.map(
    ({ values, result }) => `${values.map((value) => `case ${value}:`).join('\n')}\n  return ${result}\n`,
  )
  return `switch (${discriminant}) {\n${indent(`${blocks.join('')}default:\n  return ${otherwise}`)}\n}`
}
