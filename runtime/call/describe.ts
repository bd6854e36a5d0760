import { mapInnerTypes } from '../description/described-types.js'
import type {
  DescribedError,
  DescribedParam,
  DescribedProcedure,
  DescribedType,
  Description,
  NamedType,
} from '../description/description.js'
import type { ApiInfo, OpenRpc } from '../description/openrpc.js'
import { openRpcOf } from '../description/openrpc-document.js'
import { typeOf } from '../values/definition.js'
import type { LazyType, Param, WireType } from '../values/types.js'
import type { Definition } from '../values/wire.js'
import { securityOf } from './auth-scheme.js'
import type { Procedure, Table } from './types.js'

/** A server's own description, made once for each table. */
export interface Discovered {
  readonly description: Description
  readonly document: OpenRpc
}

const known = /* @__PURE__ */ new WeakMap<Table, Discovered>()

/** Describes the procedures of a table, the server's own left out. */
export function discover(table: Table, { servers, ...info }: ApiInfo): Discovered {
  const made = known.get(table)
  if (made) return made
  const procedures = [...table.values()].filter(({ builtIn }) => !builtIn)
  const description = describeProcedures(procedures)
  const document = openRpcOf(description, info, servers)
  const discovered: Discovered = { description, document }
  known.set(table, discovered)
  return discovered
}

/** Describes compiled procedures as plain data, in which types refer to each other by name. */
export function describeProcedures(procedures: Iterable<Procedure>): Description {
  const naming: Naming = { names: new Map(), types: new Map() }
  return {
    procedures: Array.from(procedures, (each) => describeProcedure(each, naming)),
    // Without recursion: a row of types may be long. The map grows while it is iterated.
    types: Array.from(naming.types, ([name, type]): NamedType => {
      const { notes, unnamed: anonymous } = type
      return { name, ...notes, ...(anonymous && { anonymous }), type: describeParts(type, naming) }
    }),
  }
}

/** The named types that were found so far. */
interface Naming {
  readonly names: Map<Target, string>
  readonly types: Map<string, Target>
}

type Target = Exclude<WireType, LazyType>

function describeProcedure(procedure: Procedure, naming: Naming): DescribedProcedure {
  const { name, description, params, overloads, returns, signatures } = procedure
  const described = overloads?.map((each) => ({ params: each.map((param) => describeParam(param, naming)) }))
  const { protocols, deprecated, deprecation, since, paramsObject, subscription, idempotent, throws, examples, auth } =
    procedure
  return {
    name,
    description,
    params: params.map((each) => describeParam(each, naming)),
    ...(described && { overloads: described }),
    returns: { ...returns, type: toDescribedType(returns.type, naming) },
    signatures,
    ...(protocols && { protocols }),
    ...(deprecated && { deprecated }),
    ...(deprecation !== undefined && { deprecation }),
    ...(since !== undefined && { since }),
    ...(paramsObject && { paramsObject }),
    ...(subscription && { subscription }),
    ...(idempotent && { idempotent }),
    ...(throws && { throws: throws.map((each) => describeError(each, naming)) }),
    ...(examples && { examples }),
    ...(auth && { security: securityOf(auth) }),
  }
}

function describeError({ data, ...error }: DescribedError<Definition>, naming: Naming): DescribedError {
  return data ? { ...error, data: toDescribedType(typeOf(data), naming) } : error
}

function describeParam(param: Param, naming: Naming): DescribedParam {
  return { ...param, type: toDescribedType(param.type, naming) }
}

function toDescribedType(type: WireType, naming: Naming): DescribedType {
  const { limits } = type
  if (limits) return { ...toDescribedType(limits.type, naming), constraints: limits.constraints }
  const target = type.kind === 'ref' ? targetOf(type) : type
  const name = target.id ?? (type.kind === 'ref' ? type.name : undefined)
  return name === undefined ? describeParts(target, naming) : { kind: 'ref', name: nameOf(name, target, naming) }
}

function targetOf(type: LazyType): Target {
  const target = type.type()
  return target.kind === 'ref' ? targetOf(target) : target
}

/** Returns the name of a type in the description, with a number if another type has its name. */
function nameOf(id: string, type: Target, { names, types }: Naming): string {
  const known = names.get(type)
  if (known !== undefined) return known
  let name = id
  for (let n = 2; types.has(name); n += 1) name = `${id}${n}`
  names.set(type, name)
  types.set(name, type)
  return name
}

/** Describes the inner types of a type, without the properties of named types. */
function describeParts(type: Target, naming: Naming): DescribedType {
  const { id: _id, notes: _notes, unnamed: _unnamed, ...plain } = type
  // The cast is safe once all inner types are described.
  return mapInnerTypes(plain as DescribedType, (inner) => toDescribedType(inner as WireType, naming))
}
