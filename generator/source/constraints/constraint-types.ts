// Constraint types: in number & Minimum<1> & tags.Maximum<9>, the types of this package and the tags of typia are object types
// with one optional member, from which the constraints { minimum: 1, maximum: 9 } are read. Where TypeScript drops them, that is an error.
import { ts } from 'ts-morph'
import type { Constraints } from '../../../runtime/values/constraints.js'
import { isConstraintName, readConstraint } from '../../doc-comments/index.js'
import type { Constraint, ConstraintName } from '../../model/constraints.js'
import { isTaggedScalar, narrowestScalar, type TaggedScalar } from '../../model/tagged-scalars.js'
import { upperFirst } from '../../text.js'
import { isErrorType, isList, literalValueOf, memberTypeOf, symbolLinks, usesKey } from '../program/checker.js'
import type { Mistake } from '../program/problems.js'

/** The key of the member that typia's tags have. */
const typiaTag = 'typia.tag'

/** True for the optional member of a scalar type or a constraint type, and of a tag of typia. */
export function isTypeTag(property: ts.Symbol): boolean {
  return property.name === typiaTag || ownTag(property) !== undefined
}

/**
 * `int` for the member of `Int`, `minimum` for the one of `Minimum<0>`. They are recognised by their form: a package that bundles
 * its declarations has copies of these types, with a number after a name that occurs twice.
 */
function ownTag(property: ts.Symbol): string | undefined {
  const declaration = property.valueDeclaration
  if (!declaration || !ts.isPropertySignature(declaration) || !declaration.questionToken) return undefined
  if (!ts.isComputedPropertyName(declaration.name)) return undefined
  const [, name] = /^\[(?:\w+\.)?(\w+)Tag(?:[$_]\d+)?\]$/.exec(declaration.name.getText()) ?? []
  const type = declaration.type?.getText() ?? ''
  if (name === undefined) return undefined
  if (isTaggedScalar(name)) return type === 'true' ? name : undefined
  return isConstraintName(name) && /\bargument/i.test(type) ? name : undefined
}

/** Reads the constraint types of an intersection, in order; of any other type there are none. Those that are invalid or not supported are mistakes. */
export function constraintTypesOf(type: ts.Type, checker: ts.TypeChecker): (Constraint | Mistake)[] {
  return writtenTags(type, checker).map(({ label, name, text }) => {
    const hint = 'remove the tag, and check the value in the procedure'
    if (name === undefined) return { message: `the tag ${label} is not supported`, hint }
    if (text === undefined) return { message: `${label}: expected one literal`, hint: 'write the value itself' }
    const read = readConstraint(name, text)
    if (typeof read === 'string') return { message: `${label}: expected ${read}, got ${JSON.stringify(text)}` }
    return { name, value: read.value }
  })
}

/** A constraint type: its name as written, the constraint, and the argument as text where it is one literal. */
interface WrittenTag {
  readonly label: string
  readonly name: ConstraintName | undefined
  readonly text: string | undefined
}

function writtenTags(type: ts.Type, checker: ts.TypeChecker): WrittenTag[] {
  if (!type.isIntersection()) return []
  return tagsIn(type, checker).flatMap((property) => {
    const value = checker.getNonNullableType(checker.getTypeOfSymbol(property))
    if (property.name === typiaTag) return typiaTags(value, type, checker)
    const name = ownTag(property)
    if (name === undefined || !isConstraintName(name)) return []
    return [{ label: upperFirst(name), name, text: tagArgument(value, checker) }]
  })
}

/** The tags of an intersection. Only its object types have any: the members of a string are those of its class. */
export function tagsIn({ types }: ts.IntersectionType, checker: ts.TypeChecker): ts.Symbol[] {
  const objects = types.filter(({ flags }) => flags & ts.TypeFlags.Object)
  return objects.flatMap((part) => checker.getPropertiesOfType(part).filter(isTypeTag))
}

/** The member besides `argument` has the value as its type. */
function tagArgument(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const [only, second] = checker.getPropertiesOfType(type).filter(({ name }) => name !== 'argument')
  return only && !second ? literalText(checker.getNonNullableType(checker.getTypeOfSymbol(only)), checker) : undefined
}

function literalText(type: ts.Type | undefined, checker: ts.TypeChecker): string | undefined {
  const value = type && literalValueOf(type, checker)
  return typeof value === 'number' ? numberText(value) : value?.toString()
}

/** Prints all digits: `2 ** 64` as a string has fewer, and would be read as another integer. */
function numberText(value: number): string {
  return Number.isInteger(value) ? `${BigInt(value)}` : `${value}`
}

/** Tags of typia that describe a value and do not limit it. */
const describingTags = ['default', 'example', 'examples', 'constant', 'jsonPlugin', 'contentMediaType', 'sequence']

/** A tag of typia is a member of the type `{ kind, value, … }`. */
function typiaTags(tag: ts.Type, whole: ts.IntersectionType, checker: ts.TypeChecker): WrittenTag[] {
  const [kind = 'without a kind', text] = readTypiaTag(tag, checker)
  const label = `tags.${upperFirst(kind)}`
  if (describingTags.includes(kind) && isChecking(tag, checker))
    return [{ label: `${label} with a check`, name: undefined, text }]
  if (describingTags.includes(kind) || (kind === 'uniqueItems' && text === 'false')) return []
  if (isConstraintName(kind)) return [{ label, name: kind, text }]
  const isBigint = whole.types.some(({ flags }) => flags & ts.TypeFlags.BigIntLike)
  const limits = kind === 'type' && text !== undefined ? typiaLimits(text, isBigint) : undefined
  if (!limits) return [{ label: kind === 'type' ? `tags.Type<'${text}'>` : label, name: undefined, text }]
  const all = Object.entries(limits) as [ConstraintName, number][]
  return all.map(([name, limit]) => ({ label, name, text: numberText(limit) }))
}

function readTypiaTag(tag: ts.Type, checker: ts.TypeChecker): (string | undefined)[] {
  return ['kind', 'value'].map((name) => literalText(memberTypeOf(tag, name, checker), checker))
}

/** True for a tag with an expression that typia would evaluate. */
function isChecking(tag: ts.Type, checker: ts.TypeChecker): boolean {
  const validate = memberTypeOf(tag, 'validate', checker)
  const type = validate && checker.getNonNullableType(validate)
  return type !== undefined && !(type.flags & ts.TypeFlags.Never) && literalText(type, checker) !== ''
}

/** The limits of `tags.Type<'uint8'>`; undefined for a type that typia does not have. */
function typiaLimits(type: string, isBigint: boolean): Constraints | undefined {
  if (type === 'double' || type === 'int32') return {}
  if (type === 'float') return { minimum: -floatMax, maximum: floatMax }
  const [, unsigned, bits] = /^(u?)int(8|16|32|64)$/.exec(type) ?? []
  if (bits === undefined) return undefined
  const size = Number(bits) - (unsigned ? 0 : 1)
  // Limits are doubles, which the largest integer of 64 bits is not.
  const limits = { minimum: unsigned ? 0 : -(2 ** size), exclusiveMaximum: 2 ** size }
  return isBigint || isIntName(type) ? limits : { ...limits, multipleOf: 1 }
}

const floatMax = (2 - 2 ** -23) * 2 ** 127

function isIntName(type: string): boolean {
  return /^u?int(?:8|16)$|^int32$/.test(type)
}

/** Returns the scalar of this package that an intersection declares with `Int`, `Double` and typia's `Type`: if both, the narrower one. */
export function scalarTagOf(type: ts.Type, checker: ts.TypeChecker): TaggedScalar | undefined {
  if (!type.isIntersection()) return undefined
  return narrowestScalar(tagsIn(type, checker).map((each) => scalarOf(each, checker)))
}

/** Returns the name of a tag; one of a constraint is not in the table of scalars. */
function scalarOf(property: ts.Symbol, checker: ts.TypeChecker): string | undefined {
  if (property.name !== typiaTag) return ownTag(property)
  const [kind, text = ''] = readTypiaTag(checker.getNonNullableType(checker.getTypeOfSymbol(property)), checker)
  if (kind !== 'type') return undefined
  return isIntName(text) ? 'int' : /^(?:float|double)$/.test(text) ? 'double' : undefined
}

/** Returns a written type with constraint types. They apply to its values: `null & Minimum<1>` would be never. */
export function withConstraints(node: ts.TypeNode, constraints: readonly Constraint[]): string {
  const types = constraints.map(({ name, value }) => `${upperFirst(name)}${writtenValue(value)}`)
  const branches = ts.isUnionTypeNode(node) ? [...node.types] : [node]
  const isAbsent = (each: ts.TypeNode) => /^(?:null|undefined)$/.test(each.getText())
  const values = branches.filter((each) => !isAbsent(each))
  const value = values.map((each) => each.getText()).join(' | ')
  // A type that binds weaker than `&` is in parentheses.
  const isWeak = values.length > 1 || ts.isConditionalTypeNode(node) || ts.isFunctionTypeNode(node)
  const text = [isWeak ? `(${value})` : value, ...types].join(' & ')
  const absent = branches.filter(isAbsent).map((each) => each.getText())
  return absent.length > 0 ? [`(${text})`, ...absent].join(' | ') : text
}

function writtenValue(value: Constraint['value']): string {
  if (value === true) return ''
  if (typeof value !== 'string') return `<${value}>`
  return `<'${value.replace(/[\\']/g, '\\$&')}'>`
}

/** Returns why TypeScript drops the constraint types in a written type; undefined if it does not. */
export function droppedIn(node: ts.Node, checker: ts.TypeChecker): Mistake | undefined {
  if (ts.isIntersectionTypeNode(node)) return droppedInAny(node, checker)
  const rest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken) ? node.type : undefined
  if (!rest || !isConstrained(checker.getTypeFromTypeNode(rest), checker)) return undefined
  return { message: 'the rest of a tuple does not have the constraints of the list', hint: 'constrain its elements' }
}

/**
 * Returns why a mapped type drops the constraint types of a member's list: as by `T extends (infer U)[] ? U[] : T`, it makes a new list.
 */
export function droppedInList(property: ts.Symbol, checker: ts.TypeChecker): Mistake | undefined {
  const { mappedType, syntheticOrigin: origin } = symbolLinks(property)
  if (!mappedType?.declaration || !origin) return undefined
  const given = checker.getTypeOfSymbol(property)
  const isAnyList = (given.isUnion() ? given.types : [given]).some((each) => isList(each, checker))
  if (!isAnyList || !usesKey(mappedType.declaration)) return undefined
  const type = checker.getNonNullableType(given)
  if (!isList(type, checker)) return undefined
  const declared = checker.getNonNullableType(checker.getTypeOfSymbol(origin))
  if (type === declared) return droppedInList(origin, checker)
  // A list of such lists keeps them.
  const isElement = checker.getTypeArguments(type as ts.TypeReference).includes(declared)
  if (isElement || !isConstrained(declared, checker)) return undefined
  const message = `a mapped type makes a new list for ${property.name}, without the constraints of the list`
  const hint = 'return lists unchanged, before anything else: T extends readonly unknown[] ? T : …'
  return { message, hint }
}

/** True if a type has constraint types. */
export function isConstrained(type: ts.Type, checker: ts.TypeChecker): boolean {
  return constraintTypesOf(type, checker).some((each) => 'name' in each)
}

/** Returns why `any & Minimum<1>` is not checked; undefined for any other intersection. */
function droppedInAny(node: ts.IntersectionTypeNode, checker: ts.TypeChecker): Mistake | undefined {
  if (!(checker.getTypeFromTypeNode(node).flags & ts.TypeFlags.Any)) return undefined
  const types = node.types.map((each) => checker.getTypeFromTypeNode(each))
  const hasTags = types.some((type) =>
    type.isIntersection() ? tagsIn(type, checker).length > 0 : checker.getPropertiesOfType(type).some(isTypeTag),
  )
  // A name that is not found is reported as such.
  if (!hasTags || types.some(isErrorType)) return undefined
  const message = 'TypeScript reduces this intersection to any, without the constraints'
  return { message, hint: 'name the type of the values instead of any, as in number & Minimum<1>' }
}
