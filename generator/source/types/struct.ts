import { ts } from 'ts-morph'
import type { MemberOf } from '../../../runtime/manifest.js'
import type { ModelType, NameRef } from '../../model/model.js'
import { memberPath } from '../../model/path.js'
import { nameSymbol } from '../naming.js'
import type { Place } from '../problems.js'
import type { ResolveKind, Resolver } from '../resolve.js'
import { resolveOptional } from './union.js'

const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection

/** Whatever has members: interfaces, object types, mapped types, intersections, classes of public data. */
export const resolveStruct: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLike)) return undefined
  const { checker } = resolver
  if (hasPrivateNames(type)) return refusePrivate(place, resolver)
  const properties = checker.getPropertiesOfType(type)
  const rest = indexTypeOf(type, checker)
  if (properties.length === 0 && !rest) {
    return isEmptyObject(type)
      ? resolver.refuse(place, 'RPC121', '{} does not say which members it has', 'declare the members, or unknown')
      : resolver.named(type, place, () => ({ kind: 'struct', members: [] }))
  }
  const build = () => structOf(properties, rest, place, resolver)
  const plainRecord = properties.length === 0 && !isUserNamed(type, resolver)
  return plainRecord ? build() : resolver.named(type, place, build)
}

function structOf(
  properties: readonly ts.Symbol[],
  rest: ts.Type | undefined,
  place: Place,
  resolver: Resolver,
): ModelType {
  return {
    kind: 'struct',
    members: properties.map((property) => memberOf(property, place, resolver)),
    ...(rest ? { rest: resolver.resolvePart(rest, place, '[]') } : {}),
  }
}

function memberOf(property: ts.Symbol, place: Place, resolver: Resolver): MemberOf<NameRef> {
  const { name } = property
  const type = resolver.checker.getTypeOfSymbol(property)
  const node = whereDeclared(property, type, resolver) ?? place.node
  const part: Place = { node, path: memberPath(place.path, name), depth: place.depth + 1 }
  const hidden = refuseHidden(property, part, resolver)
  if (hidden) return { name, type: hidden }
  if (property.flags & ts.SymbolFlags.Optional)
    return { name, type: resolveOptional(type, part, resolver), optional: true }
  return { name, type: resolver.resolve(type, part) }
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
    return resolver.refuse({ ...part, path }, 'RPC121', 'a member keyed by a symbol cannot travel', 'leave it out')
  }
  if (!declaration || !(ts.getCombinedModifierFlags(declaration) & hiding)) return undefined
  return refusePrivate(part, resolver)
}

function refusePrivate(place: Place, { refuse }: Resolver): ModelType {
  return refuse(place, 'RPC121', 'a class with private state cannot travel', 'declare an interface of its data')
}

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

function indexTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const infos = checker.getIndexInfosOfType(type)
  const [found] = indexKeys.flatMap((flag) => infos.filter(({ keyType }) => keyType.flags & flag))
  return found?.type
}

/** The index signature of strings has the types of all others in it. */
const indexKeys = [ts.TypeFlags.String, ts.TypeFlags.Number, ts.TypeFlags.TemplateLiteral]
