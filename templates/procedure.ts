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
  /** `isStaff`, a list of predicates, or `'public'`. */
  readonly auth?: string
  readonly timeoutMs?: number
  readonly bodyBytes?: number
  readonly deprecated?: boolean
  readonly deprecation?: string
  readonly since?: string
  readonly idempotent?: boolean
  readonly mcp?: boolean | string
  readonly readonly?: boolean
  readonly destructive?: boolean
  /** Errors and examples of the docs, the members of an object literal each. */
  readonly throws?: readonly (readonly string[])[]
  readonly examples?: readonly (readonly string[])[]
  readonly pickedUp?: boolean
  readonly context: boolean
  /** The arguments as a tuple type: `[a: Int, b?: Int]`. */
  readonly tuple: string
  readonly conditions: readonly string[]
  /** What `invoke` takes and calls: `([a, b])`, `add(a, b)`, and the type of the result; a call for each overload. */
  readonly invoke: { readonly takes: string; readonly result: string; readonly call: readonly string[] }
  /** One for each signature of an overloaded function. */
  readonly overloads?: readonly OverloadPlan[]
  readonly argumentTypes?: ArgumentTypesPlan
  readonly revive?: RevivePlan
  readonly lower?: LowerPlan
}

/** The arguments of each overload, where a type among them has no name to import. */
export interface ArgumentTypesPlan {
  readonly name: string
  readonly fn: string
  readonly count: number
}

/** One signature of an overloaded function: a predicate of its own, and its parameters. */
export interface OverloadPlan {
  readonly name: string
  readonly tuple: string
  readonly conditions: readonly string[]
  readonly params: readonly ParamPlan[]
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
  const { constant, fn, auth, context, deprecated, pickedUp, protocols, overloads = [] } = plan
  const entries = [
    `name: ${quote(plan.name)}`,
    `help: ${quote(plan.help)}`,
    list('signatures: [', plan.signatures.map(renderSignature), ']', 3),
    renderParams('params: [', plan.params),
    ...(overloads.length === 0
      ? []
      : [
          list(
            'overloads: [',
            overloads.map(({ params }) => renderParams('[', params)),
            ']',
          ),
        ]),
    `returns: ${renderFields([`type: ${plan.returns.type}`, ...docField(plan.returns.doc)])}`,
    ...(protocols ? [`protocols: [${protocols.map(quote).join(', ')}]`] : []),
    ...(auth === undefined ? [] : [`auth: ${auth}`]),
    ...(plan.timeoutMs === undefined ? [] : [`timeoutMs: ${plan.timeoutMs}`]),
    ...(plan.bodyBytes === undefined ? [] : [`bodyBytes: ${plan.bodyBytes}`]),
    ...(deprecated ? ['deprecated: true'] : []),
    ...(plan.deprecation === undefined ? [] : [`deprecation: ${quote(plan.deprecation)}`]),
    ...(plan.since === undefined ? [] : [`since: ${quote(plan.since)}`]),
    ...(plan.idempotent ? ['idempotent: true'] : []),
    ...renderMcp(plan),
    ...(plan.throws ? [renderObjects('throws: [', plan.throws)] : []),
    ...(plan.examples ? [renderObjects('examples: [', plan.examples)] : []),
    ...(pickedUp ? ['pickedUp: true'] : []),
    ...(context ? ['context: true'] : []),
    ...(plan.revive === undefined ? [] : [renderRevive(plan.revive)]),
    renderAccepts(plan),
    renderInvoke(plan),
    ...(plan.lower === undefined ? [] : [renderLower(plan.lower)]),
  ]
  const types = plan.argumentTypes ? renderArgumentTypes(plan.argumentTypes) : ''
  const start = types + overloads.map(renderOverload).join('')
  return `${start}${constant === undefined ? '' : `const ${constant} = `}procedure(${fn}, {\n${indent(entries.map((entry) => `${entry},`).join('\n'))}\n})`
}

/** What MCP clients are told of a tool. */
function renderMcp({ mcp, readonly, destructive }: ProcedurePlan): string[] {
  return [
    ...(mcp === undefined ? [] : [`mcp: ${typeof mcp === 'string' ? quote(mcp) : mcp}`]),
    ...(readonly ? ['readonly: true'] : []),
    ...(destructive === undefined ? [] : [`destructive: ${destructive}`]),
  ]
}

/** TypeScript matches the signatures one by one when there are as many on both sides. */
function renderArgumentTypes({ name, fn, count }: ArgumentTypesPlan): string {
  const names = Array.from({ length: count }, (_each, i) => `A${i + 1}`)
  const signatures = names.map((each) => `(...args: infer ${each}): unknown`)
  return `type ${name} = typeof ${fn} extends {\n${indent(signatures.join('\n'))}\n}\n  ? [${names.join(', ')}]\n  : never\n\n`
}

/** `const isSize1 = (args: readonly unknown[]): args is [value: string] => …` */
function renderOverload({ name, tuple, conditions }: OverloadPlan): string {
  const start = `const ${name} = (args: readonly unknown[]): args is ${tuple} =>`
  return `${behind(start, all(conditions, start.length + 1))}\n\n`
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

function renderParams(open: string, params: readonly ParamPlan[]): string {
  if (params.length === 0) return `${open}]`
  return `${open}\n${indent(params.map((param) => `${renderParam(param)},`).join('\n'))}\n]`
}

function renderParam({ name, type, optional, rest, doc }: ParamPlan): string {
  const flags = [...(optional ? ['optional: true'] : []), ...(rest ? ['rest: true'] : [])]
  return renderFields([`name: ${quote(name)}`, `type: ${type}`, ...flags, ...docField(doc)], 5)
}

function renderObjects(open: string, objects: readonly (readonly string[])[]): string {
  return list(
    open,
    objects.map((fields) => renderFields(fields, 5)),
    ']',
    3,
  )
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
  const line = invoke.call.join(' : ')
  if (start.length + line.length + 4 <= lineWidth) return `${start} ${line}`
  return `${start}\n  ${line.length + 5 <= lineWidth ? line : invoke.call.join('\n  : ')}`
}
