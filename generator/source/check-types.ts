import type { TypesByName } from '../../runtime/schema/description.js'
import { findAmbiguity } from '../model/ambiguity.js'
import { findEndless } from '../model/endless.js'
import { flatten } from '../model/forms.js'
import type { ModelType } from '../model/model.js'
import type { Resolver } from './resolver.js'

/** Reports what can be said of types once all of them are known. */
export function checkTypes(resolver: Resolver, types: TypesByName): void {
  refuseAmbiguous(resolver, types)
  refuseUnguarded(resolver, types)
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

/** Refuses unions in which nothing tells a value of a custom scalar from another object before it is encoded. */
function refuseUnguarded({ scalars, unions, refuse }: Resolver, types: TypesByName): void {
  const unguarded = new Set(scalars.all.flatMap(({ name, isGuarded }) => (isGuarded ? [] : [name])))
  if (unguarded.size === 0) return
  for (const { branches, place } of unions) {
    const objects = branches.flatMap((each) => flatten(each, types)).filter(({ kind }) => objectKinds.has(kind))
    const found = objects.find((each) => each.kind === 'custom' && unguarded.has(each.name))
    if (found?.kind !== 'custom' || objects.every((each) => each === found)) continue
    const message = `${found.name} is in a union with other objects, and its codec does not tell them apart`
    refuse(place, 'RPC150', message, `give it one more function: is: (value) => value instanceof ${found.name}`)
  }
}

/** Kinds whose values are objects in TypeScript. */
const objectKinds: ReadonlySet<ModelType['kind']> = new Set([
  ...(['custom', 'struct', 'map', 'array', 'set', 'tuple', 'date', 'url', 'bytes', 'any'] as const),
])

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
