// The properties of a method that are compared beside its types and its auth. The lock has them, each reader returns all of them, and each is
// compared:
//
//     idempotent: true  →  absent      [{ code: 'idempotent-removed', path: 'createOrder' }]
import type { JsonObject } from '../../runtime/description/described-types.js'
import type { ProcedureMeta } from '../../runtime/description/description.js'
import type { Changes } from './change.js'

/** The fields of a procedure that a lock has if they are set, in its order, and the form of each there. */
export const lockedFields = {
  protocols: '[string]',
  paramsObject: 'flag',
  subscription: 'flag',
  idempotent: 'flag',
} as const satisfies Partial<Record<keyof ProcedureMeta, string>>

/** How params may be sent: by name, by position, either, or as one object that is the only argument. */
export type ParamStructure = 'by-name' | 'by-position' | 'either' | 'object'

/** A value for each of the fields. */
export interface Properties extends Record<keyof typeof lockedFields, unknown> {
  readonly protocols: readonly string[]
  readonly paramsObject: ParamStructure
  /** True if a call subscribes: `result` is then the type of the items. */
  readonly subscription: boolean
  readonly idempotent: boolean
}

/** The protocols of a method that specifies none. */
const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

export function describedProperties({ paramsObject, ...procedure }: ProcedureMeta): Properties {
  const { protocols = allProtocols, subscription = false, idempotent = false } = procedure
  return { protocols, paramsObject: paramsObject ? 'object' : 'either', subscription, idempotent }
}

/** The same for a method of an OpenRPC document; `hasRest`: a param of the method is a rest parameter. */
export function documentedProperties(method: JsonObject, hasRest: boolean): Properties {
  return {
    protocols: stringsOf(method['x-protocols']) ?? allProtocols,
    paramsObject: method['x-params-object'] === undefined ? structureOf(method['paramStructure'], hasRest) : 'object',
    subscription: method['x-subscription'] !== undefined,
    idempotent: method['x-idempotent'] === true,
  }
}

/** With a rest parameter, documents of rpc-gen are by name only, though calls by position work too. */
function structureOf(structure: unknown, hasRest: boolean): ParamStructure {
  return structure === 'by-position' || (structure === 'by-name' && !hasRest) ? structure : 'either'
}

const structureWords: Readonly<Record<ParamStructure, string>> = {
  'by-name': 'by name',
  'by-position': 'by position',
  either: 'by name or by position',
  object: 'as one object',
}

export function compareProperties(old: Properties, now: Properties, changes: Changes): void {
  const { method } = changes
  for (const each of without(old.protocols, now.protocols))
    changes.add('protocol-removed', method, `${each} can no longer call it`, each)
  for (const each of without(now.protocols, old.protocols))
    changes.add('protocol-added', method, `${each} can also call it`, undefined, each)
  const [before, after] = [old.paramsObject, now.paramsObject]
  if (before !== after) {
    const code = after === 'either' && before !== 'object' ? 'param-structure-widened' : 'param-structure-narrowed'
    const message = `params are accepted ${structureWords[after]}, and were accepted ${structureWords[before]}`
    changes.add(code, method, message, before, after)
  }
  if (old.subscription !== now.subscription) {
    const sent =
      'the method became a subscription: its items are sent over WebSocket, or over HTTP as server-sent events'
    const was = 'the method was a subscription and returns its value now'
    changes.add('subscription-changed', method, now.subscription ? sent : was)
  }
  if (old.idempotent && !now.idempotent)
    changes.add('idempotent-removed', method, 'a call whose response was lost may no longer be sent again')
  if (now.idempotent && !old.idempotent)
    changes.add('idempotent-added', method, 'a call whose response was lost may be sent again')
}

/** Returns a list of strings; undefined for any other value. */
export function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}

/** Returns the values that are not in another list. */
export function without<Value>(values: readonly Value[], others: readonly Value[]): Value[] {
  const found = new Set(others)
  return values.filter((each) => !found.has(each))
}
