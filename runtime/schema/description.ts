import type { ProtocolName } from '../protocol.js'
import type { Constrained, ParamOf, WireTypeOf } from '../values/types.js'

/** A type of `Description.types`, by its name there. */
export interface NameRef extends Constrained {
  readonly kind: 'ref'
  readonly name: string
}

/** What a type means on the wire, other types by name. */
export type DescribedType = WireTypeOf<NameRef>

/** A type that is written once and referred to by name. */
export interface NamedType {
  /** Unique in its description, a TypeScript identifier. */
  readonly name: string
  readonly type: DescribedType
  readonly doc?: string
  /** True where the source has no name for it; `name` was then made from the place. */
  readonly anonymous?: boolean
}

/** Named types by their name. */
export type TypesByName = ReadonlyMap<string, NamedType>

/** One with other types by name. */
export type DescribedParam = ParamOf<DescribedType>

/** An error that the docs announce. */
export interface DescribedError {
  /** The class, or the code as it is written; empty where the docs name neither. */
  readonly name: string
  /** What a caller will see; absent where nothing says it. */
  readonly code?: number
  readonly text: string
}

/** A call that the docs show. */
export interface DescribedExample {
  /** As it is written. */
  readonly text: string
  /** The arguments by position, as JSON carries them; absent where the text is no call of literals. */
  readonly params?: readonly unknown[]
  /** What it answers, as JSON carries it, in a list of one; absent where the text does not say. */
  readonly result?: readonly [unknown]
}

/** What a procedure says of itself beside its name and its types. */
export interface ProcedureMeta {
  /** Protocols that may call it; all of them when absent. */
  readonly protocols?: readonly ProtocolName[]
  /** Set when a newer name should be called instead. */
  readonly deprecated?: boolean
  /** What its docs say of that: what to call instead. */
  readonly deprecation?: string
  /** The version that it came with. */
  readonly since?: string
  /** Whether a call may be sent again when its answer got lost. */
  readonly idempotent?: boolean
  /** The errors that its docs announce. */
  readonly throws?: readonly DescribedError[]
  /** The calls that its docs show. */
  readonly examples?: readonly DescribedExample[]
}

/** One signature of an overloaded function; a compiled procedure does not say what each of them answers. */
export interface DescribedOverload {
  readonly params: readonly DescribedParam[]
  readonly returns?: { readonly type: DescribedType }
}

/** One procedure as a caller sees it. */
export interface DescribedProcedure extends ProcedureMeta {
  readonly name: string
  /** The prose of its docs; `''` without any. */
  readonly description: string
  readonly params: readonly DescribedParam[]
  /** Where the function is overloaded, the parameters of each overload; `params` has what any of them takes. */
  readonly overloads?: readonly DescribedOverload[]
  readonly returns: { readonly type: DescribedType; readonly doc?: string }
  /** What `system.methodSignature` answers. */
  readonly signatures: readonly (readonly string[])[]
}

/** An API, in plain data: what JSON Schema, OpenRPC and the docs page are written from. */
export interface Description {
  readonly procedures: readonly DescribedProcedure[]
  readonly types: readonly NamedType[]
}

/** The lists of parameters that a procedure may be called with: one of each overload, in their order, or its only one. */
export function parameterLists({
  params,
  overloads,
}: Pick<DescribedProcedure, 'params' | 'overloads'>): readonly (readonly DescribedParam[])[] {
  return overloads?.map((each) => each.params) ?? [params]
}

/** What has parameters, and perhaps overloads with parameters of their own. */
interface Overloaded<Param> {
  readonly params: readonly Param[]
  readonly overloads?: readonly { readonly params: readonly Param[] }[] | undefined
}

/** Every parameter that a doc may be about, none twice: those of the procedure, then those of a name that an overload alone has. */
export function parametersByName<Param extends { readonly name: string }>(of: Overloaded<Param>): readonly Param[] {
  const { params, overloads = [] } = of
  const own = new Set(params.map(({ name }) => name))
  const others = overloads.flatMap((each) => each.params).filter(({ name }) => !own.has(name))
  return [...params, ...new Map(others.map((each) => [each.name, each])).values()]
}

/**
 * The least number of arguments by position: a parameter with a default before one that must be there has a place all the
 * same, and null or nothing in it takes the default.
 */
export function minArguments(params: readonly Pick<DescribedParam, 'optional' | 'rest'>[]): number {
  return params.findLastIndex(({ optional, rest }) => !optional && !rest) + 1
}

/** Whether a protocol may call a procedure. */
export function isCallableBy(protocol: ProtocolName, { protocols }: Pick<ProcedureMeta, 'protocols'>): boolean {
  return protocols?.includes(protocol) ?? true
}

/** What is said of an error, without the code that it may begin with; its name where nothing is said. */
export function errorText({ name, code, text }: DescribedError): string {
  const begins = code !== undefined && text.startsWith(`${code}`)
  const said = begins ? text.slice(`${code}`.length).replace(/^[\s.,:;]+/, '') : text
  return said === '' ? name : said
}

/** What of a procedure or its docs its help text is made of. */
export interface Documented {
  readonly params: readonly DocumentedParam[]
  readonly overloads?: readonly { readonly params: readonly DocumentedParam[] }[] | undefined
  readonly returns: { readonly doc?: string | undefined }
}

interface DocumentedParam {
  readonly name: string
  readonly doc?: string | undefined
}

/**
 * The help text of a procedure: the description, then `:param a: …` lines and `:return: …`. Only what has a text is listed;
 * continuation lines are indented by four spaces. Empty when nothing is documented.
 */
export function helpText(description: string, documented: Documented): string {
  return [description, fieldsOf(documented)].filter((part) => part !== '').join('\n\n')
}

/** The description in a help text: what stands before the lines for the parameters and the result. */
export function descriptionIn(help: string, documented: Documented): string {
  const fields = fieldsOf(documented)
  if (fields === '') return help
  if (help === fields) return ''
  return help.endsWith(`\n\n${fields}`) ? help.slice(0, -fields.length - 2) : help
}

function fieldsOf(documented: Documented): string {
  const params = parametersByName(documented).map(({ name, doc }) => field(`:param ${name}:`, doc))
  const fields = [...params, field(':return:', documented.returns.doc)]
  return fields.flat().join('\n')
}

function field(head: string, text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [`${head} ${text.replace(/\n(?=[^\n])/g, '\n    ')}`]
}
