import { ts } from 'ts-morph'
import type { MemberOf } from '../../../runtime/values/types.js'
import { quote } from '../../../templates/layout.js'
import type { ModelType, NameRef } from '../../model/model.js'
import { memberPath } from '../../model/path.js'
import { typeNodeOf } from '../annotations.js'
import { docOf } from '../comments/comments.js'
import { nameSymbol } from '../naming.js'
import type { Place } from '../problems.js'
import { isPlatformSource } from '../project/sources.js'
import type { ResolveKind, Resolver } from '../resolver.js'
import { declarationsOf } from '../symbols.js'
import { isOfPlatform, isPhantom, keySymbolOf, refuseNamedBrand } from './brand.js'
import {
  type Beside,
  besideIndex,
  type Index,
  indexOf,
  isClosed,
  isKeyedBySymbols,
  refuseContradicted,
} from './index-signature.js'
import { assignedIn, isUntyped, refuseTooWide, refuseUntyped } from './refused.js'
import { isContradictory, refuseContradictory, resolveOptional } from './union.js'

const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection

/** Whatever has members: interfaces, object types, mapped types, intersections, classes of public data. */
export const resolveStruct: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLike)) return undefined
  const { checker } = resolver
  if (hasPrivateNames(type)) return refusePrivate(place, resolver)
  const all = checker.getPropertiesOfType(type)
  const properties = all.filter((property) => !isPhantom(property, resolver.project))
  const tooWide = refuseTooWide(properties.length, place, resolver)
  if (tooWide) return tooWide
  const platform = properties.map((property) => platformMethodOf(property, resolver)).find(Boolean)
  if (platform !== undefined) return refusePlatform(platform, type, place, resolver)
  const methods = methodsOf(type, properties)
  if (methods.length > 0) return refuseMethods(type, methods, properties, place, resolver)
  if (isKeyedBySymbols(type, resolver)) return refuseSymbols(place, resolver)
  const closed = isClosed(type, resolver)
  const index = closed ? undefined : indexOf(type, place, resolver)
  if (index || closed) refuseContradicted(type, properties, place, resolver)
  refuseNamedBrand(type, place, resolver)
  if (properties.length === 0 && !index && !closed) {
    if (all.length > 0) return refuseBare(place, resolver)
    if (isContradictory(type, checker)) return refuseContradictory(type, place, resolver)
    return isEmptyObject(type)
      ? resolver.refuse(place, 'RPC121', '{} does not say which members it has', 'declare the members, or unknown')
      : resolver.named(type, place, () => ({ kind: 'struct', members: [] }))
  }
  const build = (at: Place) => structOf(properties, index, at, resolver)
  const plainRecord = all.length === 0 && index && !isUserNamed(type, resolver)
  return plainRecord ? build(place) : resolver.named(type, place, build)
}

/** The methods of a class: its instances are more than data. */
function methodsOf({ symbol }: ts.Type, properties: readonly ts.Symbol[]): readonly string[] {
  const isClass = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Class) !== 0
  return isClass ? properties.filter(({ flags }) => flags & ts.SymbolFlags.Method).map(({ name }) => name) : []
}

/** Rejects a class as a whole. An instance is accepted where its data is declared. */
function refuseMethods(
  { symbol: { name } }: ts.Type,
  methods: readonly string[],
  properties: readonly ts.Symbol[],
  place: Place,
  { refuse }: Resolver,
): ModelType {
  const isData = (each: ts.Symbol) =>
    !methods.includes(each.name) &&
    !(each.valueDeclaration && ts.getCombinedModifierFlags(each.valueDeclaration) & hiding)
  const data = properties.filter(isData).map((each) => quote(each.name))
  const own =
    data.length === 0 ? '' : `declare its data, which an instance has too: Pick<${name}, ${data.join(' | ')}>; or `
  const hint = `${own}give it a codec: \`scalars\` in rpc.config`
  return refuse(place, 'RPC121', `the class ${name} is not supported: it has methods (${methods.join(', ')})`, hint)
}

function structOf(
  properties: readonly ts.Symbol[],
  index: Index | undefined,
  place: Place,
  resolver: Resolver,
): ModelType {
  const rest = index && { ...index, model: resolver.resolvePart(index.type, place, '[]') }
  return {
    kind: 'struct',
    members: properties.map((property) => memberOf(property, place, resolver, rest)),
    ...(rest ? { rest: rest.model } : {}),
    ...(index?.keys ? { keys: index.keys } : {}),
  }
}

function memberOf(property: ts.Symbol, place: Place, resolver: Resolver, beside?: Beside): MemberOf<NameRef> {
  const { name } = property
  const type = resolver.checker.getTypeOfSymbol(property)
  const own = whereDeclared(property, type, resolver)
  const path = memberPath(place.path, name)
  const part: Place = { node: own ?? place.node, path, depth: place.depth + 1 }
  for (const each of declarationsOf(property)) resolver.checkWritten(typeNodeOf(each), part)
  const hidden = refuseHidden(property, part, resolver)
  if (hidden) return { name, type: hidden }
  const assigned = assignedIn(property)
  if (isUntyped(own ?? assigned, type, resolver.checker)) {
    return { name, type: refuseUntyped(`the member ${name}`, { ...part, node: assigned ?? part.node }, resolver) }
  }
  const doc = docOf(declarationsOf(property), resolver.project)
  const optional = Boolean(property.flags & ts.SymbolFlags.Optional)
  const plain = optional ? resolveOptional(type, part, resolver) : resolver.resolve(type, part)
  const resolved = resolver.constrainer.byMember(plain, property, part)
  const both = beside ? besideIndex(resolved, beside, part, resolver, property) : resolved
  return { name, type: both, ...(optional ? { optional } : {}), ...doc }
}

/** The member's own declaration, where it is the user's and says just this type: no type argument or mapping made it. */
function whereDeclared(
  { valueDeclaration }: ts.Symbol,
  type: ts.Type,
  { checker, project }: Resolver,
): ts.Node | undefined {
  const source = valueDeclaration?.getSourceFile()
  if (!source || project.program.isSourceFileFromExternalLibrary(source)) return undefined
  if (project.program.isSourceFileDefaultLibrary(source)) return undefined
  return checker.getTypeAtLocation(valueDeclaration as ts.Node) === type ? valueDeclaration : undefined
}

const hiding = ts.ModifierFlags.Private | ts.ModifierFlags.Protected

/** Members that no struct can have: keyed by a symbol, private, or a method. */
function refuseHidden(property: ts.Symbol, part: Place, resolver: Resolver): ModelType | undefined {
  const declaration = property.valueDeclaration
  if (property.name.startsWith('__@')) {
    const path = part.path.replace(/[.[]"?__@.*$/, '')
    const key = keySymbolOf(property)
    return refuseSymbols({ ...part, path }, resolver, key && !isOfPlatform(key, resolver.project))
  }
  if (!declaration || !(ts.getCombinedModifierFlags(declaration) & hiding)) return undefined
  return refusePrivate(part, resolver)
}

function refuseSymbols(place: Place, { refuse }: Resolver, mayBrand = false): ModelType {
  const hint = mayBrand
    ? `${leaveOut}; as a brand its symbol is only declared: declare const brand: unique symbol`
    : leaveOut
  return refuse(place, 'RPC121', 'a member keyed by a symbol cannot travel', hint)
}

const leaveOut = 'leave it out'

function refuseBare(place: Place, { refuse }: Resolver): ModelType {
  const hint = 'put it to the type of the value: { id: Int } & { readonly [brand]: true }'
  return refuse(place, 'RPC121', 'a brand alone does not say what has it', hint)
}

function refusePrivate(place: Place, { refuse }: Resolver): ModelType {
  return refuse(place, 'RPC121', 'a class with private state cannot travel', privateHint)
}

const privateHint = 'declare an interface of its data, or give the class a codec: `scalars` in rpc.config'

/** `#key` of a class or of one that it extends: not among the properties of the type. */
function hasPrivateNames(type: ts.Type): boolean {
  const declarations = type.symbol?.declarations ?? []
  const own = declarations.some((each) => ts.isClassLike(each) && each.members.some(isPrivateName))
  return own || (type.isClass() && (type.getBaseTypes() ?? []).some(hasPrivateNames))
}

function isPrivateName({ name }: ts.ClassElement): boolean {
  return name !== undefined && ts.isPrivateIdentifier(name)
}

function isUserNamed(type: ts.Type, { project }: Resolver): boolean {
  const source = nameSymbol(type)?.declarations?.[0]?.getSourceFile()
  return source !== undefined && !project.program.isSourceFileDefaultLibrary(source)
}

/** `{}`, which every value but null and undefined satisfies; an interface without members means it. */
function isEmptyObject(type: ts.Type): boolean {
  return !type.isClassOrInterface() && !type.aliasSymbol
}

/** The class of the platform that a member is a method of: what a mapped type over a number or over bytes is made of. */
function platformMethodOf({ declarations }: ts.Symbol, { project }: Resolver): string | undefined {
  const [declaration] = declarations ?? []
  if (!declaration || !(ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration))) return undefined
  const { parent } = declaration
  if (!ts.isInterfaceDeclaration(parent) && !ts.isClassDeclaration(parent)) return undefined
  return isPlatformSource(parent.getSourceFile(), project.program) ? parent.name?.text : undefined
}

function refusePlatform(name: string, type: ts.Type, place: Place, { refuse }: Resolver): ModelType {
  const hint = type.isIntersection()
    ? `nothing can be added to ${name} on its way: write it alone`
    : `a type that maps over members was given ${name}: keep that one as it is, before anything else: ${keptFirst(name)}`
  return refuse(place, 'RPC121', `an object with the methods of ${name} cannot travel`, hint)
}

/** To a conditional type an Int is an object too: it is a number with a tag. */
function keptFirst(name: string): string {
  return `T extends ${/^(Number|String|Boolean|BigInt)$/.test(name) ? 'number | string | boolean' : name} ? T : …`
}
