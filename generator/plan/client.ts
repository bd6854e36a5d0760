import type { ClientPlan } from '../../templates/client.js'
import type { Model } from '../model/model.js'
import { callerDoc } from './caller-doc.js'
import { planClientTable } from './client-table.js'
import { valueForm } from './form.js'
import { planFunctions, planParams } from './interfaces.js'
import { nestedFunctions, nestedParams } from './nested.js'
import { createOwnTypes } from './own-types.js'
import { createScope } from './scope.js'

/** What the text of a client says itself. */
const taken = [
  'Client',
  'ClientMembers',
  'ClientOptions',
  'ClientTable',
  'Params',
  'create',
  'createClient',
  'table',
  'tableCodec',
]

/** Model to plan of a client that stands alone: nothing of the sources is imported. */
export function planClient(model: Model): ClientPlan {
  const procedures = model.procedures.filter(({ registered }) => !registered)
  const types = createOwnTypes(new Map(model.types.map((type) => [type.name, type])), createScope(taken), valueForm)
  const interfaces = [
    nestedFunctions(
      planFunctions(procedures, types, { name: 'Procedures', doc: 'The procedures, by name.' }, callerDoc),
    ),
    nestedParams(planParams(procedures, types, { name: 'Params', doc: 'Their parameters by name.' })),
  ]
  return { interfaces, types: types.plans(), table: planClientTable(procedures, model.types) }
}
