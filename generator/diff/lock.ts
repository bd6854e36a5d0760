// `rpc.lock.json`: the description of the API without texts for people, sorted, with what fits on a line on one line, so that a
// change of the contract is a readable change of a line:
//
//     "params": [{ "name": "id", "type": { "kind": "int", "constraints": { "minimum": 1 } } }],
import { isJsonObject, referencedNames, typesOfProcedure } from '../../runtime/description/described-types.js'
import type {
  DescribedOverload,
  DescribedProcedure,
  Description,
  NamedType,
} from '../../runtime/description/description.js'
import type { DescribedRule } from '../../runtime/description/security.js'
import { jsonText, type Line } from '../diagnostics/printable.js'
import { type Change, changeLine, sortChanges, summaryOf } from './change.js'
import { lockedFields } from './properties.js'
import { errorCodesOf } from './read-description.js'
import { lockFormat } from './read-lock.js'
import { compareVersions, parseVersion } from './version.js'

/** What of types is not in a lock: texts, and what only TypeScript distinguishes. */
const notOfType = new Set(
  'doc notes description deprecated deprecation default id alias unnamed limits discriminant labels readonly as codec numeric'.split(
    ' ',
  ),
)

export function lockText({ procedures, types }: Description): string {
  const lock = {
    [lockFormat.key]: lockFormat.version,
    procedures: [...procedures].sort(byName).map(plainProcedure),
    types: usedTypes(procedures, types)
      .sort(byName)
      .map(({ name, type }) => ({ name, type: plain(type) })),
  }
  return `${printAt(lock, '', 0)}\n`
}

/** Returns the changes since a lock was written. Throws UsageError for a text that is not a lock; `name` is its name in messages. */
export function checkLock(text: string, description: Description, name = 'rpc.lock.json'): Change[] {
  return compareVersions(parseVersion(text, name), { kind: 'sources', name: 'the sources', description })
}

/**
 * Returns the lines that `--check` prints for a lock whose contract differs from the sources, breaking changes first; else an empty
 * list. `text` is undefined if the file does not exist.
 */
export function staleLock(text: string | undefined, description: Description, name = 'rpc.lock.json'): Line[] {
  if (text === undefined) return [`${name} does not exist: run rpc-gen`]
  const changes = sortChanges(checkLock(text, description, name))
  if (changes.length === 0) return []
  const lines = changes.map((change): Line => ['  ', ...changeLine(change)])
  return [`${name} is stale: ${summaryOf(changes)}: run rpc-gen`, ...lines]
}

/** Returns the types that procedures send or receive; the data of errors is not part of the contract. */
function usedTypes(procedures: readonly DescribedProcedure[], types: readonly NamedType[]): NamedType[] {
  const namesIn = new Map(types.map(({ name, type }) => [name, referencedNames(type)]))
  const used = new Set(procedures.flatMap(({ throws: _, ...each }) => typesOfProcedure(each).flatMap(referencedNames)))
  // It grows while it is iterated.
  for (const name of used) for (const each of namesIn.get(name) ?? []) used.add(each)
  return types.filter(({ name }) => used.has(name))
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}

function plainProcedure(procedure: DescribedProcedure): object {
  const { name, security, params, overloads, returns } = procedure
  const codes = errorCodesOf(procedure)
  return {
    name,
    ...Object.fromEntries(lockedFields.flatMap(({ field }) => (procedure[field] ? [[field, procedure[field]]] : []))),
    ...(security && { security: security.map((rules) => rules.map(plainRule)) }),
    params: params.map(plainParam),
    ...(overloads && {
      overloads: overloads.map((each) => ({ params: each.params.map(plainParam), ...result(each) })),
    }),
    ...result({ returns }),
    ...(codes.length > 0 && { throws: codes.map((code) => ({ code })) }),
  }
}

function plainParam({ name, type, optional, rest }: DescribedProcedure['params'][number]): object {
  return { name, ...(optional && { optional }), ...(rest && { rest }), type: plain(type) }
}

function result({ returns }: Pick<DescribedOverload, 'returns'>): object {
  return { returns: { type: plain(returns?.type) } }
}

/** Without the texts of a scheme. */
function plainRule({ scheme, ...rule }: DescribedRule): object {
  if (!scheme) return rule
  const { description: _, ...known } = scheme
  return { ...rule, scheme: known }
}

/** A type without texts; members and branches are sorted, and the fields of each type begin with its kind. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isJsonObject(value)) return value
  const { kind, name, ...fields } = value
  const names = Object.keys(fields)
    .filter((field) => !notOfType.has(field) && fields[field] !== undefined)
    .sort()
  const others = names.map((field) => {
    const inner = plain(fields[field])
    return [field, field === 'members' || field === 'branches' ? sortedByText(inner as readonly unknown[]) : inner]
  })
  const isNamed = name !== undefined && kind !== 'struct'
  return { ...(kind !== undefined && { kind }), ...(isNamed && { name }), ...Object.fromEntries(others) }
}

function sortedByText(values: readonly unknown[]): readonly unknown[] {
  return values
    .map((each) => [JSON.stringify(each), each] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each)
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
  if (!isJsonObject(value)) return jsonText(value)
  const members = Object.entries(value).map(([name, each]) => `${jsonText(name)}: ${printLine(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
