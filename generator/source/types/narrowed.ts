import type { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'

/**
 * Refuses what says more of a string or a number than that it has a brand, as `string & { length: 5 }`: the rule would be lost.
 * `parts` are those of the intersection that are primitive.
 */
export function refuseNarrowed(
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
