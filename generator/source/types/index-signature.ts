// Members whose names are not declared:
//
//   { [name: string]: number }  →  { kind: 'struct', members: [], indexes: [{ type: { kind: 'number' } }] }
import { ts } from 'ts-morph'
import type { Keys } from '../../../runtime/values/types.js'
import { narrowed } from '../../model/constraints.js'
import type { ModelType } from '../../model/model.js'
import { escapeUnseen } from '../../text.js'
import { isConstrained } from '../constraints/constraint-types.js'
import { isNumericName } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { Resolver } from './resolver-interface.js'
import { templatePattern, templateText } from './template.js'
import { isUntyped, rejectUntyped } from './unresolved.js'

/** An index signature: the type of its members, and a constraint on their names, if any. */
export interface Index {
  readonly type: ts.Type
  /** True if it applies to a member that is declared beside it. */
  readonly covers: (property: ts.Symbol) => boolean
  readonly keys?: Keys
}

/** An index signature whose type is resolved. */
export interface ResolvedIndex extends Index {
  readonly model: ModelType
}

/** The texts of JavaScript numbers: the keys of an object, or of a Map, that is keyed by number. */
export const numberKeys = '^(?:0|-?(?:[1-9]\\d*(?:\\.\\d*[1-9])?|0\\.\\d*[1-9])(?:e[+-]\\d+)?)$'

/** Returns the base type of a brand; any other type unchanged. */
export function unbranded(type: ts.Type): ts.Type {
  const names = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike
  return (type.isIntersection() && type.types.find(({ flags }) => flags & names)) || type
}

/** The key type for a brand over numbers: with `number` a plain Record would be assignable. */
const numericText = `\`\${number}\``

/** True if all index signatures are keyed by symbols. */
export function isKeyedBySymbols(type: ts.Type, { checker }: Resolver): boolean {
  const infos = checker.getIndexInfosOfType(type)
  return infos.length > 0 && infos.every(({ keyType }) => keyType.flags & ts.TypeFlags.ESSymbolLike)
}

/** True if there are index signatures and none accepts a member, as in `Record<string, never>`: other members are not possible. */
export function isClosed(type: ts.Type, { checker }: Resolver): boolean {
  const infos = checker.getIndexInfosOfType(type)
  return infos.length > 0 && infos.every((each) => each.type.flags & ts.TypeFlags.Never)
}

/** Merges the index signatures that have one value type; the one for all keys is first. */
export function indexesOf(type: ts.Type, place: Place, resolver: Resolver): readonly Index[] {
  const { checker } = resolver
  const infos = checker.getIndexInfosOfType(type).filter(({ keyType }) => !(keyType.flags & ts.TypeFlags.ESSymbolLike))
  for (const { keyType } of infos) rejectKey(keyType, place, resolver)
  const untyped = infos.find((each) => isUntyped(each.declaration, each.type, checker))
  if (untyped) rejectUntyped('the index signature', { ...place, node: untyped.declaration ?? place.node }, resolver)
  const types = [...new Set(infos.map((each) => each.type))]
  const all = types.map((each) =>
    mergedIndex(
      type,
      infos.filter((info) => info.type === each),
      checker,
    ),
  )
  return [...all.filter(({ keys }) => !keys), ...all.filter(({ keys }) => keys)]
}

/** Rejects keys of an object or a Map that have constraints, which would not be checked, or a codec. */
export function rejectKey(key: ts.Type, place: Place, { checker, codecs, reject }: Resolver): void {
  const hint = 'key it by string, or by a template literal type'
  if (isConstrained(key, checker)) reject(place, 'RPC127', 'the constraints of keys are not checked', hint)
  const codec = (key.isUnion() ? key.types : [key]).map(codecs.find).find(Boolean)
  if (!codec) return
  const message = `keys are sent as they are: the codec of ${codec.name} is not used`
  reject(place, 'RPC121', message, 'key it by string, or declare a list of pairs: [key, value][]')
}

/** Returns the index signature for declarations with one type. */
function mergedIndex(type: ts.Type, infos: readonly ts.IndexInfo[], checker: ts.TypeChecker): Index {
  const covers = (property: ts.Symbol) => infos.some(({ keyType }) => appliesTo(property, keyType, checker))
  const every = infos.find(({ keyType }) => keyType.flags & ts.TypeFlags.String)
  if (every) return { type: narrowest(type, every, checker), covers }
  const keys = infos.map(({ keyType }) => keysOf(keyType, checker))
  const pattern = keys.map((each) => each.pattern).join('|')
  const [{ type: value } = { type }] = infos
  return { type: value, covers, keys: { text: [...new Set(keys.map(({ text }) => text))].join(' | '), pattern } }
}

/**
 * Of intersected index signatures returns the type that is assignable to all others, as in `{ [name: string]: A } &
 * { [name: string]: A | undefined }`: the checker intersects their branches, which creates objects that are also lists.
 */
function narrowest(type: ts.Type, { keyType, type: intersected }: ts.IndexInfo, checker: ts.TypeChecker): ts.Type {
  if (!type.isIntersection()) return intersected
  const all = type.types.flatMap(
    (each) => checker.getIndexInfosOfType(each).find((info) => info.keyType === keyType) ?? [],
  )
  // Int and number are assignable to each other: the intersected type is the declared one.
  if (all.some((each) => each.type === intersected)) return intersected
  return (
    all.find((each) => all.every((other) => checker.isTypeAssignableTo(each.type, other.type)))?.type ?? intersected
  )
}

/** Returns the keys of an index signature. A brand does not exist in names on the wire and may not be importable: its base type is used. */
function keysOf(type: ts.Type, checker: ts.TypeChecker): Keys {
  const base = unbranded(type)
  if (base !== type && base.flags & ts.TypeFlags.Number) return { text: numericText, pattern: numberKeys }
  const pattern = templatePattern(type)
  if (pattern !== undefined) return { text: templateText(type, checker), pattern }
  if (base !== type) return keysOf(base, checker)
  const text = escapeUnseen(checker.typeToString(type))
  // A key without a pattern, such as Uppercase<string>, accepts every name.
  return { text, pattern: type.flags & ts.TypeFlags.Number ? numberKeys : '^' }
}

/**
 * Intersects a member's type with that of the index signature beside it: `{ a: number } & Record<string, Int>` has an Int. Rejects a
 * member that contradicts it, as in `{ id: number } & Record<string, string>`: nothing can be assigned to such a type, and an
 * equivalent object type cannot be written.
 */
export function withIndexType(
  resolved: ModelType,
  property: ts.Symbol,
  { type, model, covers }: ResolvedIndex,
  place: Place,
  { checker, reject, table }: Resolver,
): ModelType {
  if (!covers(property)) return resolved
  const both = acceptsMember(property, type, checker) ? narrowed(resolved, model, table.byKey) : undefined
  if (both) return both
  const [own, index] = [checker.getTypeOfSymbol(property), type].map((each) => checker.typeToString(each))
  const message = `the member is ${own}, and the index signature requires ${index}`
  return reject(place, 'RPC121', message, 'give one of them the type of the other, or move them apart')
}

/** Rejects members to which an index signature applies that accepts none. */
export function rejectClosed(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  place: Place,
  { checker, reject }: Resolver,
): void {
  const keys = checker.getIndexInfosOfType(type).map(({ keyType }) => keyType)
  const found = properties.find((property) => keys.some((key) => appliesTo(property, key, checker)))
  if (!found) return
  const message = `the index signature does not accept the member ${found.name}`
  reject(place, 'RPC121', message, 'leave one of them out, or move them apart')
}

/** True for a member whose key is a symbol. TypeScript adds an underscore to a name that begins with two. */
export function isKeyedBySymbol({ escapedName }: ts.Symbol): boolean {
  return `${escapedName}`.startsWith('__@')
}

/** True if an index signature applies to a member. */
function appliesTo(property: ts.Symbol, key: ts.Type, checker: ts.TypeChecker): boolean {
  const { name } = property
  if (isKeyedBySymbol(property) || key.flags & ts.TypeFlags.ESSymbolLike) return false
  if (key.flags & ts.TypeFlags.String) return true
  if (key.flags & ts.TypeFlags.Number) return isNumericName(name)
  return checker.isTypeAssignableTo(checker.getStringLiteralType(name), key)
}

/** True if the index signature accepts a member's type; undefined means that the member is left out. */
function acceptsMember(property: ts.Symbol, index: ts.Type, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeOfSymbol(property)
  const isAbsence = ({ flags }: ts.Type) => property.flags & ts.SymbolFlags.Optional && flags & ts.TypeFlags.Undefined
  const types = type.isUnion() ? type.types : [type]
  return types.every((each) => isAbsence(each) || checker.isTypeAssignableTo(each, index))
}
