import { errorText } from '../../runtime/schema/error-text.js'
import type { ClientPlan } from '../../templates/client.js'
import type { Model, ProcedureModel } from '../model/model.js'
import { planClientTable } from './client-table.js'
import { valueForm } from './form.js'
import { planFunctions, planParams } from './interfaces.js'
import { nested } from './nested.js'
import { createOwnTypes } from './own-types.js'
import { createScope } from './scope.js'

/** What the text of a client says itself. */
const taken = ['Client', 'ClientOptions', 'ClientTable', 'Params', 'create', 'createClient', 'table', 'tableCodec']

/** Model to plan of a client that stands alone: nothing of the sources is imported. */
export function planClient(model: Model): ClientPlan {
  const procedures = model.procedures.filter(({ registered }) => !registered)
  const types = createOwnTypes(new Map(model.types.map((type) => [type.name, type])), createScope(taken), valueForm)
  const interfaces = [
    planFunctions(procedures, types, { name: 'Procedures', doc: 'The procedures, by name.' }, docOf),
    planParams(procedures, types, { name: 'Params', doc: 'Their parameters by name.' }),
  ]
  return { interfaces: interfaces.map(nested), types: types.plans(), table: planClientTable(procedures, model.types) }
}

const protocolNames = { 'json-rpc': 'JSON-RPC', 'xml-rpc': 'XML-RPC' }

/** What an editor shows: the docs as TSDoc has them. */
function docOf(procedure: ProcedureModel): string {
  const { description, params, returns, protocols, throws = [], examples = [], deprecated, since } = procedure
  const tags = [
    ...(protocols ? [`@remarks Over ${protocols.map((each) => protocolNames[each]).join(' and ')} only.`] : []),
    ...params.flatMap(({ name, doc }) => (doc === undefined ? [] : [tag(`@param ${name} -`, doc)])),
    ...(returns.doc === undefined ? [] : [tag('@returns', returns.doc)]),
    ...throws.map((error) => tag('@throws', `${error.code ?? error.name}: ${errorText(error)}`)),
    ...examples.map(({ text }) => `@example\n${text}`),
    ...(since === undefined ? [] : [tag('@since', since)]),
    ...(deprecated ? ['@deprecated'] : []),
  ]
  return [description, tags.join('\n')].filter((part) => part !== '').join('\n\n')
}

function tag(name: string, text: string): string {
  return `${name} ${text.replace(/\n/g, '\n  ')}`
}
