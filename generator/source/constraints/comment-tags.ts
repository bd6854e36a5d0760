import { ts } from 'ts-morph'
import { type ConstraintTags, constraintTags, mayConstrain, misplacedConstraints } from '../../docs/index.js'
import { slashes } from '../../options.js'
import { commentBefore, type PlacedComment, reportInComment } from '../comments/comments.js'
import type { Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { labelAt, symbolLinks } from '../symbols.js'
import { typeTagsOf } from './type-tags.js'

/** The constraint tags in the comment before a declaration. */
export interface CommentTags extends ConstraintTags {
  readonly comment: PlacedComment
}

/** Reads the comment before each declaration once, and reports what is wrong in it. */
export interface CommentReader {
  tagsOf(node: ts.Node): CommentTags | undefined
  isRead(comment: PlacedComment): boolean
  /** Notes a comment that is read elsewhere. */
  note(comment: PlacedComment): void
}

export function createCommentReader({ program }: OpenProject, problems: Problems): CommentReader {
  const known = new Map<ts.Node, CommentTags | undefined>()
  const read = new Set<PlacedComment>()
  return {
    tagsOf(node) {
      if (known.has(node)) return known.get(node)
      const tags = isUserSource(node.getSourceFile(), program) ? readTags(node, problems) : undefined
      known.set(node, tags)
      if (tags) read.add(tags.comment)
      return tags
    },
    isRead: (comment) => read.has(comment),
    note: (comment) => void read.add(comment),
  }
}

function readTags(node: ts.Node, problems: Problems): CommentTags | undefined {
  const comment = commentBefore(node)
  if (!comment || !mayConstrain(comment.text)) return undefined
  const tags = constraintTags(comment.doc)
  const misplaced = misplacedConstraints(comment.text)
  for (const problem of [...tags.problems, ...misplaced]) reportInComment(comment, problem, problems, 'RPC125')
  const { hiding } = comment.doc
  if (hiding?.tags.some((name) => mayConstrain(`@${name}`))) reportInComment(comment, hiding, problems)
  reportMiswritten(comment, tags, problems)
  return tags.found.length + tags.miswritten.length + misplaced.length === 0 ? undefined : { ...tags, comment }
}

/** Declarations whose comments may have constraint tags. */
export function mayHaveTags(node: ts.Node): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isParameter(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassLike(node) ||
    ts.isTypeAliasDeclaration(node)
  )
}

/** A tag in another case, or with a colon behind it: nothing reads it. */
export function reportMiswritten(comment: PlacedComment, { miswritten }: ConstraintTags, problems: Problems): void {
  for (const { name, correct, line } of miswritten) {
    const hint = /^[a-z]+$/i.test(name) ? `write it @${correct}` : `write it @${correct}, a space and its value`
    reportInComment(comment, { line, message: `@${name} has no effect` }, problems, 'RPC142', { hint })
  }
}

const userSources = new WeakMap<ts.SourceFile, boolean>()

/**
 * True for a source of the user that may have constraint tags. Sources of the workspace are the user's, also behind a link in
 * node_modules; what an installed package writes in its comments is prose.
 */
export function isUserSource(source: ts.SourceFile, program: ts.Program): boolean {
  const known = userSources.get(source)
  if (known !== undefined) return known
  const isUsers =
    mayConstrain(source.text) && !program.isSourceFileDefaultLibrary(source) && !isInstalled(source.fileName)
  userSources.set(source, isUsers)
  return isUsers
}

const installed = '/node_modules/'

function isInstalled(file: string): boolean {
  return file.includes(installed) && slashes(ts.sys.realpath?.(file) ?? file).includes(installed)
}

/** Why TypeScript drops constraints, and what to do. */
export interface Dropped {
  readonly message: string
  readonly hint: string
}

/** The comments whose tags apply to a member, or why they cannot be applied. */
export interface MemberTags {
  readonly declarations: readonly ts.Declaration[]
  readonly problem?: Dropped | undefined
}

/**
 * Returns the declarations whose tags apply to a member. Intersections and interfaces that are declared twice contribute all of
 * theirs. A mapped type keeps the tags of a member if it keeps the type of the member; it is an error if the new type contains the
 * old one, as `{ value: T[K] }` does; the tags do not apply to any other type.
 */
export function taggedDeclarations(property: ts.Symbol, checker: ts.TypeChecker, reader: CommentReader): MemberTags {
  const { mappedType, syntheticOrigin, containingType, target } = symbolLinks(property)
  if (mappedType?.declaration && !usesKey(mappedType.declaration)) return { declarations: [] }
  const origin = syntheticOrigin ?? (containingType ? undefined : target)
  if (origin) {
    const found = taggedDeclarations(origin, checker, reader)
    if (mappedType === undefined || !isTagged(found, reader)) return found
    const [now, before] = [property, origin].map((each) => checker.getNonNullableType(checker.getTypeOfSymbol(each)))
    if (!now || !before || isSame(now, before, checker)) return found
    return contains(now, before, checker) ? { ...found, problem: changed(property) } : { declarations: [] }
  }
  if (!containingType) return { declarations: property.declarations ?? [] }
  const members = containingType.types.flatMap((each) => checker.getPropertyOfType(each, property.name) ?? [])
  const parts = members.map((each) => taggedDeclarations(each, checker, reader))
  const declarations = [...new Set(parts.flatMap((each) => each.declarations))]
  const problem = parts.find((each) => each.problem)?.problem
  if (problem) return { declarations, problem }
  return containingType.isUnion() && differ(parts, reader)
    ? { declarations, problem: differing(property) }
    : { declarations }
}

function isTagged({ declarations }: MemberTags, { tagsOf }: CommentReader): boolean {
  return declarations.some((each) => (tagsOf(each)?.found.length ?? 0) > 0)
}

/** A template that does not have the key gives every member a type of its own. */
function usesKey({ type, typeParameter: { name } }: ts.MappedTypeNode): boolean {
  const isKey = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === name.text) || (ts.forEachChild(node, isKey) ?? false)
  return type !== undefined && isKey(type)
}

/** Null, undefined and `readonly` aside. A list whose elements are mapped, as by DeepPartial, is as long as before. */
function isSame(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const [now, before] = [checker.getNonNullableType(one), checker.getNonNullableType(other)]
  if (now === before) return true
  if (!checker.isArrayType(now) || !checker.isArrayType(before)) return false
  const [element] = checker.getTypeArguments(now as ts.TypeReference)
  const [elementBefore] = checker.getTypeArguments(before as ts.TypeReference)
  if (!element || !elementBefore) return false
  return isSame(element, elementBefore, checker) || isMappedFrom(element, elementBefore, checker)
}

function isMappedFrom(type: ts.Type, before: ts.Type, checker: ts.TypeChecker): boolean {
  const properties = checker.getPropertiesOfType(checker.getNonNullableType(type))
  const isMapped = (each: ts.Symbol) => {
    const { syntheticOrigin } = symbolLinks(each)
    return syntheticOrigin !== undefined && syntheticOrigin === before.getProperty(syntheticOrigin.name)
  }
  return properties.length > 0 && properties.every(isMapped)
}

/** How deep a type is looked for in another one. */
const maxDepth = 4

function contains(type: ts.Type, part: ts.Type, checker: ts.TypeChecker, depth = 0): boolean {
  if (type === part) return true
  if (depth > maxDepth) return false
  const inside = (each: ts.Type) => contains(each, part, checker, depth + 1)
  if (type.isUnionOrIntersection()) return type.types.some(inside)
  if (!(type.flags & ts.TypeFlags.Object)) return false
  if (checker.getTypeArguments(type as ts.TypeReference).some(inside)) return true
  if (checker.isArrayType(type) || checker.isTupleType(type)) return false
  return checker.getPropertiesOfType(type).some((each) => inside(checker.getTypeOfSymbol(each)))
}

function differ(parts: readonly MemberTags[], { tagsOf }: CommentReader): boolean {
  const texts = parts.map(({ declarations }) =>
    JSON.stringify(declarations.map((each) => tagsOf(each)?.constraints ?? {})),
  )
  return new Set(texts.map((text) => text.replace(/\{\},?/g, ''))).size > 1
}

export const asType = 'write the constraints into the type of the member, as in number & Minimum<0>'

function changed({ name }: ts.Symbol): Dropped {
  return { message: `a mapped type changes the type of ${name}, and its constraint tags are dropped`, hint: asType }
}

function differing({ name }: ts.Symbol): Dropped {
  return { message: `the branches that ${name} is taken of have different constraint tags for it`, hint: asType }
}

/** Returns why TypeScript drops the constraints of a written type; undefined if it does not. */
export function droppedBy(node: ts.Node, checker: ts.TypeChecker, reader: CommentReader): Dropped | undefined {
  if (ts.isIndexedAccessTypeNode(node)) return droppedByAccess(node, checker, reader)
  const rest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken) ? node.type : undefined
  const found = rest && typeTagsOf(checker.getTypeFromTypeNode(rest), checker).found
  return found?.length
    ? { message: 'the rest of a tuple does not have the constraints of the list', hint: 'constrain its elements' }
    : undefined
}

/** `Order['note']` is the type of the member alone: tags in the comment of the member are not part of it. */
function droppedByAccess(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  checker: ts.TypeChecker,
  reader: CommentReader,
): Dropped | undefined {
  const object = checker.getTypeFromTypeNode(objectType)
  const index = checker.getTypeFromTypeNode(indexType)
  for (const key of index.isUnion() ? index.types : [index]) {
    if (!key.isStringLiteral() && !key.isNumberLiteral()) continue
    const declarations = checker.isTupleType(object)
      ? [labelAt(object, Number(key.value))].flatMap((each) => each ?? [])
      : membersOf(object, String(key.value), checker, reader)
    if (!declarations.some((each) => reader.tagsOf(each)?.found.length)) continue
    return { message: `the type of ${key.value} does not have the constraint tags of its comment`, hint: asType }
  }
  return undefined
}

function membersOf(
  object: ts.Type,
  name: string,
  checker: ts.TypeChecker,
  reader: CommentReader,
): readonly ts.Declaration[] {
  const property = checker.getPropertyOfType(object, name)
  return property ? taggedDeclarations(property, checker, reader).declarations.filter(mayHaveTags) : []
}
