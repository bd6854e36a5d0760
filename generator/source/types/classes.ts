// Classes: one that adds nothing to a type of the platform is that type, those with behaviour are rejected, with the correction:
//
//   class User { save() {} }  →  RPC121: the class User is not supported: it has methods (save)
import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../program/problems.js'
import { isOfPlatform, packageOf } from '../program/sources.js'
import { isBuiltin, isPlatformClass, isPlatformSymbol } from './builtin.js'
import type { KindResult, ResolveKind, Resolver } from './resolver-interface.js'

/** Resolves a user type that extends a platform type: lists are supported, others are rejected. */
export const resolveExtended: ResolveKind = (type, place, resolver) => {
  const base = platformBaseOf(type, resolver)
  if (!base) return undefined
  return resolver.checker.isArrayType(base)
    ? resolveList(type, base, place, resolver)
    : rejectBase(base, place, resolver)
}

/** `interface Json extends Array<Value> {}`, a usual form of recursive types. */
function resolveList(type: ts.Type, base: ts.Type, place: Place, resolver: Resolver): KindResult {
  const element = resolver.checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  const isMore = resolver.checker.getPropertiesOfType(type).length > resolver.checker.getPropertiesOfType(base).length
  if (!element || isMore || hasPrivateNames(type, resolver)) return rejectBase(base, place, resolver)
  const readonly = base.symbol.name === 'ReadonlyArray' ? { readonly: true } : {}
  return { define: (at) => ({ kind: 'array', element: resolver.resolveInner(element, at, '[]'), ...readonly }) }
}

/** Resolves a class or an interface that adds nothing to a supported type of the platform as that type: `class NativeDate extends Date {}`. */
export const resolveBare: ResolveKind = (type, place, resolver) => {
  const { checker } = resolver
  const { target = type } = type as ts.TypeReference
  if (!target.isClassOrInterface() || isPlatformSymbol(target.symbol, resolver)) return undefined
  const [base, second] = checker.getBaseTypes(target as ts.InterfaceType)
  if (!base || second || target.typeParameters) return undefined
  const isEmpty = target.symbol.declarations?.every(
    (each) => (ts.isClassLike(each) || ts.isInterfaceDeclaration(each)) && !each.members.some(addsToInstances),
  )
  if (!isEmpty) return undefined
  return isBuiltin(base, resolver) ? resolver.resolve(base, place) : resolveBare(base, place, resolver)
}

/** True for a member of instances: no static one, and no constructor that only makes them. */
function addsToInstances(member: ts.ClassElement | ts.TypeElement): boolean {
  if (ts.isConstructorDeclaration(member))
    return member.parameters.some((each) => ts.isParameterPropertyDeclaration(each, member))
  const isStatic = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static
  return !isStatic && !ts.isSemicolonClassElement(member) && !ts.isClassStaticBlockDeclaration(member)
}

/** Rejects an object that is more than its data: with private state, with methods of a class of the platform, or with its own. */
export function rejectBehaviour(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  place: Place,
  resolver: Resolver,
): ModelType | undefined {
  if (hasPrivateNames(type, resolver)) return rejectPrivate(place, resolver)
  const platform = properties.map((property) => platformMethodOf(property, resolver)).find(Boolean)
  if (platform !== undefined) return rejectPlatform(platform, type, place, resolver)
  const methods = classMethods(type, properties)
  return methods.length > 0 ? rejectMethods(type, methods, place, resolver) : undefined
}

/** Returns the methods of a class, whose instances are more than data. */
function classMethods({ symbol }: ts.Type, properties: readonly ts.Symbol[]): readonly string[] {
  const isClass = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Class) !== 0
  return isClass ? properties.filter(({ flags }) => flags & ts.SymbolFlags.Method).map(({ name }) => name) : []
}

/** Rejects a class as a whole: callers would not get its methods. */
function rejectMethods(
  { symbol: { name } }: ts.Type,
  methods: readonly string[],
  place: Place,
  { reject }: Resolver,
): ModelType {
  const message = `the class ${name} is not supported: it has methods (${methods.join(', ')})`
  const instead = methods.includes('toJSON')
    ? 'declare what its toJSON() returns, and call that in the procedure'
    : `declare its data, which an instance has too: Data<${name}>, of rpc-gen`
  return reject(place, 'RPC121', message, `${instead}; or give it a codec: \`scalars\` in rpc.config`)
}

export function rejectPrivate(place: Place, { reject }: Resolver): ModelType {
  return reject(place, 'RPC121', 'a class with private state is not supported', privateHint)
}

const privateHint = 'declare an interface of its data, or give the class a codec: `scalars` in rpc.config'

/** Returns the platform class that declares a method: mapped types over a number or over bytes have such members. */
function platformMethodOf({ declarations }: ts.Symbol, { project }: Resolver): string | undefined {
  const [declaration] = declarations ?? []
  if (!declaration || !(ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration))) return undefined
  const { parent } = declaration
  if (!ts.isInterfaceDeclaration(parent) && !ts.isClassDeclaration(parent)) return undefined
  return isOfPlatform(parent, project) ? parent.name?.text : undefined
}

function rejectPlatform(name: string, type: ts.Type, place: Place, { project, reject }: Resolver): ModelType {
  const source = type.symbol?.declarations?.[0]?.getSourceFile()
  const hint = type.isIntersection()
    ? `${name} cannot be intersected with another type: use it alone${/^(?:Readonly)?Array$/.test(name) ? ', as in [T, ...T[]] or T[] & MinItems<1>' : ''}`
    : source && project.program.isSourceFileDefaultLibrary(source)
      ? `Partial, Readonly, Pick and the like are for structs: write the type itself${name === 'Array' ? ', or readonly before it' : ''}`
      : `a mapped type was applied to ${name}: return ${name} unchanged first: ${keptFirst(name)}`
  return reject(place, 'RPC121', `an object with the methods of ${name} is not supported`, hint)
}

/** Returns the correction of a conditional type, for which an Int is an object too, because it is a number with a tag. */
function keptFirst(name: string): string {
  return `T extends ${keptAs[name.replace(/^Readonly/, '')] ?? name} ? T : …`
}

const primitiveTypes = 'number | string | boolean'

/** What a type extends if it is one of a platform's, where that is not the name alone. */
const keptAs: Readonly<Record<string, string>> = {
  ...{ Number: primitiveTypes, String: primitiveTypes, Boolean: primitiveTypes, BigInt: primitiveTypes },
  ...{ Array: 'readonly unknown[]', Map: 'ReadonlyMap<unknown, unknown>', Set: 'ReadonlySet<unknown>' },
}

/** Finds `#key` of a class or a base class, which is not among the properties of the type. */
function hasPrivateNames(type: ts.Type, resolver: Resolver): boolean {
  const { target = type } = type as ts.TypeReference
  const declarations = target.symbol?.declarations ?? []
  const own = declarations.some((each) => ts.isClassLike(each) && each.members.some(isPrivateName))
  return (
    own || (target.isClass() && resolver.checker.getBaseTypes(target).some((each) => hasPrivateNames(each, resolver)))
  )
}

function isPrivateName({ name }: ts.ClassElement): boolean {
  return name !== undefined && ts.isPrivateIdentifier(name)
}

function rejectBase({ symbol: { name } }: ts.Type, place: Place, { reject }: Resolver): ModelType {
  const hint =
    name === 'Error' ? 'declare an interface of its data, or throw an RpcError' : `write ${name} itself, or a struct`
  return reject(place, 'RPC121', `a type that extends ${name} is not supported`, hint)
}

/** Returns the platform class that a type extends, directly or indirectly. */
function platformBaseOf(type: ts.Type, resolver: Resolver): ts.Type | undefined {
  const { target = type } = type as ts.TypeReference
  if (!target.isClassOrInterface() || isPlatformSymbol(target.symbol, resolver)) return undefined
  for (const base of resolver.checker.getBaseTypes(target as ts.InterfaceType)) {
    const found = isPlatformClass(base, resolver) ? base : platformBaseOf(base, resolver)
    if (found) return found
  }
  return undefined
}

/**
 * Rejects an instance of a class from a package, such as Decimal or DateTime, as a whole: its members would cause dozens of
 * problems that the user cannot correct.
 */
export const rejectLibraryClass: ResolveKind = (type, place, resolver) => {
  const found = libraryClassOf(type, resolver)
  if (!found) return undefined
  const { symbol, packageName } = found
  const message = `the class ${symbol.name} of ${packageName} is not supported`
  return resolver.reject(place, 'RPC121', message, hintForClass(type, resolver))
}

function hintForClass(type: ts.Type, { checker }: Resolver): string {
  const members = checker.getPropertiesOfType(type).map(({ name }) => name)
  const method = ['toJSON', 'toString'].find((name) => members.includes(name))
  return method === undefined
    ? 'declare an interface of its data and convert it in the procedure, or give it a codec: `scalars` in rpc.config'
    : `declare what its ${method}() returns and convert it in the procedure, or give it a codec: \`scalars\` in rpc.config`
}

/** Returns the class of a type, or the nearest base class, that is from a package and more than data. */
function libraryClassOf(
  type: ts.Type,
  resolver: Resolver,
): { readonly symbol: ts.Symbol; readonly packageName: string } | undefined {
  // `HydratedDocument<User>` of mongoose is one in an intersection.
  for (const part of type.isIntersection() ? type.types : []) {
    const found = libraryClassOf(part, resolver)
    if (found) return found
  }
  const { symbol } = type
  const [declaration] = symbol?.declarations ?? []
  if (symbol && isPlatformSymbol(symbol, resolver)) return undefined
  const packageName = declaration && packageOf(declaration)
  if (packageName !== undefined) return hasBehaviour(type, resolver) ? { symbol, packageName } : undefined
  for (const base of symbol && symbol.flags & ts.SymbolFlags.Class
    ? resolver.checker.getBaseTypes(type as ts.InterfaceType)
    : []) {
    const found = libraryClassOf(base, resolver)
    if (found) return found
  }
  return undefined
}

/** True for a class with methods or private state, or an interface with `toJSON`. */
function hasBehaviour(type: ts.Type, { checker }: Resolver): boolean {
  const members = checker.getPropertiesOfType(type)
  const isMethod = ({ flags }: ts.Symbol) => Boolean(flags & ts.SymbolFlags.Method)
  const { flags } = type.symbol
  if (flags & ts.SymbolFlags.Class) return members.some((each) => isMethod(each) || isHidden(each))
  return Boolean(flags & ts.SymbolFlags.Interface) && members.some((each) => each.name === 'toJSON' && isMethod(each))
}

/** True for a private or protected member. */
export function isHidden({ valueDeclaration }: ts.Symbol): boolean {
  const hiding = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  return valueDeclaration !== undefined && Boolean(ts.getCombinedModifierFlags(valueDeclaration) & hiding)
}
