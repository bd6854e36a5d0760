// The parameters and the result of a function, without the context; overloads are merged into one signature:
//
//   (a: Int, context: RpcContext) => Promise<string>  →  params: [a: int], contextAt: [1], returns: string
import { ts } from 'ts-morph'
import { structureOf } from '../../../runtime/description/described-types.js'
import { minArguments } from '../../../runtime/description/description.js'
import type { ValueNotes } from '../../../runtime/values/types.js'
import type { ModelType, OverloadModel, ParamModel, ReturnsModel } from '../../model/model.js'
import { notesOf } from '../comments/notes.js'
import {
  callSignatures,
  isAnyOrAnyArray,
  isList,
  labelAt,
  lacksType,
  literalValueOf,
  ownFunction,
  type TupleLabel,
  typeNodeOf,
  withoutNoInfer,
  writtenResult,
} from '../program/checker.js'
import { dependenciesOf } from '../program/dependencies.js'
import { literalOf, noValue } from '../program/literals.js'
import { type Place, placeOf } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { dataMemberOf, isPlatformSymbol, isStream, itemTypeOf, streamHint } from '../types/builtin.js'
import { isContextType, noValues } from '../types/rejected.js'
import type { PlacedUnion, Resolver } from '../types/resolver-interface.js'
import { resolveOptional } from '../types/union.js'
import { checkInferred, rejectUntyped } from '../types/unresolved.js'
import type { Declaration } from './declarations.js'

/** The types of a function: parameters on the wire, positions of the context, the awaited result. */
export interface ResolvedSignature {
  readonly params: readonly ParamModel[]
  readonly contextAt: readonly number[]
  /** Further names that the docs may have: of contexts, and of the parameters of overloads. */
  readonly otherNames: readonly string[]
  readonly returns: Pick<ReturnsModel, 'type' | 'promise'>
  /** True if it returns an AsyncIterable, whose items `returns` describes. */
  readonly subscription?: boolean
  /** The signatures of an overloaded function. */
  readonly overloads?: readonly OverloadModel[]
}

/** Resolves a function's signatures and merges several into one. Reports unsupported ones and returns undefined. */
export function resolveSignature(
  declaration: Declaration,
  name: string,
  resolver: Resolver,
): ResolvedSignature | undefined {
  const { project, checker } = resolver
  const { node } = declaration
  const signatures = callSignatures(node, checker)
  if (!signatures.every((signature) => isSupported(signature, node, project))) return undefined
  const place = placeOf(node, name)
  const resolved = signatures.map((each) => resolveCallSignature(each, declaration.contextTarget, place, resolver))
  const [only, ...others] = resolved
  if (!only || others.length === 0) return only
  const isSubscription = resolved.some(({ subscription }) => subscription)
  if (isSubscription || resolved.some(({ contextAt }) => contextAt.length > 0)) {
    const kind = isSubscription ? 'a subscription' : 'a procedure with a context'
    const hint = 'export one function for each overload, or declare a union'
    project.problems.at(node, 'RPC116', `an overloaded function cannot be ${kind}`, { hint })
    return undefined
  }
  return mergeOverloads(resolved, place, resolver)
}

/** `place` is that of the function; `contextTarget` the parameter that a registration passes the context to. */
function resolveCallSignature(
  signature: ts.Signature,
  contextTarget: string | undefined,
  place: Place,
  resolver: Resolver,
): ResolvedSignature {
  const { node } = place
  const all = parametersOf(signature, node, resolver.checker)
  const contextAt = all.flatMap(({ type, name: own }, i) => (isContext(type) || own === contextTarget ? [i] : []))
  const onWire = all.filter((_each, i) => !contextAt.includes(i))
  const params = onWire.flatMap((each) => resolveParameter(each, place, resolver))
  const twice = all.find((each, i) => all.findIndex((other) => other.name === each.name) < i)
  if (twice) {
    const hint = `give ${twice.isElement ? 'the label' : 'one of them'} another name`
    resolver.project.problems.at(twice.declared ?? node, 'RPC118', `there are two parameters ${twice.name}`, { hint })
  }
  if (all.slice(0, -1).some(({ kind }) => kind === 'rest')) {
    const message = 'a rest element is supported only at the end of a tuple'
    resolver.reject(place, 'RPC121', message, 'put it last')
  }
  const otherNames = contextAt.flatMap((i) => all[i]?.name ?? [])
  // A parameter without a type is reported once, also if the result is inferred from it.
  const reported = new Set<ts.Node>(onWire.flatMap(({ declared }) => declared ?? []))
  return { params, contextAt, otherNames, ...resolveReturn(signature, place, reported, resolver) }
}

/** Reports a generic function, and one that needs `this`. */
function isSupported(signature: ts.Signature, node: ts.Node, { checker, problems }: OpenProject): boolean {
  if (signature.getTypeParameters()?.length) {
    const hint = 'export a function with the types that callers may send'
    problems.at(node, 'RPC115', 'a generic function cannot be a procedure: the wire has no type arguments', { hint })
    return false
  }
  const { thisParameter } = signature as ts.Signature & { thisParameter?: ts.Symbol }
  // `this: void` declares that the function needs none, and these types that it accepts any.
  const unused = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown
  const isUsed = thisParameter && !(checker.getTypeOfSymbol(thisParameter).flags & unused)
  if (isUsed) {
    const hint = 'declare a parameter instead'
    problems.at(node, 'RPC117', 'a function with a this parameter cannot be a procedure', { hint })
  }
  return !isUsed
}

/** Recognises RpcContext by the type and its package, even if it is optional. */
export function isContext(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types.filter((each) => !(each.flags & ts.TypeFlags.Undefined)) : [type]
  const [only, second] = parts
  return only !== undefined && !second && isContextType(only)
}

/** A parameter of a signature. The elements of a tuple that is the rest parameter are parameters of their own. */
interface Parameter {
  readonly name: string
  /** For `...xs: T[]` the type of the list, for a rest element that of its values. */
  readonly type: ts.Type
  readonly kind: 'required' | 'optional' | 'rest'
  /** The declaration of the parameter, or of the one whose element it is. */
  readonly declared: ts.ParameterDeclaration | undefined
  readonly isElement: boolean
  /** The declarations whose comments may have constraint tags. */
  readonly commented: readonly ts.Node[]
  /** The label of an element. */
  readonly label?: TupleLabel | undefined
}

/** Returns the parameters of a signature, in the order of the arguments. `node` is the declaration of the function. */
export function parametersOf(signature: ts.Signature, node: ts.Node, checker: ts.TypeChecker): Parameter[] {
  return signature.getParameters().flatMap((symbol, position, all): Parameter[] => {
    const { name, valueDeclaration } = symbol
    const type = withoutNoInfer(checker.getTypeOfSymbolAtLocation(symbol, node))
    const declared = valueDeclaration && ts.isParameter(valueDeclaration) ? valueDeclaration : undefined
    const kind = kindOf(declared, position, signature, checker)
    if (kind === 'rest' && checker.isTupleType(type)) {
      const names = new Set(all.slice(0, position).map((each) => each.name))
      return tupleParameters(name, type as ts.TypeReference, names, checker).map((each) => ({ ...each, declared }))
    }
    const commented = declared ? [declared, ...sameInInitializer(declared, node)] : []
    return [{ name, type, kind, declared, isElement: false, commented }]
  })
}

/** Returns the type of an argument for a parameter: of `...xs: T[]` it is T. */
export function argumentTypeOf({ type, kind, isElement }: Parameter, checker: ts.TypeChecker): ts.Type {
  return (kind === 'rest' && !isElement && checker.getIndexTypeOfType(type, ts.IndexKind.Number)) || type
}

/**
 * A parameter with a default is optional on the wire also before a context, though TypeScript requires it. Those of JSDoc's callbacks, of
 * combined functions and of `arguments` are not declared as parameters.
 */
function kindOf(
  declared: ts.ParameterDeclaration | undefined,
  position: number,
  signature: ts.Signature,
  checker: ts.TypeChecker,
): Parameter['kind'] {
  // Not in TypeScript's declarations.
  const { minArgumentCount } = signature as ts.Signature & { readonly minArgumentCount: number }
  const { signatureHasRestParameter } = ts as unknown as { signatureHasRestParameter(signature: ts.Signature): boolean }
  if (signatureHasRestParameter(signature) && position === signature.parameters.length - 1) return 'rest'
  // Of the last ones TypeScript lets callers leave out those that accept void.
  const mayBeLeftOut = signature.parameters.slice(position, minArgumentCount).every((each) => {
    const type = checker.getTypeOfSymbol(each)
    return isContext(type) || (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & ts.TypeFlags.Void)
  })
  return mayBeLeftOut || declared?.initializer ? 'optional' : 'required'
}

/** Callers may name parameters, so an element has its label as a name only if no parameter before it has that name. */
function tupleParameters(
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
    return { name: own, type: each, kind, isElement: true, commented: [], label }
  })
}

/** Returns the parameter at the same position in the function of an annotated constant; comments before it apply too. */
function sameInInitializer(declared: ts.ParameterDeclaration, node: ts.Node): readonly ts.ParameterDeclaration[] {
  const own = ownFunction(node)
  if (!own || own === declared.parent) return []
  const same = own.parameters[declared.parent.parameters.indexOf(declared)]
  return same && Boolean(same.dotDotDotToken) === Boolean(declared.dotDotDotToken) ? [same] : []
}

/** Resolves a parameter of the function at a place. Reports it and returns none if it has no name on the wire. */
function resolveParameter(parameter: Parameter, ofFunction: Place, resolver: Resolver): ParamModel[] {
  const { name, type, declared, kind, isElement, commented, label } = parameter
  if (declared && !ts.isIdentifier(declared.name)) {
    const hint = 'name it, and destructure it in the body'
    resolver.project.problems.at(declared, 'RPC118', 'a destructured parameter has no name on the wire', { hint })
    return []
  }
  const place = { ...ofFunction, node: declared ?? ofFunction.node, path: `${ofFunction.path}(${name})` }
  resolver.checkWritten(declared && typeNodeOf(declared), place)
  if (declared && lacksType(declared) && isAnyOrAnyArray(type, resolver.checker)) {
    rejectUntyped(`the parameter ${name}`, place, resolver)
  }
  const resolved = kind === 'optional' ? resolveOptional(type, place, resolver) : resolver.resolve(type, place)
  const limited = label
    ? resolver.constrainer.withLabelTags(resolved, type, label, place)
    : resolver.constrainer.withCommentTags(resolved, commented)
  const documented = label ? [label] : commented
  const notes = { ...notesOf(documented, resolver.project), ...defaultOf(documented, resolver.checker) }
  if (kind !== 'rest') {
    const flags = kind === 'optional' && { optional: true, ...(isElement && { element: true }) }
    return [{ name, type: limited, ...flags, ...notes }]
  }
  if (isElement) return [{ name, type: limited, rest: true, ...notes }]
  if (limited.constraints) {
    resolver.reject(place, 'RPC126', 'a rest parameter cannot have constraints', 'declare an array instead')
  }
  if (limited.kind === 'array') return [{ name, type: limited.element, rest: true, ...notes }]
  const hint = limited.kind === 'union' ? 'write an overload for each of them' : 'declare an array: ...values: Item[]'
  resolver.reject(place, 'RPC121', 'the type of a rest parameter has to be an array or a tuple', hint)
  return []
}

/** Returns the default of a parameter if it is a literal, a constant or the member of an enum. */
function defaultOf(nodes: readonly ts.Node[], checker: ts.TypeChecker): Pick<ValueNotes, 'default'> {
  const [value] = nodes.flatMap((each) => (ts.isParameter(each) && each.initializer) || [])
  if (!value || (ts.isIdentifier(value) && value.text === 'undefined')) return {}
  const written = literalOf(value)
  if (written !== noValue) return { default: written }
  const known = literalValueOf(checker.getTypeAtLocation(value), checker)
  return known === undefined || typeof known === 'bigint' ? {} : { default: known }
}

/** `reported` are the parameters that are reported already, if they have no type. */
function resolveReturn(
  signature: ts.Signature,
  ofFunction: Place,
  reported: ReadonlySet<ts.Node>,
  resolver: Resolver,
): Pick<ResolvedSignature, 'returns' | 'subscription'> {
  const { checker } = resolver
  const returned = signature.getReturnType()
  const awaited = awaitedType(returned, resolver) ?? returned
  const declared = writtenResult(signature.getDeclaration())
  const promised = promisedType(returned, checker)
  const place = { ...ofFunction, node: declared ?? ofFunction.node, path: `${ofFunction.path}()` }
  resolver.checkWritten(declared, place)
  const isInferred = !declared && !(awaited.flags & ts.TypeFlags.Never)
  const inferred = isInferred ? dependenciesOf(signature.getDeclaration() ?? ofFunction.node, checker) : undefined
  for (const each of inferred?.nodes ?? []) resolver.checkWritten(each, place)
  const item = itemTypeOf(awaited, checker)
  const type = resolveResult(awaited, item, place, resolver)
  if (inferred) checkInferred(type, inferred, reported, place, resolver)
  const promise = awaited === returned ? 'no' : promised === awaited ? 'yes' : 'maybe'
  return { returns: { type, promise }, ...(item ? { subscription: true } : {}) }
}

/** `item` is the type of the items of a subscription. */
function resolveResult(type: ts.Type, item: ts.Type | undefined, place: Place, resolver: Resolver): ModelType {
  if (type.flags & ts.TypeFlags.Never)
    return resolver.reject(place, 'RPC121', noValues, 'declare void if the function only throws')
  if (!item) return resolver.resolve(type, place)
  const { checker } = resolver
  const reject = (reason: string, hint: string) =>
    resolver.reject(place, 'RPC121', `${checker.typeToString(type)} is not supported: ${reason}`, hint)
  if (isStream(type, item, resolver)) return reject('it is a stream', streamHint)
  const member = dataMemberOf(type, checker)
  if (!member) return resolver.resolve(item, place)
  const hint = `declare the result as AsyncIterable<${checker.typeToString(item)}>, and return ${member} from a procedure of its own`
  return reject(`only its items are sent, without ${member}`, hint)
}

/**
 * Returns the type that `await` makes of a value; undefined if a promise contains itself. The checker compares what is not a promise with
 * all primitive types first, which takes longer than all else that a result needs: it is asked only for types with `then`.
 */
function awaitedType(type: ts.Type, resolver: Resolver): ts.Type | undefined {
  const { checker } = resolver
  const promised = promisedType(type, checker)
  if (promised && isPlatformSymbol(type.symbol, resolver)) return awaitedType(promised, resolver)
  const mayBePromise = (part: ts.Type) =>
    Boolean(part.flags & ts.TypeFlags.Instantiable) ||
    (!isList(part, checker) && checker.getPropertyOfType(part, 'then') !== undefined)
  const parts = type.isUnion() ? type.types : [type]
  return parts.some(mayBePromise) ? checker.getAwaitedType(type) : type
}

/** Returns the type argument of a declared Promise, which may be a promise again. */
function promisedType(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  return type.getSymbol()?.name === 'Promise' ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined
}

/**
 * Merges the signatures of several overloads into one, position by position, with the names of the longest. It is used
 * for metadata and for converting arguments. Predicates receive the overload that was called.
 */
function mergeOverloads(overloads: readonly OverloadModel[], place: Place, resolver: Resolver): ResolvedSignature {
  const positions = overloads.map(({ params }) => params.filter(({ rest }) => !rest))
  const longest = positions.reduce((one, other) => (other.length > one.length ? other : one))
  const least = Math.min(...positions.map(minArguments))
  const union = (types: readonly ModelType[], name: string) => {
    const path = `${place.path}(${name})`
    return unionOfOverloads(types, { ...place, path }, name === '' ? 'return' : 'accept', resolver)
  }
  const params = longest.map(({ name, type: _type, optional: _, ...notes }, i): ParamModel => {
    const types = overloads.flatMap((each) => typeAt(each.params, i))
    return { name, type: union(types, name), ...(i < least ? {} : { optional: true }), ...notes }
  })
  const rests = overloads.flatMap((overload) => overload.params.filter(({ rest }) => rest))
  const restTypes = rests.map(({ type }) => type)
  const names = new Set(longest.map(({ name }) => name))
  const last = rests.slice(0, 1).map((rest) => {
    const name = freeName(rest.name, names)
    return { ...rest, name, type: union(restTypes, name) }
  })
  const results = overloads.map(({ returns }) => returns.type)
  return {
    params: [...params, ...last],
    contextAt: [],
    otherNames: overloads.flatMap((overload) => overload.params.map(({ name }) => name)),
    returns: { type: union(results, ''), promise: promiseOf(overloads) },
    overloads,
  }
}

/** Returns the name of a rest parameter beside the parameters of another overload, one of which may be called the same. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}${taken.size + 1}`, taken) : name
}

/** Returns the type at a position; after the last parameter that of a rest parameter. */
function typeAt(params: readonly ParamModel[], position: number): ModelType[] {
  const last = params.at(-1)
  const param = params[position] ?? (last?.rest ? last : undefined)
  return param ? [param.type] : []
}

function unionOfOverloads(
  types: readonly ModelType[],
  place: Place,
  overloads: NonNullable<PlacedUnion['overloads']>,
  resolver: Resolver,
): ModelType {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.branches : [type]))
  const branches = [...new Map(flat.map((type) => [structureOf(type), type])).values()]
  const [only] = branches
  if (only && branches.length === 1) return only
  resolver.unions.push({ branches, place, overloads })
  return { kind: 'union', branches }
}

function promiseOf(overloads: readonly OverloadModel[]): ReturnsModel['promise'] {
  const [promise = 'no', ...others] = new Set(overloads.map(({ returns }) => returns.promise))
  return others.length === 0 ? promise : 'maybe'
}
