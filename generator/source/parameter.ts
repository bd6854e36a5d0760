import { ts } from 'ts-morph'
import type { ParamModel } from '../model/model.js'
import { isAnything, labelAt, lacksType, typeNodeOf } from './annotations.js'
import { ownFunction } from './declarations.js'
import type { Place, Problems } from './problems.js'
import type { Resolver } from './resolver.js'
import { rejectUntyped } from './types/rejected.js'
import { inferable, resolveOptional } from './types/union.js'

/** A parameter of a signature. The elements of a tuple that is the rest parameter are parameters of their own. */
export interface Parameter {
  readonly name: string
  /** For `...xs: T[]` the type of the list, for a rest element that of its values. */
  readonly type: ts.Type
  readonly kind: 'required' | 'optional' | 'rest'
  /** The declaration of the parameter, or of the one whose element it is. */
  readonly declared: ts.ParameterDeclaration | undefined
  readonly isElement: boolean
  /** The declarations whose comments may have constraint tags. */
  readonly commented: readonly ts.Node[]
}

/** Returns the parameters of a signature, in the order of the arguments. `node` is the declaration of the function. */
export function parametersOf(signature: ts.Signature, node: ts.Node, checker: ts.TypeChecker): Parameter[] {
  return signature.getParameters().flatMap((symbol, position, all): Parameter[] => {
    const { name, valueDeclaration } = symbol
    const type = inferable(checker.getTypeOfSymbolAtLocation(symbol, node))
    const declared = valueDeclaration && ts.isParameter(valueDeclaration) ? valueDeclaration : undefined
    if (declared?.dotDotDotToken && checker.isTupleType(type)) {
      const names = new Set(all.slice(0, position).map((each) => each.name))
      return elementsOf(name, type as ts.TypeReference, names, checker).map((each) => ({ ...each, declared }))
    }
    const commented = declared ? [declared, ...impliedBy(declared, node)] : []
    return [{ name, type, kind: kindOf(declared, checker), declared, isElement: false, commented }]
  })
}

/** A parameter with a default is optional on the wire also before a context, though TypeScript requires it. */
function kindOf(declared: ts.ParameterDeclaration | undefined, checker: ts.TypeChecker): Parameter['kind'] {
  if (declared?.dotDotDotToken) return 'rest'
  return declared && (declared.initializer || checker.isOptionalParameter(declared)) ? 'optional' : 'required'
}

/** Callers may name parameters, so an element has its label as a name only if no parameter before it has that name. */
function elementsOf(
  name: string,
  type: ts.TypeReference,
  names: Set<string>,
  checker: ts.TypeChecker,
): Omit<Parameter, 'declared'>[] {
  const { elementFlags } = type.target as ts.TupleType
  return checker.getTypeArguments(type).map((each, i) => {
    const flags = elementFlags[i] ?? 0
    const label = labelAt(type, i)
    const written = label?.name.getText()
    const own = written === undefined || names.has(written) ? `${name}${i + 1}` : written
    names.add(own)
    const kind = flags & ts.ElementFlags.Variable ? 'rest' : flags & ts.ElementFlags.Optional ? 'optional' : 'required'
    return { name: own, type: each, kind, isElement: true, commented: label ? [label] : [] }
  })
}

/** Returns the parameter at the same position in the function of an annotated constant; comments before it apply too. */
function impliedBy(declared: ts.ParameterDeclaration, node: ts.Node): readonly ts.ParameterDeclaration[] {
  const own = ownFunction(node)
  if (!own || own === declared.parent) return []
  const same = own.parameters[declared.parent.parameters.indexOf(declared)]
  return same && Boolean(same.dotDotDotToken) === Boolean(declared.dotDotDotToken) ? [same] : []
}

/** Resolves a parameter. Reports it and returns none if it has no name on the wire. */
export function resolveParameter(
  parameter: Parameter,
  node: ts.Node,
  procedure: string,
  resolver: Resolver,
  problems: Problems,
): ParamModel[] {
  const { name, type, declared, kind, isElement, commented } = parameter
  if (declared && !ts.isIdentifier(declared.name)) {
    problems.at(declared, 'RPC118', 'a destructured parameter has no name on the wire', {
      hint: 'name it, and destructure it in the body',
    })
    return []
  }
  const place: Place = { node: declared ?? node, path: `${procedure}(${name})`, depth: 0 }
  resolver.checkWritten(declared && typeNodeOf(declared), place)
  if (declared && lacksType(declared) && isAnything(type, resolver.checker)) {
    rejectUntyped(`the parameter ${name}`, place, resolver)
  }
  const resolved = kind === 'optional' ? resolveOptional(type, place, resolver) : resolver.resolve(type, place)
  const limited = resolver.constrainer.byComments(resolved, commented)
  if (kind !== 'rest') {
    return [
      { name, type: limited, ...(kind === 'optional' && { optional: true, ...(isElement && { element: true }) }) },
    ]
  }
  if (isElement) return [{ name, type: limited, rest: true }]
  if (limited.constraints) {
    resolver.reject(place, 'RPC126', 'a rest parameter cannot have constraints', 'declare an array instead')
  }
  if (limited.kind === 'array') return [{ name, type: limited.element, rest: true }]
  const hint = limited.kind === 'union' ? 'write an overload for each of them' : 'declare an array: ...values: Item[]'
  resolver.reject(place, 'RPC121', 'the type of a rest parameter has to be an array or a tuple', hint)
  return []
}
