import { mapInnerTypes } from '../description/described-types.js'
import type {
  DescribedError,
  DescribedParam,
  DescribedProcedure,
  DescribedType,
  Description,
  NamedType,
  ProcedureMeta,
} from '../description/description.js'
import { typeOf } from '../values/definition.js'
import type { LazyType, Param, WireType } from '../values/types.js'
import type { Definition } from '../values/wire.js'
import { securityOf } from './auth-scheme.js'
import type { Procedure } from './types.js'

/** Describes compiled procedures as plain data, in which types refer to each other by name. */
export function describeProcedures(procedures: Iterable<Procedure>): Description {
  const describer = new ProcedureDescriber()
  return { procedures: Array.from(procedures, (each) => describer.procedure(each)), types: describer.namedTypes() }
}

type Target = Exclude<WireType, LazyType>

/** Describes procedures, and gives the named types of all of them their names. */
class ProcedureDescriber {
  /** The named types that were found so far. */
  readonly #names = new Map<Target, string>()
  readonly #types = new Map<string, Target>()

  procedure(procedure: Procedure): DescribedProcedure {
    const { name, description, params, overloads, returns, signatures } = procedure
    const { protocols, deprecated, deprecation, since, paramsObject, subscription, idempotent, examples, auth } =
      procedure
    const throws = procedure.throws?.map((each) => this.#error(each))
    const described = overloads?.map((each) => ({ params: each.map((param) => this.#param(param)) }))
    return {
      name,
      description,
      params: params.map((each) => this.#param(each)),
      ...(described && { overloads: described }),
      returns: { ...returns, type: this.#type(returns.type) },
      signatures,
      ...specified({
        protocols,
        deprecated,
        deprecation,
        since,
        paramsObject,
        subscription,
        idempotent,
        throws,
        examples,
      }),
      ...(auth && { security: securityOf(auth) }),
    }
  }

  /** Returns the named types of the procedures, and those inside of them. */
  namedTypes(): readonly NamedType[] {
    // Without recursion: a row of types may be long. The map grows while it is iterated.
    return Array.from(this.#types, ([name, type]) => {
      const { notes, unnamed: anonymous } = type
      return { name, ...notes, ...(anonymous && { anonymous }), type: this.#parts(type) }
    })
  }

  #error({ data, ...error }: DescribedError<Definition>): DescribedError {
    return data ? { ...error, data: this.#type(typeOf(data)) } : error
  }

  #param(param: Param): DescribedParam {
    return { ...param, type: this.#type(param.type) }
  }

  #type(type: WireType): DescribedType {
    const { limits } = type
    if (limits) return { ...this.#type(limits.type), constraints: limits.constraints }
    const target = targetOf(type)
    const name = target.id ?? (type.kind === 'ref' ? type.name : undefined)
    return name === undefined ? this.#parts(target) : { kind: 'ref', name: this.#nameOf(name, target) }
  }

  /** Returns the name of a type in the description, with a number if another type has its name. */
  #nameOf(id: string, type: Target): string {
    const known = this.#names.get(type)
    if (known !== undefined) return known
    let name = id
    for (let n = 2; this.#types.has(name); n += 1) name = `${id}${n}`
    this.#names.set(type, name)
    this.#types.set(name, type)
    return name
  }

  /** Describes the inner types of a type, without the properties of named types. */
  #parts(type: Target): DescribedType {
    const { id: _id, notes: _notes, unnamed: _unnamed, ...plain } = type
    // The cast is safe once all inner types are described.
    return mapInnerTypes(plain as DescribedType, (inner) => this.#type(inner as WireType))
  }
}

/** The metadata that callers see: what is for MCP is read from the procedure itself. */
type ShownMeta = Omit<ProcedureMeta, 'mcp' | 'mcpName' | 'readonly' | 'destructive'>

/** Returns the fields that a procedure specifies: all have to be given, so that none is forgotten. */
function specified(meta: { readonly [Name in keyof ShownMeta]-?: ShownMeta[Name] | undefined }): ShownMeta {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined && value !== false))
}

function targetOf(type: WireType): Target {
  return type.kind === 'ref' ? targetOf(type.type()) : type
}
