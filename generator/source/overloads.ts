import { minArguments } from '../../runtime/schema/description.js'
import type { ModelType, OverloadModel, ParamModel, ReturnsModel } from '../model/model.js'
import { structureOf } from '../model/part.js'
import type { Place } from './problems.js'
import type { PlacedUnion, ResolvedSignature, Resolver } from './resolver.js'

/**
 * Merges the signatures of several overloads into one, position by position, with the names of the longest. It is used
 * for metadata and for converting arguments. Predicates receive the overload that was called.
 */
export function mergeOverloads(
  overloads: readonly OverloadModel[],
  place: Place,
  resolver: Resolver,
): ResolvedSignature {
  const positions = overloads.map(({ params }) => params.filter(({ rest }) => !rest))
  const longest = positions.reduce((one, other) => (other.length > one.length ? other : one))
  const least = Math.min(...positions.map(minArguments))
  const union = (types: readonly ModelType[], name: string) => {
    const path = `${place.path}(${name})`
    return unionOf(types, { ...place, path }, name === '' ? 'return' : 'accept', resolver)
  }
  const params = longest.map(({ name }, i): ParamModel => {
    const type = union(
      overloads.flatMap(({ params }) => typeAt(params, i)),
      name,
    )
    return i < least ? { name, type } : { name, type, optional: true }
  })
  const rests = overloads.flatMap((overload) => overload.params.filter(({ rest }) => rest))
  const [rest] = rests
  const last: ParamModel[] = rest
    ? [
        {
          ...rest,
          type: union(
            rests.map(({ type }) => type),
            rest.name,
          ),
        },
      ]
    : []
  return {
    params: [...params, ...last],
    contextAt: [],
    contextNames: overloads.flatMap((overload) => overload.params.map(({ name }) => name)),
    returns: {
      type: union(
        overloads.map(({ returns }) => returns.type),
        '',
      ),
      promise: promiseOf(overloads),
    },
    overloads,
  }
}

/** Returns the type at a position; after the last parameter that of a rest parameter. */
function typeAt(params: readonly ParamModel[], position: number): ModelType[] {
  const last = params.at(-1)
  const param = params[position] ?? (last?.rest ? last : undefined)
  return param ? [param.type] : []
}

function unionOf(
  types: readonly ModelType[],
  place: Place,
  overloads: PlacedUnion['overloads'],
  resolver: Resolver,
): ModelType {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.branches : [type]))
  const branches = [...new Map(flat.map((type) => [structureOf(type), type])).values()]
  const [only] = branches
  if (only && branches.length === 1) return only
  resolver.noteUnion(branches, place, overloads)
  return { kind: 'union', branches }
}

function promiseOf(overloads: readonly OverloadModel[]): ReturnsModel['promise'] {
  const [promise = 'no', ...others] = new Set(overloads.map(({ returns }) => returns.promise))
  return others.length === 0 ? promise : 'maybe'
}
