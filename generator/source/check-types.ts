import type { TypesByName } from '../../runtime/schema/description.js'
import { findAmbiguity } from '../model/ambiguity.js'
import { findEndless } from '../model/endless.js'
import type { Resolver } from './resolver.js'

/** Reports what can be said of types once all of them are known. */
export function checkTypes(resolver: Resolver, types: TypesByName): void {
  refuseAmbiguous(resolver, types)
  refuseEndless(resolver, types)
}

function refuseAmbiguous(resolver: Resolver, types: TypesByName): void {
  for (const { branches, place, overloads } of resolver.unions) {
    const found = findAmbiguity(branches, types, overloads !== undefined)
    if (!found) continue
    const message = `${found.one} and ${found.other} look alike in JSON: nobody could tell which was meant`
    const hint = "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }"
    if (overloads === undefined) resolver.refuse(place, 'RPC123', message, hint)
    else {
      const apart = `${hint}; or export one function for each overload`
      resolver.refuse(place, 'RPC123', `of what the overloads ${overloads}, ${message}`, apart)
    }
  }
}

function refuseEndless(resolver: Resolver, types: TypesByName): void {
  for (const { name, way } of findEndless(resolver.types, types)) {
    const place = resolver.placeOf(name)
    if (!place) continue
    const [, member = ''] = /^\.([^.[]+)/.exec(way) ?? []
    const hint = `let a member on the way be left out, or be null${member === '' ? '' : `: ${member}?: …`}`
    const message = 'every value contains another one of its own type, without end'
    resolver.refuse({ ...place, path: place.path + way }, 'RPC122', message, hint)
  }
}
