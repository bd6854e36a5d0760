import { ts } from 'ts-morph'
import { type ConstraintTags, constraintTags, mayConstrain, meantConstraint, readConstraint } from '../../docs/index.js'
import { commentBefore, docCommentsOf, inPlainComment, type PlacedComment, plainTagsOf } from '../comments/comments.js'
import type { Place, Problems } from '../problems.js'
import { createClosures } from '../project/imports.js'
import type { OpenProject } from '../project/project.js'
import { type CommentReader, mayHaveTags, taggedSources } from './comment-reader.js'
import { isTypeTag, withConstraints } from './type-tags.js'

/** Reports constraint tags in comments that are not read, and those that TypeScript drops. */
export interface StrayTags {
  /** Records declarations in which tags of a procedure's parameters may be written. */
  notice(nodes: readonly ts.Node[]): void
  /** Records the declarations of a member, some of which cannot have constraints, such as those of an object literal. */
  noticeMember(declarations: readonly ts.Node[]): void
  /** Reports a type that was made of a tagged alias and does not have its tags. */
  checkType(type: ts.Type, place: Pick<Place, 'node' | 'path'>): void
  /** Reports `NonNullable`, `Exclude` or `Extract` of a tagged alias: what remains does not have its name, by which its tags are found. */
  checkPart(written: Pick<Place, 'node' | 'path'>): void
  report(): void
}

export function createStrayTags(project: OpenProject, problems: Problems, reader: CommentReader): StrayTags {
  const noticed = new Set<ts.Node>()
  let known: readonly TaggedAlias[] | undefined
  const aliases = () => {
    known ??= importedSources(project).flatMap((source) => contentOf(source, project).aliases)
    return known
  }
  const reportLost = ({ node, path }: Pick<Place, 'node' | 'path'>, isLost: (alias: TaggedAlias) => boolean): void => {
    const alias = aliases().find(isLost)
    if (!alias) return
    const message = `the tags of the alias ${alias.node.name.text} are not part of this type`
    problems.at(node, 'RPC127', message, { path, hint: `write them into the alias: ${alias.line}` })
  }
  return {
    notice: (nodes) => {
      for (const node of nodes) noticed.add(node)
    },
    noticeMember(declarations) {
      for (const each of declarations) if (!mayHaveTags(each)) noticed.add(each)
    },
    checkType: (type, place) => reportLost(place, (each) => isMadeOf(type, each, project)),
    checkPart({ node, path }) {
      const [whole] = ts.isTypeReferenceNode(node) && isPartOfUnion(node, project) ? (node.typeArguments ?? []) : []
      if (!whole) return
      const type = project.checker.getTypeAtLocation(whole)
      const part = project.checker.getTypeAtLocation(node)
      if (!part.isIntersection()) reportLost({ node, path }, (each) => isTakenApart(type, part, each, project))
    },
    report() {
      for (const source of importedSources(project)) {
        const { aliases: tagged, unclaimed } = contentOf(source, project)
        for (const each of tagged) {
          const { found } = reader.tagsOf(each.node) ?? {}
          if (found?.length && !each.isKept) reportAlias(each, problems)
        }
        for (const each of unclaimed) if (each.isInType) reportStray(source, each, problems)
      }
      for (const node of noticed) reportNoticed(node, project, problems, reader)
    },
  }
}

/** The user's sources that the project's sources import and that have constraint tags. */
function importedSources({ program, sources, globals }: OpenProject): readonly ts.SourceFile[] {
  const all = [...taggedSources(program)]
  if (all.length === 0) return []
  const closureOf = createClosures(program)
  const names = new Set([...globals, ...sources.flatMap(({ fileName }) => closureOf(fileName))])
  return all.filter(({ fileName }) => names.has(fileName))
}

/** A type alias with constraint tags. */
interface TaggedAlias {
  readonly node: ts.TypeAliasDeclaration
  /** True if the checker keeps its name, by which its comment is found. */
  readonly isKept: boolean
  /** The declaration with constraint types instead of the tags, for the hint. */
  readonly line: string
}

/** A constraint tag that is not before a declaration which may have it, or in an ordinary comment, and why it has no effect. */
interface Unclaimed {
  readonly start: number
  readonly message: string
  readonly hint: string
  /** The doc comment that has it. */
  readonly comment?: PlacedComment
  /** True if it can only apply to a type. */
  readonly isInType: boolean
}

interface Content {
  readonly aliases: readonly TaggedAlias[]
  readonly unclaimed: readonly Unclaimed[]
}

const contents = new WeakMap<ts.Program, Map<ts.SourceFile, Content>>()

function contentOf(source: ts.SourceFile, { program, checker }: OpenProject): Content {
  const known = contents.get(program) ?? new Map<ts.SourceFile, Content>()
  contents.set(program, known)
  const content = known.get(source) ?? read(source, checker)
  known.set(source, content)
  return content
}

function read(source: ts.SourceFile, checker: ts.TypeChecker): Content {
  const aliases: TaggedAlias[] = []
  const areas: ts.TextRange[] = []
  const claimed = new Set<PlacedComment>()
  const visit = (node: ts.Node): void => {
    if (isArea(node)) areas.push(areaOf(node))
    const comment = mayHaveTags(node) ? commentBefore(node) : undefined
    if (comment) claimed.add(comment)
    const tags = comment && ts.isTypeAliasDeclaration(node) ? constraintTags(comment) : undefined
    if (tags) aliases.push(taggedAlias(node as ts.TypeAliasDeclaration, tags, checker))
    ts.forEachChild(node, visit)
  }
  visit(source)
  const isIn = (start: number) => areas.some(({ pos, end }) => pos <= start && start < end)
  const isTypedef = (text: string) => /@(?:typedef|callback)\b/.test(text) && isJavaScript(source)
  const others = docCommentsOf(source).filter((each) => !claimed.has(each) && constraintTags(each))
  return {
    aliases,
    unclaimed: [
      ...others.map((comment) => {
        const { start, text } = comment
        return { start, comment, isInType: isIn(start) || isTypedef(text), message: noEffect, hint: hintIn(source) }
      }),
      ...plainTagsOf(source, (name) => mayConstrain(`@${name}`)).flatMap(({ name, value, start }) =>
        isConstraint(name, value) ? [{ start, isInType: isIn(start), ...inPlainComment(name) }] : [],
      ),
    ],
  }
}

/** True for a tag in an ordinary comment with a fitting value, also as `@minimum: 5`: others are prose. */
function isConstraint(name: string, text: string): boolean {
  const value = text.replace(/^[:=]\s*|^\((.*)\)$/, '$1')
  const meant = meantConstraint(name, value)
  return meant !== undefined && typeof readConstraint(meant, value) !== 'string'
}

function isJavaScript(source: ts.SourceFile): boolean {
  return Boolean(source.flags & ts.NodeFlags.JavaScriptFile)
}

/** True for a node in which every tag applies to a type. */
function isArea(node: ts.Node): boolean {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameterPropertyDeclaration(node, node.parent)
  )
}

/** A declaration with the comments before it and after it on its line. */
function areaOf(node: ts.Node): ts.TextRange {
  const { text } = node.getSourceFile()
  // The comma after a parameter is not part of it.
  const end = ts.isParameter(node) && text.startsWith(',', node.end) ? node.end + 1 : node.end
  const behind = ts.getTrailingCommentRanges(text, end)?.at(-1)
  return { pos: node.getFullStart(), end: ts.isTypeNode(node) ? node.end : (behind?.end ?? node.end) }
}

function taggedAlias(node: ts.TypeAliasDeclaration, { found }: ConstraintTags, checker: ts.TypeChecker): TaggedAlias {
  const parameters = node.typeParameters ? `<${node.typeParameters.map((each) => each.getText()).join(', ')}>` : ''
  const line = `type ${node.name.text}${parameters} = ${withConstraints(node.type, found)}`
  return { node, isKept: isKept(node, checker), line }
}

/**
 * The checker keeps the name of a union, of an object type and of a type with a brand. A mapped type over a list loses it, and so
 * does a union with null or undefined: an optional member, `NonNullable` and a default value take these out.
 */
function isKept(node: ts.TypeAliasDeclaration, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeAtLocation(node.name)
  if (checker.getNonNullableType(type) !== type) return false
  const { objectFlags = 0 } = type as Partial<ts.ObjectType>
  if (!type.aliasSymbol?.declarations?.includes(node) || objectFlags & ts.ObjectFlags.Reference) return false
  if (!type.isIntersection()) return true
  const objects = type.types.filter(({ flags }) => flags & ts.TypeFlags.Object)
  return objects.some((each) => checker.getPropertiesOfType(each).some((property) => !isTypeTag(property)))
}

/**
 * True if a type has all parts of an alias and not its name: an intersection or a union of it with another type, or the result of
 * `NonNullable` and a key. Another alias of the same parts is a different type.
 */
function isMadeOf(type: ts.Type, { node, isKept: kept }: TaggedAlias, { checker, program }: OpenProject): boolean {
  if (!kept || !type.isUnionOrIntersection()) return false
  const alias = checker.getTypeAtLocation(node.name)
  if (!alias.isUnionOrIntersection() || alias.flags !== type.flags || type.aliasSymbol === alias.aliasSymbol)
    return false
  if (checker.getNonNullableType(type) === alias || !alias.types.every((each) => type.types.includes(each)))
    return false
  const [named] = type.aliasSymbol?.declarations ?? []
  const isUsers = named !== undefined && !program.isSourceFileDefaultLibrary(named.getSourceFile())
  return !isUsers || type.types.length > alias.types.length
}

/** True for a library's alias that takes branches out of a union. */
function isPartOfUnion({ typeName }: ts.TypeReferenceNode, { checker, program }: OpenProject): boolean {
  const [declaration] = checker.getSymbolAtLocation(typeName)?.declarations ?? []
  const isLibrary = declaration !== undefined && program.isSourceFileDefaultLibrary(declaration.getSourceFile())
  return isLibrary && ['NonNullable', 'Exclude', 'Extract'].includes(typeName.getText())
}

/** True if a type has the parts of an alias, and `part` of it has some of them without the name of the alias. */
function isTakenApart(
  type: ts.Type,
  part: ts.Type,
  { node, isKept: kept }: TaggedAlias,
  project: OpenProject,
): boolean {
  const alias = project.checker.getTypeAtLocation(node.name)
  const [all, left] = [branchesOf(type), branchesOf(part)]
  const isPart = kept && branchesOf(alias).every((each) => all.includes(each))
  return isPart && part !== alias && !left.includes(alias) && (formsOf(part) & formsOf(alias)) !== 0
}

function branchesOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type]
}

/** The primitive types that a type has values of, as bits. */
function formsOf(type: ts.Type): number {
  if (type.isUnionOrIntersection()) return type.types.reduce((forms, each) => forms | formsOf(each), 0)
  const { StringLike, NumberLike, BigIntLike } = ts.TypeFlags
  return [StringLike, NumberLike, BigIntLike].reduce(
    (forms, flag, i) => (type.flags & flag ? forms | (1 << i) : forms),
    0,
  )
}

function reportAlias({ node, line }: TaggedAlias, problems: Problems): void {
  const message = `TypeScript replaces the alias ${node.name.text} by its type, without the tags of its comment`
  problems.at(node, 'RPC127', message, { hint: `write them into the type: ${line}` })
}

function reportStray(source: ts.SourceFile, { start, message, hint }: Unclaimed, problems: Problems): void {
  problems.add({ code: 'RPC142', message, position: problems.positionIn(source, start), hint })
}

const noEffect = 'a constraint tag has no effect here'
const inTypeScript =
  'write it into the last comment before a parameter, a member or an interface, or as a type: number & Minimum<1>'
const inJavaScript =
  'write it before a parameter, (/** @minimum 1 */ n), or a field of a class; declare named types in TypeScript'
const elsewhere =
  'another declaration, or an inference, determines the type of the parameter: write it there, or into the type: number & Minimum<1>'

function hintIn(source: ts.SourceFile): string {
  return isJavaScript(source) ? inJavaScript : inTypeScript
}

/** Reports the tags in a declaration that was not read: in an object literal, or in a function whose type is declared elsewhere. */
function reportNoticed(node: ts.Node, project: OpenProject, problems: Problems, reader: CommentReader): void {
  const source = node.getSourceFile()
  if (!taggedSources(project.program).has(source)) return
  const { pos, end } = noticedArea(node)
  for (const each of contentOf(source, project).unclaimed) {
    const isRead = each.isInType || (each.comment && reader.isRead(each.comment))
    if (pos <= each.start && each.start < end && !isRead) reportStray(source, each, problems)
  }
  const own = ts.isParameter(node) ? commentBefore(node) : undefined
  if (own && constraintTags(own) && !reader.isRead(own))
    reportStray(source, { start: own.start, message: noEffect, hint: elsewhere, isInType: false }, problems)
}

/** A function without its body, any other declaration as a whole. */
function noticedArea(node: ts.Node): ts.TextRange {
  const value = (ts.isVariableDeclaration(node) && node.initializer) || node
  const { body } = value as { readonly body?: ts.Node }
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return { pos: whole.getFullStart(), end: ts.isFunctionLike(value) && body ? body.getStart() : node.end }
}
