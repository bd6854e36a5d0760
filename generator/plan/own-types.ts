import type { TypesByName } from '../../runtime/schema/description.js'
import type { AliasPlan, InterfacePlan } from '../../templates/interface.js'
import type { ModelType, NamedType } from '../model/model.js'
import type { Form } from './form.js'
import type { Scope } from './scope.js'
import { grouped, restText, structText, tupleText } from './typescript.js'
import { literal } from './wire.js'

/** Types in a form of the module's own, gathered while it is planned. */
export interface OwnTypes {
  readonly form: Form
  text(type: ModelType): string
  plans(): (InterfacePlan | AliasPlan)[]
}

export function createOwnTypes(types: TypesByName, scope: Scope, form: Form): OwnTypes {
  const names = new Map<string, string>()
  const plans: (InterfacePlan | AliasPlan)[] = []

  const text = (type: ModelType): string => {
    switch (type.kind) {
      case 'ref':
        return nameOf(types.get(type.name) as NamedType)
      case 'literal':
        return literal(type.value)
      case 'bigint':
        return type.value === undefined ? (form.scalars['bigint'] ?? 'bigint') : form.bigint(type.value)
      case 'template':
        return type.text
      case 'array':
        return `${grouped(text(type.element))}[]`
      case 'set':
        return form.set(text(type.element))
      case 'map':
        return form.map(text(type.value))
      case 'tuple':
        return tupleText({ ...type, readonly: false }, text)
      case 'struct':
        return structText(type, text)
      case 'union':
        return alternatives(type).join(' | ')
      default:
        return form.scalars[type.kind] ?? type.kind
    }
  }

  const alternatives = (type: Union) => [...new Set(type.branches.map(text))]

  const nameOf = (named: NamedType): string => {
    const known = names.get(named.name)
    if (known !== undefined) return known
    const name = scope.claim(`${named.name}${form.suffix}`)
    names.set(named.name, name)
    const at = plans.length
    const { type } = named
    const doc = form.isPublic ? (named.doc ?? '') : ''
    const plan = type.kind === 'union' ? aliasOf(name, alternatives(type)) : planOf(name, type, text, form)
    plans.splice(at, 0, { ...plan, exported: form.isPublic, doc })
    return name
  }

  return { form, text, plans: () => plans }
}

type Union = Extract<ModelType, { kind: 'union' }>

type Plan<P> = Omit<P, 'exported' | 'doc'>

function aliasOf(name: string, alternatives: readonly string[]): Plan<AliasPlan> {
  return { name, type: alternatives.join(' | '), alternatives }
}

function planOf(
  name: string,
  type: ModelType,
  text: (type: ModelType) => string,
  { isPublic }: Form,
): Plan<InterfacePlan> | Plan<AliasPlan> {
  if (type.kind !== 'struct') return { name, type: text(type) }
  const members = type.members.map(({ name: member, type: of, optional, doc }) => {
    const plan = { name: member, type: text(of), doc: isPublic ? (doc ?? '') : '' }
    return optional ? { ...plan, optional } : plan
  })
  const rest = type.rest ? { rest: restText(type, text), ...keysOf(type) } : {}
  return { name, members, ...rest }
}

function keysOf({ keys }: Extract<ModelType, { kind: 'struct' }>): { readonly keys?: string } {
  return keys ? { keys: keys.text } : {}
}
