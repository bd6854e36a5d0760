import type { Procedure } from '../call/types.js'
import type { LazyType, Param, WireType } from '../values/types.js'
import { mapInnerTypes } from './described-types.js'
import type { DescribedParam, DescribedProcedure, DescribedType, Description, NamedType } from './description.js'

/** Describes compiled procedures as plain data, in which types refer to each other by name. */
export function describeProcedures(procedures: Iterable<Procedure>): Description {
  const naming: Naming = { names: new Map(), types: new Map() }
  return {
    procedures: Array.from(procedures, (each) => describeProcedure(each, naming)),
    types: [...naming.types.values()],
  }
}

/** The named types that were described so far. */
interface Naming {
  readonly names: Map<WireType, string>
  readonly types: Map<string, NamedType>
}

function describeProcedure(procedure: Procedure, naming: Naming): DescribedProcedure {
  const { name, description, params, overloads, returns, signatures } = procedure
  const described = overloads?.map((each) => ({ params: each.map((param) => describeParam(param, naming)) }))
  const { protocols, deprecated, deprecation, since, paramsObject, subscription, idempotent, throws, examples } =
    procedure
  return {
    name,
    description,
    params: params.map((each) => describeParam(each, naming)),
    ...(described && { overloads: described }),
    returns: { ...returns, type: describeType(returns.type, naming) },
    signatures,
    ...(protocols && { protocols }),
    ...(deprecated && { deprecated }),
    ...(deprecation !== undefined && { deprecation }),
    ...(since !== undefined && { since }),
    ...(paramsObject && { paramsObject }),
    ...(subscription && { subscription }),
    ...(idempotent && { idempotent }),
    ...(throws && { throws }),
    ...(examples && { examples }),
  }
}

function describeParam(param: Param, naming: Naming): DescribedParam {
  return { ...param, type: describeType(param.type, naming) }
}

function describeType(type: WireType, naming: Naming): DescribedType {
  const { limits } = type
  if (limits) return { ...describeType(limits.type, naming), constraints: limits.constraints }
  const target = type.kind === 'ref' ? targetOf(type) : type
  const name = target.id ?? (type.kind === 'ref' ? type.name : undefined)
  return name === undefined ? describeParts(target, naming) : { kind: 'ref', name: nameOf(name, target, naming) }
}

function targetOf(type: LazyType): Exclude<WireType, LazyType> {
  const target = type.type()
  return target.kind === 'ref' ? targetOf(target) : target
}

/** Returns the name of a type in the description, with a number if another type has its name. */
function nameOf(id: string, type: Exclude<WireType, LazyType>, naming: Naming): string {
  const { names, types } = naming
  const known = names.get(type)
  if (known !== undefined) return known
  let name = id
  for (let n = 2; types.has(name); n += 1) name = `${id}${n}`
  names.set(type, name)
  const { doc, unnamed: anonymous } = type
  const entry = { name, ...(doc !== undefined && { doc }), ...(anonymous && { anonymous }) }
  // Named first, so that a recursive type terminates.
  types.set(name, { ...entry, type: { kind: 'any' } })
  types.set(name, { ...entry, type: describeParts(type, naming) })
  return name
}

/** Describes the inner types of a type, without the properties of named types. */
function describeParts(type: Exclude<WireType, LazyType>, naming: Naming): DescribedType {
  const { id: _id, doc: _doc, unnamed: _unnamed, ...plain } = type
  // The cast is safe once all inner types are described.
  return mapInnerTypes(plain as DescribedType, (inner) => describeType(inner as WireType, naming))
}
