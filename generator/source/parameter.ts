import { ts } from 'ts-morph'
import type { ParamModel } from '../model/model.js'
import { isAnything, lacksType, typeNodeOf } from './annotations.js'
import { ownFunction } from './own-functions.js'
import type { Place, Problems } from './problems.js'
import type { Resolver } from './resolver.js'
import { refuseUntyped } from './types/refused.js'
import { resolveOptional } from './types/union.js'

/** A parameter of a signature, which may be an element of a tuple. */
export interface Parameter {
  readonly symbol: ts.Symbol
  readonly type: ts.Type
}

/** What a parameter takes; none, and a report, where it has no name on the wire. */
export function resolveParameter(
  { symbol, type }: Parameter,
  node: ts.Node,
  procedure: string,
  resolver: Resolver,
  problems: Problems,
): ParamModel[] {
  const { valueDeclaration } = symbol
  const declared = valueDeclaration && ts.isParameter(valueDeclaration) ? valueDeclaration : undefined
  const at = declared ?? node
  if (declared && !ts.isIdentifier(declared.name)) {
    problems.at(at, 'RPC118', 'a parameter that is taken apart has no name to travel by', {
      hint: 'name it, and take it apart in the body',
    })
    return []
  }
  const { name } = symbol
  const place: Place = { node: at, path: `${procedure}(${name})`, depth: 0 }
  const commented = declared ? [declared, ...impliedBy(declared, node)] : []
  resolver.checkWritten(declared && typeNodeOf(declared), place)
  if (declared && isAny(declared, type, resolver.checker) && lacksType(declared)) {
    refuseUntyped(`the parameter ${name}`, place, resolver)
  }
  if (declared?.dotDotDotToken) return resolveRest(name, type, commented, place, resolver)
  const optional = declared !== undefined && mayBeLeftOut(declared, resolver.checker)
  const resolved = optional ? resolveOptional(type, place, resolver) : resolver.resolve(type, place)
  const limited = resolver.constrainer.byComments(resolved, commented)
  return [{ name, type: limited, ...(optional ? { optional } : {}) }]
}

/** The parameter in the same place of the function that an annotated constant is: what stands before it counts too. */
function impliedBy(declared: ts.ParameterDeclaration, node: ts.Node): readonly ts.ParameterDeclaration[] {
  const own = ownFunction(node)
  if (!own || own === declared.parent) return []
  const same = own.parameters[declared.parent.parameters.indexOf(declared)]
  return same && Boolean(same.dotDotDotToken) === Boolean(declared.dotDotDotToken) ? [same] : []
}

function isAny(parameter: ts.ParameterDeclaration, type: ts.Type, checker: ts.TypeChecker): boolean {
  const one = parameter.dotDotDotToken ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : type
  return Boolean(one && isAnything(one, checker))
}

/** A default counts also before a context: to TypeScript that parameter must be there, to the wire it need not. */
function mayBeLeftOut(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): boolean {
  return parameter.initializer !== undefined || checker.isOptionalParameter(parameter)
}

/** `...xs: T[]`; a tuple expands into the parameters that it stands for. */
function resolveRest(
  name: string,
  type: ts.Type,
  commented: readonly ts.Node[],
  place: Place,
  resolver: Resolver,
): ParamModel[] {
  const resolved = resolver.constrainer.byComments(resolver.resolve(type, place), commented)
  if (resolved.constraints) {
    resolver.refuse(place, 'RPC126', 'a rest parameter has no constraints of its own', 'take an array in its place')
  }
  if (resolved.kind === 'array') return [{ name, type: resolved.element, rest: true }]
  if (resolved.kind !== 'tuple') {
    const hint = resolved.kind === 'union' ? 'write an overload for each of them' : 'take an array: ...values: Item[]'
    resolver.refuse(place, 'RPC121', 'a rest parameter is an array or a tuple', hint)
    return []
  }
  const labels = labelsOf(type)
  const params = resolved.elements.map((element, i): ParamModel => {
    const param = { name: labels[i] ?? `${name}${i + 1}`, type: element }
    return i < resolved.required ? param : { ...param, optional: true, element: true }
  })
  return resolved.rest ? [...params, { name: labels[params.length] ?? name, type: resolved.rest, rest: true }] : params
}

/**
 * Callers may name their parameters, so no two have one name. The label of a tuple's element that another parameter has gives
 * way to what it would be called without a label; a report, where that is taken too.
 */
export function namedApart(
  before: readonly ParamModel[],
  params: readonly ParamModel[],
  { symbol }: Parameter,
  problems: Problems,
): ParamModel[] {
  const labels = new Set(params.map(({ name }) => name))
  const taken = new Set(before.map(({ name }) => name))
  return params.map((param, i) => {
    const isTaken = taken.has(param.name)
    const name = isTaken ? `${symbol.name}${i + 1}` : param.name
    const at = symbol.valueDeclaration
    if (isTaken && (taken.has(name) || labels.has(name)) && at) {
      problems.at(at, 'RPC118', `there are two parameters ${param.name}`, { hint: 'give the label another name' })
    }
    taken.add(name)
    return isTaken ? { ...param, name } : param
  })
}

/** The names of a tuple's elements, where it has some. */
export function labelsOf(type: ts.Type): readonly (string | undefined)[] {
  const { labeledElementDeclarations = [] } = (type as ts.TypeReference).target as ts.TupleType
  return labeledElementDeclarations.map((label) => label?.name.getText())
}
