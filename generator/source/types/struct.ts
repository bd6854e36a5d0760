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
  const part: Place = { ...place, path: memberPath(place.path, name), depth: place.depth + 1 }
  const hidden = refuseHidden(property, part, resolver)
  if (hidden) return { name, type: hidden }
  const type = resolver.checker.getTypeOfSymbol(property)
  if (property.flags & ts.SymbolFlags.Optional)
    return { name, type: resolveOptional(type, part, resolver), optional: true }
  return { name, type: resolver.resolve(type, part) }
}

const hiding = ts.ModifierFlags.Private | ts.ModifierFlags.Protected

/** Members that no struct can have: keyed by a symbol, private, or a method. */
function refuseHidden(property: ts.Symbol, part: Place, resolver: Resolver): ModelType | undefined {
  const declaration = property.valueDeclaration
  if (property.name.startsWith('__@')) {
    const path = part.path.replace(/[.[]"?__@.*$/, '')
    return resolver.refuse({ ...part, path }, 'RPC121', 'a member keyed by a symbol cannot travel', 'leave it out')
  }
  const isPrivate =
    property.name.startsWith('__#') || (declaration && ts.getCombinedModifierFlags(declaration) & hiding)
  if (!isPrivate) return undefined
  return resolver.refuse(part, 'RPC121', 'a class with private state cannot travel', 'declare an interface of its data')
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
  return checker.getIndexInfosOfType(type).find(({ keyType }) => keyType.flags & indexKey)?.type
}

const indexKey = ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.TemplateLiteral
