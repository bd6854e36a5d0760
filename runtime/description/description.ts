// An API in plain data, as a build and a server describe it: procedures with their parameters, docs and errors, and types by name. Everything
// that is written about an API is made from it, such as the help of `system.methodHelp`: `:param a: The first number.`
import type { ProtocolName } from '../protocols.js'
import type { Constrained, Notes, ParamOf, TypeNotes, ValueNotes, WireTypeOf } from '../values/types.js'
import type { DescribedSecurity } from './security.js'

/** A reference to a type of `Description.types`, by name. */
export interface NameRef extends Constrained {
  readonly kind: 'ref'
  readonly name: string
}

/** A wire type that refers to other types by name. */
export type DescribedType = WireTypeOf<NameRef>

/** A named type. */
export interface NamedType extends TypeNotes {
  /** A TypeScript identifier, unique in the description. */
  readonly name: string
  readonly type: DescribedType
  /** True if the source has no name for the type; `name` was then derived from its location. */
  readonly anonymous?: boolean
}

/** Types by the names of references to them. */
export type TypesByName = ReadonlyMap<string, Omit<NamedType, 'name'>>

/** One parameter, whose type refers to other types by name. */
export type DescribedParam = ParamOf<DescribedType>

/** An error that the docs declare with `@throws`; `Data` is how types are represented. */
export interface DescribedError<Data = DescribedType> {
  /** The class, or the code as written in the docs; empty without both. */
  readonly name: string
  /** The code that callers receive; absent if it is unknown. */
  readonly code?: number
  readonly text: string
  /** The type of its data; absent if its class does not declare one. */
  readonly data?: Data
}

/** A call from `@example`. */
export interface DescribedExample {
  /** The source text. */
  readonly text: string
  /** The arguments by position, as JSON; absent if the text is not a call with literals. */
  readonly params?: readonly unknown[]
  /** The result as JSON, in a list of one; absent if the text does not specify it. */
  readonly result?: readonly [unknown]
}

/** The metadata of a procedure, beside its name and types; `Data` is how the types of errors are represented. */
export interface ProcedureMeta<Data = DescribedType> {
  /** The protocols that may call it; all if absent. */
  readonly protocols?: readonly ProtocolName[]
  /** True if callers should use another procedure. */
  readonly deprecated?: boolean
  /** The text of `@deprecated`. */
  readonly deprecation?: string
  /** The version that introduced it. */
  readonly since?: string
  /** True if the params object of a call is its only argument, instead of an object of arguments by name. */
  readonly paramsObject?: boolean
  /** True if it returns an AsyncIterable: a call results in the id of a subscription, `returns` describes the items. */
  readonly subscription?: boolean
  /** True if clients may retry a call without a response. */
  readonly idempotent?: boolean
  /** True if it is an MCP tool; a text is also the title of the tool. */
  readonly mcp?: boolean | string
  /** The name of the MCP tool; made from that of the procedure if absent. */
  readonly mcpName?: string
  /** True if a call does not change anything. */
  readonly readonly?: boolean
  /** True if a call may delete or overwrite something, false if it only adds; absent if the docs do not specify it. */
  readonly destructive?: boolean
  /** The errors that its docs declare. */
  readonly throws?: readonly DescribedError<Data>[]
  /** The calls of its `@example` tags. */
  readonly examples?: readonly DescribedExample[]
}

/** One signature of an overloaded function; compiled procedures do not have its return type. */
export interface DescribedOverload {
  readonly params: readonly DescribedParam[]
  readonly returns?: { readonly type: DescribedType }
}

/** One procedure, as callers see it. */
export interface DescribedProcedure extends ProcedureMeta {
  readonly name: string
  /** The text of its docs; `''` without docs. */
  readonly description: string
  readonly params: readonly DescribedParam[]
  /** The parameters of each overload; `params` then accepts what any of them does. Absent without overloads. */
  readonly overloads?: readonly DescribedOverload[]
  readonly returns: { readonly type: DescribedType; readonly doc?: string }
  /** The result of `system.methodSignature`. */
  readonly signatures: readonly (readonly string[])[]
  /** The callers that are authorised; absent if it has no auth. In a build, that of namespaces and servers is not known. */
  readonly security?: DescribedSecurity
}

/** An API as plain data, from which JSON Schema, OpenRPC and the docs page are written. */
export interface Description {
  readonly procedures: readonly DescribedProcedure[]
  readonly types: readonly NamedType[]
}

/** Returns the parameters of each overload in order, or the only list. */
export function parameterLists({
  params,
  overloads,
}: Pick<DescribedProcedure, 'params' | 'overloads'>): readonly (readonly DescribedParam[])[] {
  return overloads?.map((each) => each.params) ?? [params]
}

/** A procedure with parameters, perhaps with overloads. */
interface Overloaded<Param> {
  readonly params: readonly Param[]
  readonly overloads?: readonly { readonly params: readonly Param[] }[] | undefined
}

/** Returns all parameters without duplicate names: those of the procedure, then others of its overloads. */
export function parametersByName<Param extends { readonly name: string }>(of: Overloaded<Param>): readonly Param[] {
  const { params, overloads = [] } = of
  const own = new Set(params.map(({ name }) => name))
  const others = overloads.flatMap((each) => each.params).filter(({ name }) => !own.has(name))
  return [...params, ...new Map(others.map((each) => [each.name, each])).values()]
}

/**
 * Returns the minimum number of arguments by position. An optional parameter before a required one counts: callers send null for
 * it.
 */
export function minArguments(params: readonly Pick<DescribedParam, 'optional' | 'rest'>[]): number {
  return params.findLastIndex(({ optional, rest }) => !optional && !rest) + 1
}

/** True if a protocol may call a procedure. */
export function isCallableBy(
  protocol: ProtocolName,
  { protocols }: { readonly protocols?: readonly ProtocolName[] | undefined },
): boolean {
  return protocols?.includes(protocol) ?? true
}

/** Returns the text of a declared error without the code at its beginning, or its name if there is no text. */
export function errorText({ name, code, text }: Omit<DescribedError, 'data'>): string {
  const begins = code !== undefined && text.startsWith(`${code}`)
  const rest = begins ? text.slice(`${code}`.length).replace(/^[\s.,:;]+/, '') : text
  return rest === '' ? name : rest
}

/** The parts of a procedure, or of its docs, that its help text contains. */
export interface Documented extends Pick<Notes, 'deprecated' | 'deprecation'> {
  readonly params: readonly DocumentedParam[]
  readonly overloads?: readonly { readonly params: readonly DocumentedParam[] }[] | undefined
  readonly returns: { readonly doc?: string | undefined }
  readonly subscription?: boolean | undefined
  readonly throws?: readonly Omit<DescribedError<unknown>, 'data'>[] | undefined
}

interface DocumentedParam extends ValueNotes {
  readonly name: string
}

/**
 * Returns the help text of a procedure: the description with its deprecation, then `:param a: …` lines, with defaults, and `:return: …`, for
 * those that have docs, and `:raises 404: …`; of a subscription a sentence about it, and `:yield: …`. Continuation lines are indented by four
 * spaces. Empty without docs.
 */
export function helpText(description: string, documented: Documented): string {
  const kind = documented.subscription
    ? 'Subscription, over WebSocket or by server-sent events over HTTP: notifications carry the items.'
    : ''
  const text = docText({ ...documented, ...(description && { doc: description }) })
  return [text, kind, fieldsOf(documented)].filter(Boolean).join('\n\n')
}

function fieldsOf(documented: Documented): string {
  const params = parametersByName(documented).map((each) => field(`:param ${each.name}:`, valueText(each)))
  const errors = documented.throws?.map((each) => field(`:raises ${each.code ?? each.name}:`, errorText(each))) ?? []
  const fields = [...params, field(documented.subscription ? ':yield:' : ':return:', documented.returns.doc), ...errors]
  return fields.flat().join('\n')
}

function field(head: string, text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [`${head} ${text.replace(/\n(?=[^\n])/g, '\n    ')}`]
}

/** Returns docs as one text, in which a deprecation is the last paragraph; undefined without docs. */
export function docText({ doc, deprecated, deprecation }: Notes): string | undefined {
  if (!deprecated) return doc
  const notice = deprecation === undefined ? 'Deprecated.' : `Deprecated: ${deprecation}`
  return doc === undefined ? notice : `${doc}\n\n${notice}`
}

/** Returns the docs of a member or a parameter as one text, in which its default is the last paragraph; '' without docs. */
function valueText(notes: ValueNotes): string {
  return withDefault(docText(notes) ?? '', notes.default)
}

/** Adds a default to docs: `Default: 20` */
export function withDefault(text: string, value: unknown): string {
  return value === undefined ? text : `${text}${text && '\n\n'}Default: ${JSON.stringify(value)}`
}

/** The first sentence of a description, in one line. */
export function summaryOf(description: string): string {
  const [paragraph = ''] = description.split(/\n\s*\n/, 1)
  const line = paragraph.replace(/\s+/g, ' ').trim()
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
}
