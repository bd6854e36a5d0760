// `rpc.lock.json`: the description of the API without texts for people, sorted, with what fits on a line on one line, so that a
// change of the contract is a readable change of a line:
//
//     "params": [{ "name": "id", "type": { "kind": "int", "constraints": { "minimum": 1 } } }],
import { isJsonObject, referencedNames, typesOfProcedure } from '../../runtime/description/described-types.js'
import type { DescribedProcedure, Description, NamedType } from '../../runtime/description/description.js'
import { jsonText, type Line } from '../diagnostics/printable.js'
import { type Change, changeLine, sortChanges, summaryOf } from './change.js'
import { lockedForm, lockFormat } from './lock-form.js'
import { errorCodesOf } from './read-description.js'
import { compareVersions, parseVersion } from './version.js'

export function lockText({ procedures, types }: Description): string {
  const used = { procedures: procedures.map(withCodes), types: usedTypes(procedures, types) }
  const lock = { [lockFormat.key]: lockFormat.version, ...(lockedForm(used, 'lock', true) as object) }
  return `${printAt(lock, '', 0)}\n`
}

/** Of its errors a lock has the codes. */
function withCodes(procedure: DescribedProcedure): object {
  const codes = errorCodesOf(procedure)
  return { ...procedure, throws: codes.length > 0 ? codes.map((code) => ({ code })) : undefined }
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
