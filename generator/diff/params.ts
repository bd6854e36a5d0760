import type { ApiMethod } from './api.js'
import { type Change, type ChangeCode, changeOf, type Said } from './change.js'
import type { Compare } from './compare.js'
import { describeType } from './describe.js'
import type { MethodTypes, ParamType } from './method-types.js'

/** What has changed between the params of a method. `xml`: whether XML-RPC can call both versions. */
export function compareParams(
  method: ApiMethod,
  old: MethodTypes,
  now: MethodTypes,
  compare: Compare,
  xml: boolean,
): Change[] {
  const { removed, added, kept } = matchParams(old.params, now.params)
  const at = (name: string) => `${method.name}(${name})`
  const say = (code: ChangeCode, name: string, said: Said) => changeOf(code, method.name, at(name), said)
  return [
    ...removed.map(({ name, type }) =>
      say('param-removed', name, { message: 'the param is gone', old: describeType(type) }),
    ),
    ...added.map(({ name, required, type }) =>
      required
        ? say('param-added-required', name, { message: 'the param has to be sent', new: describeType(type) })
        : say('param-added-optional', name, { message: 'the param may be sent too', new: describeType(type) }),
    ),
    ...kept.flatMap(([one, other]) => [
      ...renamed(method, one, other),
      ...restChanged(method, one, other),
      ...requiredness(one, other).map((code) => say(code, one.name, requirednessSaid(code, other))),
      ...compare(
        one.type,
        other.type,
        { side: 'param', method: method.name, path: at(one.name), xml },
        one.required !== other.required,
      ),
    ]),
    ...reordered(method, old, now, kept),
  ]
}

interface MatchedParams {
  readonly removed: readonly ParamType[]
  readonly added: readonly ParamType[]
  readonly kept: readonly (readonly [old: ParamType, now: ParamType])[]
}

/** By name; what is left, where the same stands at the same position, has been renamed. */
function matchParams(old: readonly ParamType[], now: readonly ParamType[]): MatchedParams {
  const isIn = (all: readonly ParamType[], name: string) => all.some((each) => each.name === name)
  const kept = old.flatMap((one, i): [ParamType, ParamType][] => {
    const same = now.find(({ name }) => name === one.name)
    if (same) return [[one, same]]
    const other = now[i]
    const isRenamed = other && !isIn(old, other.name) && other.type.group === one.type.group
    return isRenamed && other.required === one.required ? [[one, other]] : []
  })
  return {
    removed: old.filter((each) => !kept.some(([one]) => one === each)),
    added: now.filter((each) => !kept.some(([, other]) => other === each)),
    kept,
  }
}

/** Callers by position do not see it. */
function renamed({ name, structure }: ApiMethod, old: ParamType, now: ParamType): Change[] {
  if (old.name === now.name) return []
  const [one, other] = [old.name, now.name]
  const path = `${name}(${one})`
  const said = { old: one, new: other }
  if (structure === 'by-position') {
    return [changeOf('docs-changed', name, path, { message: `the param is called ${other} now`, ...said })]
  }
  const message = `the param is called ${other} now: calls by name break, calls by position do not`
  return [changeOf('param-renamed', name, path, { message, ...said })]
}

/** Callers by name send a list both times. */
function restChanged({ name, structure }: ApiMethod, old: ParamType, now: ParamType): Change[] {
  if (old.rest === now.rest || structure === 'by-name') return []
  const [one, other] = old.rest ? ['a rest parameter', 'one param'] : ['one param', 'a rest parameter']
  const message = `${one} became ${other}: calls by position break, calls by name do not`
  return [changeOf('param-rest-changed', name, `${name}(${old.name})`, { message, old: one, new: other })]
}

function requiredness(old: ParamType, now: ParamType): ('param-required' | 'param-optional')[] {
  if (old.required === now.required) return []
  return [now.required ? 'param-required' : 'param-optional']
}

function requirednessSaid(code: 'param-required' | 'param-optional', { type }: ParamType): Said {
  const message = code === 'param-required' ? 'the param has to be sent' : 'the param may be left out'
  return { message, new: describeType(type) }
}

/** Where calls by position find another param; what is behind one that is gone or new has moved with it. */
function reordered(
  { name, structure }: ApiMethod,
  old: MethodTypes,
  now: MethodTypes,
  kept: MatchedParams['kept'],
): Change[] {
  if (structure === 'by-name') return []
  const places = kept.map(([one, other]) => [old.params.indexOf(one), now.params.indexOf(other)] as const)
  const moved = places.some(([before, after]) => before !== after)
  const ordered = places.every(([, after], i) => i === 0 || (places[i - 1]?.[1] ?? 0) < after)
  const explained = kept.length < old.params.length || now.params.some(({ required }, i) => required && isNew(i))
  if (!moved || (ordered && explained)) return []
  const names = (params: readonly ParamType[]) => `(${params.map((each) => each.name).join(', ')})`
  const [before, after] = [names(old.params), names(now.params)]
  const message = `${before} became ${after}: calls by position break, calls by name do not`
  return [changeOf('param-reordered', name, name, { message, old: before, new: after })]

  function isNew(index: number): boolean {
    return !kept.some(([, other]) => now.params[index] === other)
  }
}
