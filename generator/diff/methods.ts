import type { ApiMethod } from './api.js'
import type { MethodTypes } from './method-types.js'

/** Which method became which. */
export interface MatchedMethods {
  readonly removed: readonly ApiMethod[]
  readonly added: readonly ApiMethod[]
  readonly kept: readonly (readonly [old: ApiMethod, now: ApiMethod])[]
  readonly renamed: readonly (readonly [old: ApiMethod, now: ApiMethod])[]
}

type TypesOf = ReadonlyMap<ApiMethod, MethodTypes>

/** By name; of those that are left, the same params and result make a renamed method: the likest name where there are several. */
export function matchMethods(old: TypesOf, now: TypesOf): MatchedMethods {
  const byName = new Map(Array.from(now.keys(), (method) => [method.name, method]))
  const names = new Set(Array.from(old.keys(), ({ name }) => name))
  const kept = [...old.keys()].flatMap((method): [ApiMethod, ApiMethod][] => {
    const same = byName.get(method.name)
    return same ? [[method, same]] : []
  })
  const removed = [...old.keys()].filter(({ name }) => !byName.has(name))
  const added = [...now.keys()].filter(({ name }) => !names.has(name))
  const renamed = matchShapes(removed, added, old, now)
  return {
    removed: removed.filter((each) => !renamed.some(([one]) => one === each)),
    added: added.filter((each) => !renamed.some(([, other]) => other === each)),
    kept,
    renamed,
  }
}

function matchShapes(
  removed: readonly ApiMethod[],
  added: readonly ApiMethod[],
  old: TypesOf,
  now: TypesOf,
): [ApiMethod, ApiMethod][] {
  const free = new Map<string, ApiMethod[]>()
  for (const method of added) {
    const shape = shapeOf(now.get(method))
    const alike = free.get(shape) ?? []
    alike.push(method)
    free.set(shape, alike)
  }
  return removed.flatMap((method): [ApiMethod, ApiMethod][] => {
    const candidates = free.get(shapeOf(old.get(method))) ?? []
    const [first, ...more] = candidates
    if (!first) return []
    const best = more.reduce((found, next) => (likeness(method, next) > likeness(method, found) ? next : found), first)
    candidates.splice(candidates.indexOf(best), 1)
    return [[method, best]]
  })
}

function shapeOf(types: MethodTypes | undefined): string {
  const signatures = types ? [types, ...(types.overloads ?? [])] : []
  return JSON.stringify(
    signatures.map(({ params, result }) => [
      params.map(({ name, required, rest, type }) => [name, required, rest, type.group]),
      result?.group,
    ]),
  )
}

/** How many of the pairs of letters that two names have are in both. */
function likeness({ name: a }: ApiMethod, { name: b }: ApiMethod): number {
  const [one, other] = [pairsIn(a), pairsIn(b)]
  const shared = [...one].filter((pair) => other.has(pair)).length
  return (2 * shared) / (one.size + other.size)
}

function pairsIn(name: string): Set<string> {
  const text = `^${name.toLowerCase()}$`
  return new Set(Array.from(text.slice(1), (letter, i) => `${text[i]}${letter}`))
}
