import type { ClientPlan } from '../../templates/client.js'
import type { Model } from '../model/model.js'
import { callerDoc } from './caller-doc.js'
import { planClientTable } from './client-table.js'
import { jsonForm, valueForm } from './form.js'
import { errorsMember, planFunctions, planParams } from './interfaces.js'
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

/** What it says where errors are declared. */
const takenByErrors = ['Errors', 'RpcError', 'RpcErrorGuard', 'isError', 'isRpcError']

const errorsDoc = 'The errors that the procedures declare, by procedure; their data is as JSON carries it.'

/** Model to plan of a client that stands alone: nothing of the sources is imported. */
export function planClient(model: Model): ClientPlan {
  const procedures = model.procedures.filter(({ registered }) => !registered)
  const byName = new Map(model.types.map((type) => [type.name, type]))
  const hasErrors = procedures.some(({ throws = [] }) => throws.some(({ code }) => code !== undefined))
  const scope = createScope(hasErrors ? [...taken, ...takenByErrors] : taken)
  const types = createOwnTypes(byName, scope, valueForm)
  // The data of an error is as JSON carries it: the table has no place for it.
  const json = createOwnTypes(byName, scope, { ...jsonForm, isPublic: true })
  const interfaces = [
    nestedFunctions(
      planFunctions(procedures, types, { name: 'Procedures', doc: 'The procedures, by name.' }, callerDoc),
    ),
    nestedParams(planParams(procedures, types, { name: 'Params', doc: 'Their parameters by name.' })),
  ]
  const errors = procedures.flatMap((each) => errorsMember(each, json))
  return {
    interfaces: hasErrors
      ? [...interfaces, { name: 'Errors', exported: true, doc: errorsDoc, members: errors }]
      : interfaces,
    types: [...types.plans(), ...json.plans()],
    table: planClientTable(procedures, model.types),
    hasErrors,
  }
}
