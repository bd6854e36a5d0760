import { ts } from 'ts-morph'
import type { ParamModel } from '../model/model.js'
import { isAnything, lacksType, typeNodeOf } from './annotations.js'
import { ownFunction } from './declarations.js'
import type { Place, Problems } from './problems.js'
import type { Resolver } from './resolver.js'
import { rejectUntyped } from './types/rejected.js'
import { resolveOptional } from './types/union.js'

/** A parameter of a signature, which may be an element of a tuple. */
export interface Parameter {
  readonly symbol: ts.Symbol
  readonly type: ts.Type
}

/** Resolves a parameter. Reports it and returns none if it has no name on the wire. */
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
    problems.at(at, 'RPC118', 'a destructured parameter has no name on the wire', {
      hint: 'name it, and destructure it in the body',
    })
    return []
  }
  const { name } = symbol
  const place: Place = { node: at, path: `${procedure}(${name})`, depth: 0 }
  const commented = declared ? [declared, ...impliedBy(declared, node)] : []
  resolver.checkWritten(declared && typeNodeOf(declared), place)
  if (declared && isAny(declared, type, resolver.checker) && lacksType(declared)) {
    rejectUntyped(`the parameter ${name}`, place, resolver)
  }
  if (declared?.dotDotDotToken) return resolveRest(name, type, commented, place, resolver)
  const optional = declared !== undefined && mayBeLeftOut(declared, resolver.checker)
  const resolved = optional ? resolveOptional(type, place, resolver) : resolver.resolve(type, place)
  const limited = resolver.constrainer.byComments(resolved, commented)
  return [{ name, type: limited, ...(optional ? { optional } : {}) }]
}

/** Returns the parameter at the same position in the function of an annotated constant; comments before it apply too. */
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

/** A parameter with a default is optional on the wire also before a context, though TypeScript requires it. */
function mayBeLeftOut(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): boolean {
  return parameter.initializer !== undefined || checker.isOptionalParameter(parameter)
}

/** `...xs: T[]`; a tuple is replaced by the parameters that it represents. */
function resolveRest(
  name: string,
  type: ts.Type,
  commented: readonly ts.Node[],
  place: Place,
  resolver: Resolver,
): ParamModel[] {
  const resolved = resolver.constrainer.byComments(resolver.resolve(type, place), commented)
  if (resolved.constraints) {
    resolver.reject(place, 'RPC126', 'a rest parameter cannot have constraints', 'declare an array instead')
  }
  if (resolved.kind === 'array') return [{ name, type: resolved.element, rest: true }]
  if (resolved.kind !== 'tuple') {
    const hint =
      resolved.kind === 'union' ? 'write an overload for each of them' : 'declare an array: ...values: Item[]'
    resolver.reject(place, 'RPC121', 'the type of a rest parameter has to be an array or a tuple', hint)
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
 * Callers may name parameters, so the names are unique. If another parameter has the name of a tuple element's label, the element
 * gets its default name instead; if that is used too, it is reported.
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

/** The names of a tuple's elements, if it has labels. */
export function labelsOf(type: ts.Type): readonly (string | undefined)[] {
  const { labeledElementDeclarations = [] } = (type as ts.TypeReference).target as ts.TupleType
  return labeledElementDeclarations.map((label) => label?.name.getText())
}
