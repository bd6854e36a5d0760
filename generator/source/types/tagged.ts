import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isTypeTag, scalarTagOf } from '../constraints/type-tags.js'
import type { Place } from '../problems.js'
import type { ResolveKind, Resolver } from '../resolver.js'
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
  const tag = scalarTagOf(type, resolver.checker)
  const build = (at: Place): ModelType => {
    if (parts.length > 1) return templateOf(type, at, resolver)
    return tag && first.flags & ts.TypeFlags.Number ? { kind: tag } : numberOf(tag, first, at, resolver)
  }
  const isTagged = resolver.checker.getPropertiesOfType(type).some(isTypeTag)
  const isPlain = isTagged || (parts.length > 1 && !type.aliasSymbol)
  if (isPlain && !hasBrand(type, parts, resolver)) return build(place)
  // A brand is a name already: what it gives to the member of an enum is not that member's.
  const isMember = parts.length === 1 && Boolean(first.flags & ts.TypeFlags.EnumLiteral)
  return resolver.named(type, place, (at) => withoutName(build(at), isMember ? first : undefined))
}

function withoutName(resolved: ModelType, member: ts.Type | undefined): ModelType {
  const isLiteral = member && (member.isStringLiteral() || member.isNumberLiteral())
  return isLiteral && resolved.kind === 'ref' ? { kind: 'literal', value: member.value } : resolved
}

const carried = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

/** What a tag or a brand is over; a literal that the tag leaves no value of is refused. */
function numberOf(tag: 'int' | 'double' | undefined, over: ts.Type, place: Place, resolver: Resolver): ModelType {
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
  return others.some((part) => checker.getPropertiesOfType(part).some((property) => !isTypeTag(property)))
}

/**
 * Refuses what says more of a string or a number than that it has a brand, as `string & { length: 5 }`: the rule would be lost.
 * `parts` are those of the intersection that are primitive.
 */
function refuseNarrowed(
  type: ts.IntersectionType,
  parts: readonly ts.Type[],
  place: Place,
  resolver: Resolver,
): ModelType | undefined {
  const [over] = parts
  const others = type.types.filter((part) => !parts.includes(part))
  const said = over && others.map((each) => sayingMore(each, over, resolver)).find(Boolean)
  if (!said) return undefined
  const what = resolver.checker.typeToString(resolver.checker.getBaseTypeOfLiteralType(over))
  return said === true
    ? resolver.refuse(place, 'RPC121', `no ${what} is an object as well`, brandHint)
    : resolver.refuse(
        place,
        'RPC121',
        `${said} is a member of every ${what}: narrowed, nothing would check it`,
        hintFor(said),
      )
}

const brandHint = 'what is put to it for a brand has members that no value has: { readonly [brand]: true }'

function hintFor(name: string): string {
  return name === 'length'
    ? 'say it in tags: @minLength and @maxLength'
    : `say it in a @pattern or in limits; ${brandHint}`
}

/** The member that a part gives a narrower type; true where it says more than members do. */
function sayingMore(part: ts.Type, over: ts.Type, { checker }: Resolver): string | true | undefined {
  const isMore = part.getCallSignatures().length > 0 || part.getConstructSignatures().length > 0
  if (isMore || checker.getIndexInfosOfType(part).length > 0) return true
  const apparent = checker.getApparentType(over)
  return checker.getPropertiesOfType(part).find((property) => {
    const own = checker.getPropertyOfType(apparent, property.name)
    return own && !checker.isTypeAssignableTo(checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(property))
  })?.name
}
