import { mapParts } from '../../runtime/schema/described-types.js'
import type { Model, ModelType, NamedType, OverloadModel, ParamModel } from './model.js'
import { onceRenamed, type Renamed, renamedWith } from './renamed.js'
import { withData } from './throws.js'

/**
 * Makes one of the types without a name in the source that say the same, such as the parameter and the result of
 * `(point: { x: Int }) => { x: Int }`: the first of them stays.
 */
export function mergeAnonymous(model: Model): Model {
  const { renamed, types } = merges.get(model.types) ?? mergeTypes(model.types)
  const { names } = renamed
  if (names.size === 0) return model
  const type = (each: ModelType) => renameRefs(each, names)
  const params = (all: readonly ParamModel[]) => all.map((each) => ({ ...each, type: type(each.type) }))
  const overload = (each: OverloadModel): OverloadModel => ({
    params: params(each.params),
    returns: { ...each.returns, type: type(each.returns.type) },
  })
  return {
    ...model,
    procedures: model.procedures.map((procedure) =>
      onceRenamed(procedure, renamed, ({ overloads, throws, ...each }) => ({
        ...each,
        ...overload(each),
        returns: { ...each.returns, type: type(each.returns.type) },
        ...(overloads ? { overloads: overloads.map(overload) } : {}),
        ...(throws ? { throws: throws.map((error) => withData(error, type)) } : {}),
      })),
    ),
    types,
  }
}

interface Merged {
  readonly renamed: Renamed
  /** Those that stay. */
  readonly types: readonly NamedType[]
}

/** By the types that were merged: who compiles again mostly has the same. */
const merges = new WeakMap<readonly NamedType[], Merged>()

/** Others mostly have the same twins. */
let last: Renamed | undefined

function mergeTypes(all: readonly NamedType[]): Merged {
  const names = twinsIn(all)
  const renamed = renamedWith(names, last)
  last = renamed
  const types = all
    .filter(({ name }) => !names.has(name))
    .map((named) => onceRenamed(named, renamed, (each) => ({ ...each, type: renameRefs(each.type, names) })))
  const merged = { renamed, types }
  merges.set(all, merged)
  return merged
}

/** The names that go, and those that stand for them. Merging two types can make twins of those that contain them. */
function twinsIn(types: readonly NamedType[]): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  // By the name that stands for them.
  const twins = new Map<string, string[]>()
  for (let before = -1; before < renamed.size; ) {
    before = renamed.size
    const known = new Map<string, string>()
    for (const { name, type, anonymous, branded } of types) {
      if (!anonymous || renamed.has(name)) continue
      const text = JSON.stringify([renameRefs(type, renamed), branded])
      const first = known.get(text) ?? name
      known.set(text, first)
      if (first === name) continue
      const all = [...(twins.get(name) ?? []), name]
      for (const each of all) renamed.set(each, first)
      const others = twins.get(first) ?? []
      others.push(...all)
      twins.set(first, others)
    }
  }
  return renamed
}

function renameRefs(type: ModelType, names: ReadonlyMap<string, string>): ModelType {
  if (type.kind === 'ref') return { ...type, name: names.get(type.name) ?? type.name }
  return mapParts(type, (part) => renameRefs(part, names))
}
