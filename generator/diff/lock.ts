import type { OpenRpc } from '../../runtime/openrpc/openrpc.js'
import { jsonText, type Line } from '../printable.js'
import { apiOf, lockFormat, parseApi } from './api.js'
import { type Change, changeLine, sortChanges, summaryOf } from './change.js'
import { compareApis } from './methods.js'
import { type Fields, isRecord, remarks } from './type.js'

/** Members that are not part of the contract: text for people, and details in which builds may differ. */
const proseOfMethod = new Set(['summary', 'description', 'tags', 'deprecated', 'examples', 'x-since', 'x-deprecation'])

/**
 * `rpc.lock.json`: the OpenRPC contract without text for people, its methods and types by name; what fits on a line is on one line.
 * Locks are compared by meaning, so names of types and the order of keywords do not matter.
 */
export function lockText({ methods, components, 'x-security-schemes': schemes }: OpenRpc): string {
  const all = [...methods].sort((a, b) => (a.name < b.name ? -1 : 1)).map(methodText)
  const schemas = mapped(sorted({ ...components?.schemas }), plainSchema)
  const plainSchemes =
    schemes && mapped(sorted({ ...schemes }), (each) => without({ ...(each as Fields) }, proseOfMethod))
  const lock = {
    [lockFormat.key]: lockFormat.version,
    methods: all,
    ...(plainSchemes && { 'x-security-schemes': plainSchemes }),
  }
  return `${printAt(Object.keys(schemas).length > 0 ? { ...lock, components: { schemas } } : lock, '', 0)}\n`
}

/** Returns the changes since a lock was written. Throws UsageError for a text that is not a lock; `name` is its name in messages. */
export function checkLock(text: string, document: OpenRpc, name = 'rpc.lock.json'): Change[] {
  return compareApis(parseApi(text, name), apiOf(document, 'the sources'))
}

/**
 * Returns the lines that `--check` prints for a lock whose contract differs from the sources, breaking changes first; else an empty
 * list. `text` is undefined if the file does not exist.
 */
export function staleLock(text: string | undefined, document: OpenRpc, name = 'rpc.lock.json'): Line[] {
  if (text === undefined) return [`${name} does not exist: run rpc-gen`]
  const changes = sortChanges(checkLock(text, document, name))
  if (changes.length === 0) return []
  const lines = changes.map((change): Line => ['  ', ...changeLine(change)])
  return [`${name} is stale: ${summaryOf(changes)}: run rpc-gen`, ...lines]
}

function methodText(method: OpenRpc['methods'][number]): Fields {
  const { name, params, result, errors, paramStructure, ...extensions } = method
  const { 'x-overloads': overloads, 'x-params-object': object, 'x-subscription': subscription, ...rest } = extensions
  const codes = [...new Set(errors?.map(({ code }) => code))].sort((a, b) => a - b)
  const signature = (each: Fields) => ({
    params: (each['params'] as readonly Fields[]).map(descriptorText),
    ...(isRecord(each['result']) && { result: descriptorText(each['result']) }),
  })
  return {
    name,
    ...(paramStructure && paramStructure !== 'either' && { paramStructure }),
    ...signature({ params, result }),
    ...(codes.length > 0 && { errors: codes.map((code) => ({ code })) }),
    ...(overloads && { 'x-overloads': overloads.map((each) => signature({ ...each })) }),
    ...(object && { 'x-params-object': descriptorText({ ...object }) }),
    ...(subscription && { 'x-subscription': { ...subscription, item: descriptorText({ ...subscription.item }) } }),
    ...without(rest, proseOfMethod),
  }
}

function descriptorText({ name, required, schema, 'x-rest': rest }: Fields): Fields {
  return {
    name,
    ...(required === true && { required }),
    ...(rest === true && { 'x-rest': rest }),
    schema: plainSchema(schema),
  }
}

/** A schema without annotations. Members and constants may have any name and value. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema)
  if (!isRecord(schema)) return schema
  return mapped(without(schema, remarks), (value, word) => {
    if (word === 'const' || word === 'enum') return value
    const isNamed = (word === 'properties' || word === 'patternProperties') && isRecord(value)
    return isNamed ? mapped(value, plainSchema) : plainSchema(value)
  })
}

function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

function sorted(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function mapped(fields: Fields, change: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))
}

/** JSON with one line for what fits in 120 columns, so that a change is one line in a review; `column` is where the value begins. */
function printAt(value: unknown, indent: string, column: number): string {
  const line = printLine(value)
  // A comma may follow.
  if (column + line.length < 120 || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const keyed = Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).map(([name, each]) => [`${jsonText(name)}: `, each] as const)
  const lines = keyed.map(([key, each]) => inner + key + printAt(each, inner, inner.length + key.length))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function printLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`
  if (!isRecord(value)) return jsonText(value)
  const members = Object.entries(value).map(([name, each]) => `${jsonText(name)}: ${printLine(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
