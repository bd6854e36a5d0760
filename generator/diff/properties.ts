// The properties of a method that are compared beside its types and its auth: a row for each field of a procedure that callers rely on. The
// lock has these fields, descriptions and documents are read by the rows, and each row compares the property:
//
//     idempotent: true  →  absent      [{ code: 'idempotent-removed', path: 'createOrder' }]
import type { JsonObject } from '../../runtime/description/described-types.js'
import type { ProcedureMeta } from '../../runtime/description/description.js'
import type { Changes } from './change.js'

/** How params may be sent: by name, by position, either, or as one object that is the only argument. */
export type ParamStructure = 'by-name' | 'by-position' | 'either' | 'object'

interface Property<Value> {
  /** The field of a procedure; a lock has it if it is set. */
  readonly field: keyof ProcedureMeta
  /** The form of the field in a lock. */
  readonly form: 'flag' | '[string]'
  /** Reads the property of a description. */
  described(procedure: ProcedureMeta): Value
  /** Reads the property of a document; `hasRest`: a param of the method is a rest parameter. */
  documented(method: JsonObject, hasRest: boolean): Value
  compare(old: Value, now: Value, changes: Changes): void
}

function property<Value>(row: Property<Value>): Property<Value> {
  return row
}

/** The protocols of a method that specifies none. */
const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

const structureWords: Readonly<Record<ParamStructure, string>> = {
  'by-name': 'by name',
  'by-position': 'by position',
  either: 'by name or by position',
  object: 'as one object',
}

/** The properties, in the order of the report and of a lock. */
const rows = {
  protocols: property({
    field: 'protocols',
    form: '[string]',
    described: ({ protocols = allProtocols }): readonly string[] => protocols,
    documented: (method) => stringsOf(method['x-protocols']) ?? allProtocols,
    compare(old, now, changes) {
      for (const each of without(old, now))
        changes.add('protocol-removed', changes.method, `${each} can no longer call it`, each)
      for (const each of without(now, old))
        changes.add('protocol-added', changes.method, `${each} can also call it`, undefined, each)
    },
  }),
  structure: property({
    field: 'paramsObject',
    form: 'flag',
    described: ({ paramsObject }): ParamStructure => (paramsObject ? 'object' : 'either'),
    documented: (method, hasRest) =>
      method['x-params-object'] === undefined ? structureOf(method['paramStructure'], hasRest) : 'object',
    compare(old, now, changes) {
      if (old === now) return
      const isWider = now === 'either' && old !== 'object'
      const message = `params are accepted ${structureWords[now]}, and were accepted ${structureWords[old]}`
      const code = isWider ? 'param-structure-widened' : 'param-structure-narrowed'
      changes.add(code, changes.method, message, old, now)
    },
  }),
  /** True if a call subscribes: `result` is then the type of the items. */
  subscription: property({
    field: 'subscription',
    form: 'flag',
    described: ({ subscription = false }) => subscription,
    documented: (method) => method['x-subscription'] !== undefined,
    compare(old, now, changes) {
      if (old === now) return
      const sent = 'its items are sent over WebSocket, or over HTTP as server-sent events'
      const was = 'the method was a subscription and returns its value now'
      changes.add('subscription-changed', changes.method, now ? `the method became a subscription: ${sent}` : was)
    },
  }),
  idempotent: property({
    field: 'idempotent',
    form: 'flag',
    described: ({ idempotent = false }) => idempotent,
    documented: (method) => method['x-idempotent'] === true,
    compare(old, now, changes) {
      if (old === now) return
      const message = `a call whose response was lost may ${now ? '' : 'no longer '}be sent again`
      changes.add(now ? 'idempotent-added' : 'idempotent-removed', changes.method, message)
    },
  }),
}

type Rows = typeof rows
export type Properties = { readonly [Name in keyof Rows]: ReturnType<Rows[Name]['described']> }

/** The fields of a procedure that a lock has as they are, and the form of each. */
export const lockedFields = Object.values(rows).map(({ field, form }) => ({ field, form }))

export function describedProperties(procedure: ProcedureMeta): Properties {
  return readProperties((row) => row.described(procedure))
}

/** The same for a method of an OpenRPC document. */
export function documentedProperties(method: JsonObject, hasRest: boolean): Properties {
  return readProperties((row) => row.documented(method, hasRest))
}

function readProperties(read: (row: Rows[keyof Rows]) => unknown): Properties {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, read(row)])) as Properties
}

export function compareProperties(old: Properties, now: Properties, changes: Changes): void {
  for (const [name, row] of Object.entries(rows) as [keyof Rows, Property<unknown>][])
    row.compare(old[name], now[name], changes)
}

/** True for a method whose documents are by name only because of a rest parameter: calls by position work too. */
function structureOf(structure: unknown, hasRest: boolean): ParamStructure {
  return structure === 'by-position' || (structure === 'by-name' && !hasRest) ? structure : 'either'
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
