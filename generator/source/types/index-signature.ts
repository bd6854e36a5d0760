import { ts } from 'ts-morph'
import type { Keys } from '../../../runtime/values/types.js'
import type { ModelType } from '../../model/model.js'
import { narrowed } from '../../model/narrowed.js'
import { memberPath } from '../../model/path.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'
import { refuseCustomKey } from './custom.js'
import { isUntyped, refuseUntyped } from './refused.js'
import { templatePattern, templateText } from './template.js'

/** An index signature: the type of its members, and their names where not every name is meant. */
export interface Index {
  readonly type: ts.Type
  /** Whether it is about the name of a member that is declared beside it. */
  readonly covers: (name: string) => boolean
  readonly keys?: Keys
}

/** How a number reads when it is the name of a member. */
const numericName = '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?$'

/** What a brand is over; any other type is itself. */
export function unbranded(type: ts.Type): ts.Type {
  const names = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike
  return (type.isIntersection() && type.types.find(({ flags }) => flags & names)) || type
}

/** What is said for a brand over numbers: `number` itself would let a plain Record stand for the branded one. */
const numericText = `\`\${number}\``

/** Whether members by symbol are all that an index signature lets in. */
export function isKeyedBySymbols(type: ts.Type, { checker }: Resolver): boolean {
  const infos = checker.getIndexInfosOfType(type)
  return infos.length > 0 && infos.every(({ keyType }) => keyType.flags & ts.TypeFlags.ESSymbolLike)
}

/** Whether there are index signatures and none lets a member in, as in `Record<string, never>`: then there are no others. */
export function isClosed(type: ts.Type, { checker }: Resolver): boolean {
  const infos = checker.getIndexInfosOfType(type)
  return infos.length > 0 && infos.every((each) => each.type.flags & ts.TypeFlags.Never)
}

/** The index signature of a type; several of them would need a validator each, and are refused. */
export function indexOf(type: ts.Type, place: Place, resolver: Resolver): Index | undefined {
  const { checker, refuse } = resolver
  const infos = checker.getIndexInfosOfType(type).filter(({ keyType }) => !(keyType.flags & ts.TypeFlags.ESSymbolLike))
  const [first, ...others] = infos
  if (!first) return undefined
  for (const { keyType } of infos) {
    resolver.constrainer.checkKey(keyType, place)
    refuseCustomKey(keyType, place, resolver)
  }
  const untyped = infos.find((each) => isUntyped(each.declaration, each.type, checker))
  if (untyped) refuseUntyped('the index signature', { ...place, node: untyped.declaration ?? place.node }, resolver)
  if (others.some((each) => each.type !== first.type)) {
    const [keys, types] = [infos.map(({ keyType }) => keyType), infos.map((each) => each.type)].map((all) =>
      [...new Set(all.map((each) => checker.typeToString(each)))].join(' | '),
    )
    const hint = `give them one type, { [name: ${keys}]: ${types} }, or each a member of its own`
    refuse(place, 'RPC121', 'an object with several index signatures cannot travel', hint)
  }
  const all = infos.find(({ keyType }) => keyType.flags & ts.TypeFlags.String)
  const covers = coverOf(type, checker)
  if (all) return { type: narrowest(type, all, checker), covers }
  const keys = infos.map(({ keyType }) => keysOf(keyType, checker))
  const pattern = keys.map((each) => each.pattern).join('|')
  return { type: first.type, covers, keys: { text: [...new Set(keys.map(({ text }) => text))].join(' | '), pattern } }
}

/**
 * Of index signatures that are intersected, the type that is one of each other already, as in `{ [name: string]: A } &
 * { [name: string]: A | undefined }`: the checker crosses the branches, and has objects that are lists too.
 */
function narrowest(type: ts.Type, { keyType, type: crossed }: ts.IndexInfo, checker: ts.TypeChecker): ts.Type {
  if (!type.isIntersection()) return crossed
  const all = type.types.flatMap(
    (each) => checker.getIndexInfosOfType(each).find((info) => info.keyType === keyType) ?? [],
  )
  // Int and number are assignable to each other: the crossed one says which is meant.
  if (all.some((each) => each.type === crossed)) return crossed
  return all.find((each) => all.every((other) => checker.isTypeAssignableTo(each.type, other.type)))?.type ?? crossed
}

/** A brand is nothing that a name on the wire has, and may be a symbol that nobody can import: what it is over is said. */
function keysOf(type: ts.Type, checker: ts.TypeChecker): Keys {
  const base = unbranded(type)
  if (base !== type && base.flags & ts.TypeFlags.Number) return { text: numericText, pattern: numericName }
  const pattern = templatePattern(type)
  if (pattern !== undefined) return { text: templateText(type, checker), pattern }
  if (base !== type) return keysOf(base, checker)
  const text = checker.typeToString(type)
  // A key without a pattern of its own, such as Uppercase<string>, lets every name through.
  return { text, pattern: type.flags & ts.TypeFlags.Number ? numericName : '^' }
}

/**
 * Refuses members that an index signature beside them contradicts, as in `{ id: number } & Record<string, string>`: nothing
 * can be assigned to such a type, and no object type can be written that says the same.
 */
export function refuseContradicted(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  place: Place,
  { checker, refuse }: Resolver,
): void {
  for (const info of checker.getIndexInfosOfType(type)) {
    for (const property of properties) {
      if (!isMeant(property.name, info.keyType, checker) || isOneOf(property, info.type, checker)) continue
      const [own, index] = [checker.getTypeOfSymbol(property), info.type].map((each) => checker.typeToString(each))
      const message = `the member is ${own}, and the index signature says that it is ${index}`
      const hint = 'let the index signature say the types of all members, or put its members into one of their own'
      refuse({ ...place, path: memberPath(place.path, property.name) }, 'RPC121', message, hint)
    }
  }
}

/** A member's type together with what the index signature beside it says: `{ a: number } & Record<string, Int>` has an Int. */
export function besideIndex(
  resolved: ModelType,
  { type, model, covers }: Beside,
  place: Place,
  { checker, refuse, typesByName }: Resolver,
  property: ts.Symbol,
): ModelType {
  if (!covers(property.name)) return resolved
  const both = narrowed(resolved, model, typesByName)
  if (both) return both
  const [own, index] = [checker.getTypeOfSymbol(property), type].map((each) => checker.typeToString(each))
  const message = `the member is ${own}, the index signature says ${index} of it, and no type says both on the wire`
  return refuse(place, 'RPC121', message, 'give the member the type that the index signature says')
}

/** An index signature whose type is known. */
export interface Beside {
  readonly type: ts.Type
  readonly model: ModelType
  /** Whether it is about a name. */
  readonly covers: (name: string) => boolean
}

/** Which names the index signatures of a type are about. */
function coverOf(type: ts.Type, checker: ts.TypeChecker): Beside['covers'] {
  const infos = checker.getIndexInfosOfType(type)
  return (name) => infos.some(({ keyType }) => isMeant(name, keyType, checker))
}

/** Whether an index signature is about a name. */
function isMeant(name: string, key: ts.Type, checker: ts.TypeChecker): boolean {
  if (name.startsWith('__@') || key.flags & ts.TypeFlags.ESSymbolLike) return false
  if (key.flags & ts.TypeFlags.String) return true
  if (key.flags & ts.TypeFlags.Number) return String(Number(name)) === name
  return checker.isTypeAssignableTo(checker.getStringLiteralType(name), key)
}

/** Whether a member's type is one that the index signature lets in; undefined is what leaving the member out means. */
function isOneOf(property: ts.Symbol, index: ts.Type, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeOfSymbol(property)
  const isAbsence = ({ flags }: ts.Type) => property.flags & ts.SymbolFlags.Optional && flags & ts.TypeFlags.Undefined
  const types = type.isUnion() ? type.types : [type]
  return types.every((each) => isAbsence(each) || checker.isTypeAssignableTo(each, index))
}
