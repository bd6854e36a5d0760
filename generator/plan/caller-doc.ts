import { errorText, parametersByName } from '../../runtime/schema/description.js'
import type { ProcedureModel } from '../model/model.js'

const protocolNames = { 'json-rpc': 'JSON-RPC', 'xml-rpc': 'XML-RPC' }

/** Returns the docs of a procedure as TSDoc, which editors show to callers. */
export function callerDoc(procedure: ProcedureModel): string {
  const { description, returns, protocols, throws = [], examples = [], deprecated, deprecation, since } = procedure
  const tags = [
    ...(protocols ? [`@remarks Over ${protocols.map((each) => protocolNames[each]).join(' and ')} only.`] : []),
    ...parametersByName(procedure).flatMap(({ name, doc }) =>
      doc === undefined ? [] : [tag(`@param ${name} -`, doc)],
    ),
    ...(returns.doc === undefined ? [] : [tag('@returns', returns.doc)]),
    ...throws.map((error) => tag('@throws', `${error.code ?? error.name}: ${errorText(error)}`)),
    ...examples.map(({ text }) => `@example\n${text}`),
    ...(since === undefined ? [] : [tag('@since', since)]),
    ...(deprecated ? [tag('@deprecated', deprecation ?? '')] : []),
  ]
  return [description, tags.join('\n')].filter((part) => part !== '').join('\n\n')
}

function tag(name: string, text: string): string {
  return `${name} ${text.replace(/\n/g, '\n  ')}`.trimEnd()
}
