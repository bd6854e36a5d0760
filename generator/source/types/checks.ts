import { flatten } from '../../../runtime/description/described-types.js'
import type { TypesByName } from '../../../runtime/description/description.js'
import { findAmbiguity } from '../../model/ambiguity.js'
import { createUnions, type Unions } from '../../model/disjoint.js'
import { findEndless } from '../../model/endless.js'
import type { ModelType } from '../../model/model.js'
import type { Resolver } from './resolver-interface.js'

/** Completes the types once all of them are known, and reports problems that can only be found then. Returns what decides their unions. */
export function checkTypes(resolver: Resolver): Unions {
  const types = resolver.table.byKey
  // Types that contain themselves get their constraints here, which patterns, discriminants and defaults depend on.
  resolver.constrainer.settle()
  const unions = createUnions(types)
  rejectAmbiguous(resolver, unions)
  rejectUnguarded(resolver, types)
  rejectEndless(resolver, types)
  return unions
}

function rejectAmbiguous(resolver: Resolver, all: Unions): void {
  const hint = "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }"
  for (const { branches, place, overloads } of resolver.unions) {
    const found = findAmbiguity(branches, all, overloads !== undefined)
    if (!found) continue
    if (found === 'unknown') {
      resolver.reject(place, 'RPC122', 'too many branches of the union contain it again to be compared', hint)
      return
    }
    const message = `${found.one} and ${found.other} cannot be distinguished in JSON`
    if (overloads === undefined) resolver.reject(place, 'RPC123', message, hint)
    else {
      const apart = `${hint}; or export one function for each overload`
      const both = `the overloads ${overloads} ${found.one} and ${found.other}, which JSON does not distinguish`
      resolver.reject(place, 'RPC123', both, apart)
    }
  }
}

/** Rejects unions in which a value of a custom scalar cannot be distinguished from other objects before it is encoded. */
function rejectUnguarded({ codecs, unions, reject }: Resolver, types: TypesByName): void {
  const unguarded = new Set(codecs.all.flatMap(({ name, isGuarded }) => (isGuarded ? [] : [name])))
  if (unguarded.size === 0) return
  for (const { branches, place } of unions) {
    const objects = branches.flatMap((each) => flatten(each, types)).filter(({ kind }) => !isPrimitive[kind])
    const found = objects.find((each) => each.kind === 'custom' && unguarded.has(each.name))
    if (found?.kind !== 'custom' || objects.every((each) => each === found)) continue
    const message = `${found.name} is in a union with other objects, and its codec does not distinguish them`
    reject(place, 'RPC150', message, `give it one more function: is: (value) => value instanceof ${found.name}`)
  }
}

/** Kinds whose values are not objects in TypeScript. */
const isPrimitive: Readonly<Record<ModelType['kind'], boolean>> = {
  ...{
    int: true,
    double: true,
    number: true,
    bigint: true,
    string: true,
    template: true,
    boolean: true,
    literal: true,
  },
  ...{ null: true, undefined: true, void: true },
  ...{ any: false, date: false, url: false, bytes: false, custom: false, ref: false },
  ...{ array: false, set: false, tuple: false, struct: false, map: false, union: false },
}

function rejectEndless(resolver: Resolver, types: TypesByName): void {
  const endless = findEndless(types)
  // Wire types that contain their scalar are reported with the codecs.
  if (endless.some((key) => types.get(key)?.type.kind === 'custom')) return
  for (const key of endless) {
    const message = 'every value would contain another value of the type, without end'
    const place = resolver.table.firstUseOf(key)
    if (place) resolver.reject(place, 'RPC122', message, 'make a member that leads to it optional or nullable')
  }
}
