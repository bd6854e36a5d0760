import type { InterfacePlan, MemberPlan } from '../../templates/interface.js'
import { callerDoc } from './caller-doc.js'
import { errorsMember, functionMember, paramsMember } from './interfaces.js'
import type { OwnTypes } from './own-types.js'
import type { PlannedProcedure } from './procedure.js'

/** An interface of the module that has a member for each procedure. */
interface Interface {
  readonly name: string
  readonly doc: string
  readonly memberOf: (procedure: PlannedProcedure, json: OwnTypes) => MemberPlan
}

const interfaces: readonly Interface[] = [
  {
    name: 'Procedures',
    doc: 'Method name to function type, in TypeScript values.',
    memberOf: ({ model, type }) => ({ name: model.name, type, doc: model.description }),
  },
  {
    name: 'JsonProcedures',
    doc: 'The same as JSON carries it: Date, bigint and bytes are strings, Set is an array, Map an object.',
    memberOf: ({ model }, json) => functionMember(model, json, callerDoc),
  },
  {
    name: 'JsonParams',
    doc: 'The parameters by name, as JSON carries them.',
    memberOf: ({ model }, json) => paramsMember(model, json),
  },
]

/** The declared errors by procedure; undefined where no procedure declares one with a code. */
export function planErrors(procedures: readonly PlannedProcedure[], json: OwnTypes): InterfacePlan | undefined {
  const members = procedures.flatMap(({ model }) => errorsMember(model, json))
  return members.length === 0 ? undefined : { name: 'JsonErrors', exported: true, doc: errorsDoc, members }
}

const errorsDoc = 'The errors that `@throws` declares, their data as JSON carries it: for `RpcErrorGuard`.'

/** The interfaces of the module, in their order. `known` has the members of procedures that were planned before. */
export function planInterfaces(
  procedures: readonly PlannedProcedure[],
  json: OwnTypes,
  known: (at: number, name: string) => MemberPlan | undefined = () => undefined,
): InterfacePlan[] {
  return interfaces.map(({ name, doc, memberOf }) => {
    const members = procedures.map((each, at) => known(at, name) ?? memberOf(each, json))
    return { name, exported: true, doc, members }
  })
}
