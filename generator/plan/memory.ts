import type { TypePlan } from '../../templates/module.js'
import type { NamedType, ProcedureModel } from '../model/model.js'
import type { PlannedModule } from './planned-module.js'
import type { PlannedProcedure } from './procedure.js'
import { type Answering, type Recording, replay } from './replay.js'

/** What was planned in earlier runs, by what it was planned from. */
export interface PlanMemory {
  readonly procedures: WeakMap<ProcedureModel, Recording<PlannedProcedure>> | undefined
  readonly types: WeakMap<NamedType, Recording<TypePlan>> | undefined
  /** The text of a plan, by the plan. */
  readonly texts: WeakMap<object, string> | undefined
  /** The module that was planned last. */
  last?: PlannedModule
}

/** For who plans once. */
export const noMemory: PlanMemory = { procedures: undefined, types: undefined, texts: undefined }

/** For who plans again and again. */
export function createPlanMemory(): PlanMemory {
  return { procedures: new WeakMap(), types: new WeakMap(), texts: new WeakMap() }
}

/** What was planned from the same thing, where the same answers would be given; else it is planned. */
export function remembered<Key extends object, Asked extends Answering, Result>(
  known: WeakMap<Key, Recording<Result>> | undefined,
  key: Key,
  asked: Asked,
  make: (asked: Asked) => Result,
): Result {
  if (!known) return make(asked)
  const recording = replay(known.get(key), asked, make)
  known.set(key, recording)
  return recording.result
}
