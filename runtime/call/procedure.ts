// A function with its types, docs and settings, as generated modules and registrations make it. What is derived of these, such as
// parameters, signatures and help, is made on first use.
//
//   procedure(add, { params: { a: int, b: int }, returns: int })
import { helpText, minArguments, type ProcedureMeta } from '../description/description.js'
import { withSecurity } from '../description/security.js'
import { signaturesOf } from '../description/signatures.js'
import { subscriptionId } from '../description/system-names.js'
import { attempt, INVALID, notesOf, typeOf } from '../values/definition.js'
import { importCycleHint } from '../values/describe.js'
import { voidType } from '../values/scalar-types.js'
import type { LazyType, Param, ValueNotes } from '../values/types.js'
import type { Definition, Wire } from '../values/wire.js'
import { authIn } from './auth.js'
import { securityOf } from './auth-scheme.js'
import type { Auth, Manifest, Procedure, Returns, RpcContext, Signature } from './types.js'

/** A parameter that callers may omit, or that takes all arguments from its position on. */
interface FlaggedParam {
  readonly type: Definition
  readonly optional?: true
  readonly rest?: true
}

type ParamType = Definition | FlaggedParam

/** The text of docs, or the text with more. */
type ParamDocs = string | ValueNotes

/** Parameters by name, in order, each alone or with its docs. */
type ParamTypes = Readonly<Record<string, ParamType | readonly [type: ParamType, docs: ParamDocs]>>

/** Marks a parameter that callers may omit. */
export function optional(type: Definition): FlaggedParam {
  return { type, optional: true }
}

/** Marks a rest parameter; `type` is the type of one argument. */
export function rest(type: Definition): FlaggedParam {
  return { type, rest: true }
}

/** What a generated module specifies for one function. */
export interface ProcedureSpec extends ProcedureMeta<Definition> {
  /** The text of its docs. */
  readonly doc?: string
  readonly params?: ParamTypes
  /** The type of the awaited result, alone or with its docs; `void` if absent. */
  readonly returns?: Definition | readonly [type: Definition, doc: string]
  /** The signatures of an overloaded function; `params` and `returns` are then those of all of them. */
  readonly overloads?: readonly { readonly params?: ParamTypes; readonly returns?: Definition }[]
  /** The positions of the parameters that the server fills with the context. */
  readonly context?: readonly number[]
  /** The class of a static method: its `this`. */
  readonly receiver?: unknown
  readonly auth?: Auth
  readonly timeoutMs?: number
  readonly bodyBytes?: number
  /** True if its module is one of RPC_METHODS_MODULES. */
  readonly legacy?: boolean
}

/** A function with its types and docs; `manifest` makes a procedure of it. */
export interface CompiledFunction {
  readonly fn: (...args: never[]) => unknown
  readonly spec: ProcedureSpec
}

/** Pairs a function with its types, docs and settings. */
export function procedure(fn: (...args: never[]) => unknown, spec: ProcedureSpec = {}): CompiledFunction {
  return { fn, spec }
}

/** Functions with their types and docs, by name. */
export type CompiledFunctions = Readonly<Record<string, CompiledFunction>>

/** The compiled forms of functions: how a registration finds them. */
const compiled = new WeakMap<object, Procedure>()

/** Returns the compiled form of a function; undefined if no generated module that was loaded has it. */
export function compiledForm(fn: object): Procedure | undefined {
  return compiled.get(fn)
}

/**
 * Returns procedures by name, in the order given. `registered` are those that `registerProcedure` and `rpcMethod` register.
 *
 * @throws TypeError if a function or its auth is undefined, as in an import cycle
 */
export function manifest(procedures: CompiledFunctions, ...registered: readonly CompiledFunctions[]): Manifest {
  for (const each of registered) compileAll(each)
  return Object.freeze(compileAll(procedures))
}

/** Returns procedures by name, without a prototype. */
function compileAll(functions: CompiledFunctions): Record<string, Procedure> {
  const named: Record<string, Procedure> = Object.create(null)
  for (const name of Object.keys(functions)) {
    const { fn, spec } = functions[name] as CompiledFunction
    if (typeof fn !== 'function') {
      throw new TypeError(`procedure ${name}: its function is ${typeof fn}; ${importCycleHint}`)
    }
    authIn(spec, `procedure ${name}`)
    const made = createProcedure(name, fn, spec)
    compiled.set(fn, made)
    named[name] = made
  }
  return named
}

/** What the server's own procedures and unchecked functions specify beside that. */
export interface InternalSpec extends ProcedureSpec {
  readonly signatures?: readonly Signature[]
  readonly hidden?: boolean
  readonly noLimits?: boolean
}

/** Makes a procedure of a function. */
export function createProcedure(name: string, fn: (...args: never[]) => unknown, spec: InternalSpec): Procedure {
  const { doc = '', context } = spec
  return new CompiledProcedure(new Source(fn, spec), {
    ...spec,
    name,
    description: doc,
    context: context !== undefined,
  })
}

/** Returns a procedure with other settings. */
export function withSettings(procedure: Procedure, settings: Partial<ProcedureSettings>): Procedure {
  return (procedure as CompiledProcedure).with(settings)
}

/** The parameters of a function, or of one of its overloads. */
class Parameters {
  readonly #params: ParamTypes
  readonly #types: readonly Definition[]
  readonly #optional: readonly boolean[]
  readonly #hasRest: boolean
  /** The number of arguments that have to be there. */
  readonly #required: number
  #list: readonly Param[] | undefined

  constructor(params: ParamTypes = {}) {
    const flagged = Object.values(params).map((entry) => flaggedParam(entry)[0])
    this.#params = params
    this.#types = flagged.map(({ type }) => type)
    this.#optional = flagged.map((each) => each.optional === true)
    this.#hasRest = flagged.at(-1)?.rest === true
    this.#required = minArguments(flagged)
  }

  get list(): readonly Param[] {
    this.#list ??= Object.entries(this.#params).map(([name, entry]): Param => {
      const [{ type, ...flags }, docs] = flaggedParam(entry)
      return { name, type: typeOf(type), ...flags, ...notesOf(docs) }
    })
    return this.#list
  }

  /** Converts arguments; throws INVALID. */
  read(args: readonly unknown[], wire: Wire): unknown[] {
    const types = this.#types
    const { length } = args
    if (length < this.#required || (length > types.length && !this.#hasRest)) throw INVALID
    const read = new Array<unknown>(length)
    for (let i = 0; i < length; i += 1) {
      const value = args[i]
      const isOmitted = value === undefined && this.#optional[i]
      read[i] = isOmitted ? undefined : ((types[i] ?? types[types.length - 1]) as Definition)(value, wire)
    }
    return read
  }
}

function flaggedParam(entry: ParamTypes[string]): readonly [FlaggedParam, docs: ParamDocs | undefined] {
  const [type, docs] = typeof entry === 'object' && 'length' in entry ? entry : [entry]
  return [typeof type === 'function' ? { type } : type, docs]
}

/** What procedures of one function share, whatever their names and auth are; descriptions are made when they are needed. */
class Source {
  readonly fn: (...args: unknown[]) => unknown
  readonly spec: InternalSpec
  readonly params: Parameters
  readonly overloads: readonly Parameters[] | undefined
  readonly result: Definition
  #returns: Returns | undefined
  #help: string | undefined
  #signatures: readonly Signature[] | undefined

  constructor(fn: (...args: never[]) => unknown, spec: InternalSpec) {
    const { params, overloads, returns = voidType, receiver, signatures } = spec
    this.fn = (receiver === undefined ? fn : fn.bind(receiver)) as (...args: unknown[]) => unknown
    this.spec = spec
    this.#signatures = signatures
    this.params = new Parameters(params)
    this.overloads = overloads?.map((each) => new Parameters(each.params))
    this.result = typeof returns === 'function' ? returns : returns[0]
  }

  get returns(): Returns {
    const { returns } = this.spec
    this.#returns ??= { type: typeOf(this.result), ...(typeof returns === 'object' && { doc: returns[1] }) }
    return this.#returns
  }

  get help(): string {
    const overloads = this.overloads?.map((each) => ({ params: each.list }))
    this.#help ??= helpText(this.spec.doc ?? '', {
      ...this.spec,
      params: this.params.list,
      overloads,
      returns: this.returns,
    })
    return this.#help
  }

  get signatures(): readonly Signature[] {
    if (this.#signatures) return this.#signatures
    const { overloads = [] } = this.spec
    const own = this.overloads?.map((each, i) => ({
      params: each.list,
      returns: { type: typeOf(overloads[i]?.returns ?? voidType) },
    }))
    const returns = this.spec.subscription ? { type: subscriptionId } : this.returns
    const types = own ?? [{ params: this.params.list, returns }]
    this.#signatures = signaturesOf<LazyType>(types, ({ type }) => type())
    return this.#signatures
  }
}

/** What a server or a namespace may change of a procedure, what only the server's own have, and the metadata. */
type ProcedureSettings = Omit<Procedure, Derived>

/** What its function and its types give. */
type Derived = 'help' | 'signatures' | 'params' | 'overloads' | 'returns' | 'read' | 'invoke' | 'write'

const settingNames = Object.keys({
  name: true,
  auth: true,
  protocols: true,
  timeoutMs: true,
  bodyBytes: true,
  middleware: true,
  inner: true,
  subscription: true,
  paramsObject: true,
  builtIn: true,
  hidden: true,
  noLimits: true,
  legacy: true,
  context: true,
  description: true,
  deprecated: true,
  deprecation: true,
  since: true,
  throws: true,
  examples: true,
  idempotent: true,
  readonly: true,
  destructive: true,
  mcp: true,
  mcpName: true,
} satisfies Record<keyof ProcedureSettings, true>) as (keyof ProcedureSettings)[]

/** Has every setting, in one order: engines see one shape of all procedures. */
const WithSettings = class {
  constructor(settings: ProcedureSettings) {
    const own = this as Record<string, unknown>
    for (const name of settingNames) own[name] = settings[name]
  }
} as new (
  settings: ProcedureSettings,
) => ProcedureSettings

class CompiledProcedure extends WithSettings implements Procedure {
  readonly #source: Source
  readonly #fn: (...args: unknown[]) => unknown
  readonly #context: readonly number[] | undefined

  constructor(source: Source, settings: ProcedureSettings) {
    super(settings)
    this.#source = source
    this.#fn = source.fn
    this.#context = source.spec.context
  }

  with(changes: Partial<ProcedureSettings>): Procedure {
    return new CompiledProcedure(this.#source, { ...this, ...changes })
  }

  read(args: readonly unknown[], wire: Wire): readonly unknown[] {
    const { params, overloads } = this.#source
    const read = params.read(args, wire)
    if (overloads?.every((each) => attempt((own, on) => each.read(own, on), args, wire) === INVALID)) throw INVALID
    return read
  }

  invoke(args: readonly unknown[], context: RpcContext): unknown {
    const fn = this.#fn
    let count = args.length
    while (count > 0 && args[count - 1] === undefined) count -= 1
    if (this.#context) return fn(...withContext(args.slice(0, count), this.#context, context))
    switch (count) {
      case 0:
        return fn()
      case 1:
        return fn(args[0])
      case 2:
        return fn(args[0], args[1])
      default:
        return fn(...(count === args.length ? args : args.slice(0, count)))
    }
  }

  write(result: unknown, wire: Wire): unknown {
    const type = this.#source.result
    // A function of type void may return anything.
    if (type === voidType) return wire.encodes ? null : undefined
    return type(result, wire)
  }

  get help(): string {
    return withSecurity(this.#source.help, this.auth && securityOf(this.auth))
  }
  get signatures(): readonly Signature[] {
    return this.#source.signatures
  }
  get params(): readonly Param[] {
    return this.#source.params.list
  }
  get overloads(): readonly (readonly Param[])[] | undefined {
    return this.#source.overloads?.map((each) => each.list)
  }
  get returns(): Returns {
    return this.#source.returns
  }
}

/** Returns arguments with the context at its positions. */
function withContext(args: readonly unknown[], positions: readonly number[], context: RpcContext): unknown[] {
  const passed = [...args]
  for (const position of positions) {
    while (passed.length < position) passed.push(undefined)
    passed.splice(position, 0, context)
  }
  return passed
}
