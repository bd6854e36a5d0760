import { renderClient } from '../../templates/client.js'
import type { MemberDeclaration, TypeDeclaration } from '../../templates/file.js'
import type { Model, NamedType, ProcedureModel } from '../model/model.js'
import { callerDoc } from './caller-doc.js'
import { clientTable } from './client-table.js'
import { errorsText, functionText, paramsText } from './functions.js'
import type { Form } from './kinds.js'
import { isServed } from './names.js'
import { nested, nestedParams } from './nested.js'
import { ownType } from './own-types.js'
import { createScope, type Scope } from './scope.js'

/** Names of the text of a client, and globals that it refers to. */
const taken = (
  'undefined Date Map Promise Record Set URL Uint8Array ' +
  'Client ClientMembers ClientOptions ClientTable Params Procedures create createClient table tableCodec'
).split(' ')

/** Those of one that declares errors. */
const takenByErrors = ['Errors', 'RpcError', 'RpcErrorGuard', 'isError', 'isRpcError']

const errorsDoc = 'The errors that the procedures declare, by procedure; their data is the form over JSON.'

/** The text of a client that stands alone: it imports nothing of the sources. */
export function clientText(model: Model): string {
  const procedures = model.procedures.filter(isServed)
  const hasErrors = procedures.some(({ throws = [] }) => throws.some(({ code }) => code !== undefined))
  const scope = createScope(hasErrors ? [...taken, ...takenByErrors] : taken)
  const types = createOwnTypes('client', model.types, scope)
  // The data of an error has its form over JSON: the table does not convert it.
  const json = createOwnTypes('json', model.types, scope)
  const memberOf = (each: ProcedureModel): MemberDeclaration => {
    return { name: each.name, type: functionText(each, types.form), doc: callerDoc(each) }
  }
  const paramsOf = (each: ProcedureModel): MemberDeclaration => {
    return { name: each.name, type: paramsText(each, types.form), doc: '' }
  }
  const errors = procedures.flatMap((each): MemberDeclaration[] => {
    const type = errorsText(each, json.form)
    return type === undefined ? [] : [{ name: each.name, type, doc: '' }]
  })
  const interfaces: TypeDeclaration[] = [
    { name: 'Procedures', exported: true, doc: 'The procedures, by name.', members: nested(procedures.map(memberOf)) },
    {
      name: 'Params',
      exported: true,
      doc: 'Their parameters by name.',
      members: nestedParams(procedures.map(paramsOf)),
    },
    ...(hasErrors ? [{ name: 'Errors', exported: true, doc: errorsDoc, members: errors }] : []),
  ]
  return renderClient({
    types: [...interfaces, ...types.declarations(), ...json.declarations()],
    table: clientTable(procedures, model.types),
    hasErrors,
  })
}

/** Types of the client's own: named when they are first referred to, and written with all that they refer to. */
function createOwnTypes(name: 'client' | 'json', all: readonly NamedType[], scope: Scope) {
  const byName = new Map(all.map((type) => [type.name, type]))
  const names = new Map<string, string>()
  const form: Form = {
    name,
    codegen: (own) => own,
    named(ref) {
      const known = names.get(ref.name) ?? scope.claim(name === 'json' ? `${ref.name}Json` : ref.name)
      names.set(ref.name, known)
      return known
    },
  }
  const declarations = (): TypeDeclaration[] => {
    // A Map is read to its end, also by what is added to it meanwhile.
    const written: TypeDeclaration[] = []
    for (const [type, own] of names) written.push(ownType(own, byName.get(type) as NamedType, form, true))
    return written
  }
  return { form, declarations }
}
