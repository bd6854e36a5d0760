import type { AliasPlan, InterfacePlan } from '../../templates/interface.js'
import type { ModelType, NamedType } from '../model/model.js'
import type { Planner } from './planner.js'
import { grouped, restText, structText, tupleText } from './typescript.js'
import { literal } from './wire.js'

/** The types that the JSON interface refers to, gathered while it is planned. */
export interface JsonTypes {
  /** A type as JSON carries it: Date, bytes and bigint are strings, Set is an array, Map an object. */
  text(type: ModelType): string
  plans(): (InterfacePlan | AliasPlan)[]
}

const scalarTexts: Readonly<Record<string, string>> = {
  int: 'number',
  double: 'number',
  bigint: 'string',
  url: 'string',
  date: 'string',
  bytes: 'string',
  undefined: 'null',
  void: 'null',
  any: 'unknown',
}

export function createJsonTypes(planner: Planner): JsonTypes {
  const names = new Map<string, string>()
  const plans: (InterfacePlan | AliasPlan)[] = []

  const text = (type: ModelType): string => {
    switch (type.kind) {
      case 'ref':
        return nameOf(planner.typeOf(type.name))
      case 'literal':
        return literal(type.value)
      case 'bigint':
        return type.value === undefined ? 'string' : literal(type.value)
      case 'template':
        return type.text
      case 'array':
      case 'set':
        return `${grouped(text(type.element))}[]`
      case 'map':
        return structText({ kind: 'struct', members: [], rest: type.value }, text)
      case 'tuple':
        return tupleText({ ...type, readonly: false }, text)
      case 'struct':
        return structText(type, text)
      case 'union':
        return alternatives(type).join(' | ')
      default:
        return scalarTexts[type.kind] ?? type.kind
    }
  }

  const alternatives = (type: Union) => [...new Set(type.branches.map(text))]

  const nameOf = (named: NamedType): string => {
    const known = names.get(named.name)
    if (known !== undefined) return known
    const name = planner.scope.claim(`${named.name}Json`)
    names.set(named.name, name)
    const at = plans.length
    const { type } = named
    const plan = type.kind === 'union' ? aliasOf(name, alternatives(type)) : planOf(name, type, text)
    plans.splice(at, 0, plan)
    return name
  }

  return { text, plans: () => plans }
}

type Union = Extract<ModelType, { kind: 'union' }>

function aliasOf(name: string, alternatives: readonly string[]): AliasPlan {
  return { name, type: alternatives.join(' | '), alternatives }
}

function planOf(name: string, type: ModelType, text: (type: ModelType) => string): InterfacePlan | AliasPlan {
  if (type.kind !== 'struct') return { name, type: text(type) }
  const members = type.members.map(({ name: member, type: of, optional }) => {
    const plan = { name: member, type: text(of), doc: '' }
    return optional ? { ...plan, optional } : plan
  })
  const rest = type.rest ? { rest: restText(type, text), ...keysOf(type) } : {}
  return { name, exported: false, doc: '', members, ...rest }
}

function keysOf({ keys }: Extract<ModelType, { kind: 'struct' }>): { readonly keys?: string } {
  return keys ? { keys: keys.text } : {}
}
