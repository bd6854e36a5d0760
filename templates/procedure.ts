import { all, behind, indent, lineWidth, list, quote } from './text.js'

/** One procedure, decided. */
export interface ProcedurePlan {
  /** `add$`; absent where the procedure is only compiled, for who registers its function. */
  readonly constant?: string
  /** The user's function, as it is called here. */
  readonly fn: string
  readonly name: string
  readonly help: string
  readonly signatures: readonly (readonly string[])[]
  readonly params: readonly ParamPlan[]
  readonly returns: { readonly type: string; readonly doc?: string }
  readonly protocols?: readonly string[]
  /** `isStaff`, a list of predicates, or `false`. */
  readonly auth?: string
  readonly deprecated?: boolean
  readonly pickedUp?: boolean
  readonly context: boolean
  /** The arguments as a tuple type: `[a: Int, b?: Int]`. */
  readonly tuple: string
  readonly conditions: readonly string[]
  /** What `invoke` takes and calls: `([a, b])`, `add(a, b)`, and the type of the result. */
  readonly invoke: { readonly takes: string; readonly result: string; readonly call: string }
  readonly revive?: RevivePlan
  readonly lower?: LowerPlan
}

/** The conversions of the arguments, and the one of those behind the last. */
export interface RevivePlan {
  readonly converts: readonly string[]
  readonly rest?: string
}

/** What a result must be, and what is then written. */
export interface LowerPlan {
  readonly takes: string
  readonly test: string
  readonly result: string
}

/** One parameter that travels. */
export interface ParamPlan {
  readonly name: string
  readonly type: string
  readonly optional?: boolean
  readonly rest?: boolean
  readonly doc?: string
}

/** `const add$ = procedure(add, { … })` */
export function renderProcedure(plan: ProcedurePlan): string {
  const { constant, fn, auth, context, deprecated, pickedUp, protocols } = plan
  const entries = [
    `name: ${quote(plan.name)}`,
    `help: ${quote(plan.help)}`,
    list('signatures: [', plan.signatures.map(renderSignature), ']', 3),
    renderParams(plan.params),
    `returns: ${renderFields([`type: ${plan.returns.type}`, ...docField(plan.returns.doc)])}`,
    ...(protocols ? [`protocols: [${protocols.map(quote).join(', ')}]`] : []),
    ...(auth === undefined ? [] : [`auth: ${auth}`]),
    ...(deprecated ? ['deprecated: true'] : []),
    ...(pickedUp ? ['pickedUp: true'] : []),
    ...(context ? ['context: true'] : []),
    ...(plan.revive === undefined ? [] : [renderRevive(plan.revive)]),
    renderAccepts(plan),
    renderInvoke(plan),
    ...(plan.lower === undefined ? [] : [renderLower(plan.lower)]),
  ]
  return `${constant === undefined ? '' : `const ${constant} = `}procedure(${fn}, {\n${indent(entries.map((entry) => `${entry},`).join('\n'))}\n})`
}

function renderRevive({ converts, rest }: RevivePlan): string {
  const close = rest === undefined ? '], wire)' : `], wire, ${rest})`
  return list('revive: (args, wire) => reviveArguments(args, [', converts, close, 3)
}

function renderLower({ takes, test, result }: LowerPlan): string {
  const line = `lower: ${takes} => (${test} ? ${result} : unfit)`
  return line.length + 3 <= lineWidth ? line : `lower: ${takes} =>\n  ${test}\n    ? ${result}\n    : unfit`
}

function renderSignature(signature: readonly string[]): string {
  return `[${signature.map(quote).join(', ')}]`
}

function renderParams(params: readonly ParamPlan[]): string {
  if (params.length === 0) return 'params: []'
  return `params: [\n${indent(params.map((param) => `${renderParam(param)},`).join('\n'))}\n]`
}

function renderParam({ name, type, optional, rest, doc }: ParamPlan): string {
  const flags = [...(optional ? ['optional: true'] : []), ...(rest ? ['rest: true'] : [])]
  return renderFields([`name: ${quote(name)}`, `type: ${type}`, ...flags, ...docField(doc)], 5)
}

function renderFields(fields: readonly string[], before = 13): string {
  return list('{', fields, '}', before)
}

function docField(doc: string | undefined): string[] {
  return doc === undefined ? [] : [`doc: ${quote(doc)}`]
}

function renderAccepts({ tuple, conditions }: ProcedurePlan): string {
  const start = `accepts: (args): args is ${tuple} =>`
  return behind(start, all(conditions, start.length + 4))
}

function renderInvoke({ invoke }: ProcedurePlan): string {
  const start = `invoke: ${invoke.takes}: ${invoke.result} =>`
  return start.length + invoke.call.length + 4 <= lineWidth ? `${start} ${invoke.call}` : `${start}\n  ${invoke.call}`
}
