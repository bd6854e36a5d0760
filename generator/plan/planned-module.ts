import type { ModulePlan } from '../../templates/module.js'
import type { Model } from '../model/model.js'
import type { Asked } from './asked.js'
import type { OwnTypes } from './own-types.js'
import type { PlannedProcedure } from './procedure.js'

/** A plan, and what it was made of: a model that differs in little needs little of it planned again. */
export interface PlannedModule {
  readonly plan: ModulePlan
  readonly types: Model['types']
  readonly procedures: readonly PlannedProcedure[]
  readonly json: OwnTypes
  readonly methods: boolean
  /** How each module was written in an import. */
  readonly specifiers: ReadonlyMap<string, string>
  readonly asked: Asked
}
