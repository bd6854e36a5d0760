import type { ProcedureModel } from './model.js'
import type { Part, PartType } from './part.js'

/** A part with the very objects of an earlier one wherever both say the same: who has seen these need not look again. */
export function sharedPart(part: Part, before: Part): Part {
  const types = new Map(before.types.map((type) => [type.name, type]))
  const models = new Map(before.procedures.map(({ model }) => [model.name, model]))
  const shared = part.types.map((type): PartType => sameOf(type, types.get(type.name)))
  const isSame = shared.length === before.types.length && shared.every((type, i) => type === before.types[i])
  return {
    ...part,
    types: isSame ? before.types : shared,
    procedures: part.procedures.map((each) => {
      return { ...each, model: sameOf<ProcedureModel>(each.model, models.get(each.model.name)) }
    }),
  }
}

/** Parts are plain data, which the cache keeps as this text. */
function sameOf<Thing extends object>(thing: Thing, before: Thing | undefined): Thing {
  return before && JSON.stringify(before) === JSON.stringify(thing) ? before : thing
}
