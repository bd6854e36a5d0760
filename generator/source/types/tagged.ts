import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import { isOwn } from '../project/own.js'
import type { ResolveKind, Resolver } from '../resolver.js'
import { refuseNarrowed } from './narrowed.js'
import { templateOf } from './template.js'

/**
 * Int and Double by their tag, which only this package declares, and brands of the user's over them or over a primitive: on
 * the wire what they are over, to TypeScript types of their own. What a tag is put to may be one number: `Int & 404`.
 */
export const resolveTagged: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const parts = type.types.filter((part) => part.flags & carried)
  const [first] = parts
  if (!first) return undefined
  const narrowed = refuseNarrowed(type, parts, place, resolver)
  if (narrowed) return narrowed
  const tag = tagOf(type, resolver.checker)
  const build = (at: Place): ModelType => {
    if (parts.length > 1) return templateOf(type, at, resolver)
    return tag && first.flags & ts.TypeFlags.Number ? { kind: tag } : numberOf(tag, first, at, resolver)
  }
  const isPlain = tag !== undefined || (parts.length > 1 && !type.aliasSymbol)
  if (isPlain && !hasBrand(type, parts, resolver)) return build(place)
  // A brand is a name already: what it gives to the member of an enum is not that member's.
  const isMember = parts.length === 1 && Boolean(first.flags & ts.TypeFlags.EnumLiteral)
  return resolver.named(type, place, (at) => withoutName(build(at), isMember ? first : undefined))
}

function withoutName(resolved: ModelType, member: ts.Type | undefined): ModelType {
  const isLiteral = member && (member.isStringLiteral() || member.isNumberLiteral())
  return isLiteral && resolved.kind === 'ref' ? { kind: 'literal', value: member.value } : resolved
}

/** Whether a type is the Int of this package. */
export function isInt(type: ts.Type, checker: ts.TypeChecker): boolean {
  return type.isIntersection() && checker.getPropertiesOfType(type).some((each) => ownTag(each) === 'int')
}

const carried = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

type Tag = 'int' | 'double'

/** The tag of an intersection: of both, the narrower one. */
function tagOf(type: ts.Type, checker: ts.TypeChecker): Tag | undefined {
  const tags = checker.getPropertiesOfType(type).map(ownTag)
  return tags.includes('int') ? 'int' : tags.find(Boolean)
}

function ownTag(property: ts.Symbol): Tag | undefined {
  const declaration = property.valueDeclaration
  if (!declaration || !ts.isPropertySignature(declaration) || !isOwn(property)) return undefined
  const name = declaration.name.getText()
  if (name === '[intTag]') return 'int'
  return name === '[doubleTag]' ? 'double' : undefined
}

/** What a tag or a brand is over; a literal that the tag leaves no value of is refused. */
function numberOf(tag: Tag | undefined, over: ts.Type, place: Place, resolver: Resolver): ModelType {
  const fits = { int: (value: number) => (value | 0) === value, double: Number.isFinite }
  if (!tag || !over.isNumberLiteral() || fits[tag](over.value)) return resolver.resolve(over, place)
  const [name, hint] =
    tag === 'int'
      ? ['Int', 'an Int is whole, and of 32 bits: write number, or Double']
      : ['Double', 'write a finite one']
  const text = resolver.checker.typeToString(over)
  return resolver.refuse(place, 'RPC121', `${name} & ${text} has no values`, hint)
}

/** Whether there is more to a tagged number, or to templates, than that. */
function hasBrand({ types }: ts.IntersectionType, parts: readonly ts.Type[], { checker }: Resolver): boolean {
  const others = types.filter((part) => !parts.includes(part))
  return others.some((part) => checker.getPropertiesOfType(part).some((property) => !ownTag(property)))
}
