import { ts } from 'ts-morph'
import type { Constraints } from '../../../runtime/schema/constraints.js'
import { innerTypesOf } from '../../../runtime/schema/described-types.js'
import type { TypesByName } from '../../../runtime/schema/description.js'
import type { DiagnosticCode } from '../../diagnostic.js'
import { type Constraint, type ConstraintName, constraintTags } from '../../docs/index.js'
import { canHave, constrain, contradiction, isApplicable, literalMeets, literalsIn } from '../../model/constrain.js'
import { flatten } from '../../model/forms.js'
import { type ModelType, type OfKind, unknownYet } from '../../model/model.js'
import { type SlowPart, slowPartOf } from '../../model/slow-pattern.js'
import { type PlacedComment, reportInComment } from '../comments/comments.js'
import type { Place, Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { isInstalled } from '../project/sources.js'
import { type CommentTags, createCommentReader, mayHaveTags } from './comment-reader.js'
import { droppedBy, type MemberTags, rebuiltList, taggedDeclarations } from './comment-tags.js'
import { foreignRuleIn, foreignRules } from './foreign-rules.js'
import { createStrayTags } from './stray-tags.js'
import { typeNameOf, typeTagsOf } from './type-tags.js'

/** Adds constraints to the model of a type, and reports those that cannot be added. */
export interface Constrainer {
  /** Adds the constraint types of an intersection. */
  byType(model: ModelType, type: ts.Type, place: Place): ModelType
  /** Adds the tags in the comments before declarations. */
  byComments(model: ModelType, declarations: readonly ts.Node[]): ModelType
  /** Adds the tags in the comments of a member. */
  byMember(model: ModelType, property: ts.Symbol, place: Place): ModelType
  /** Reports a type of keys that has constraints: the names of members are not checked for them. */
  checkKey(type: ts.Type, place: Place): void
  /** Reports a written type whose constraints TypeScript drops. */
  checkWritten(node: ts.Node, place: Place): void
  /** Records the comment of a procedure, and the declarations in which tags of its parameters may be written. */
  notice(comment: PlacedComment, nodes: readonly ts.Node[]): void
  /** Applies the constraints of types that contain themselves, once all types are known. */
  settle(): void
  /** Reports the patterns in the named types and in further ones that backtrack without a bound, and have no MaxLength beside them. */
  checkPatterns(further: readonly ModelType[]): void
  /** Reports the tags that have no effect; called once, at the end. */
  finish(): void
}

/** A constraint where it is written. */
interface Written extends Constraint {
  /** `@minimum` in a comment, `Minimum` in a type. */
  show(name: ConstraintName): string
  report(code: DiagnosticCode, message: string, hint?: string): void
}

/** What is known while constraints are added. */
interface Known {
  /** The named types so far. */
  readonly types: TypesByName
  /** Where the pattern of constraints is written. */
  readonly patterns: WeakMap<Constraints, Written>
}

/** `types` are the named types so far. */
export function createConstrainer(project: OpenProject, problems: Problems, types: TypesByName): Constrainer {
  const { checker } = project
  const { known, add, settle } = createAdder(types)
  const reader = createCommentReader(project, problems)
  const stray = createStrayTags(project, problems, reader)
  const byComments: Constrainer['byComments'] = (model, declarations) => {
    const tags = declarations.filter(mayHaveTags).flatMap((each) => reader.tagsOf(each) ?? [])
    return tags.flatMap((each) => writtenInComment(each, problems)).reduce(add, model)
  }
  return {
    byType(model, type, place) {
      stray.checkType(type, place)
      const { found, problems: wrong } = typeTagsOf(type, checker)
      for (const { message, ...more } of [...wrong, ...foreignRules(type, checker)])
        problems.at(place.node, 'RPC125', message, { path: place.path, ...more })
      return found.map((each) => writtenInType(each, place, problems)).reduce(add, model)
    },
    byComments,
    byMember(plain, property, place) {
      const list = rebuiltList(property, checker)
      if (!list && !reader.hasTags()) return plain
      const ofList = list?.constraints ?? []
      const model = ofList.map((each) => writtenInType(each, place, problems)).reduce(add, plain)
      const { declarations, problem } = reader.hasTags() ? taggedDeclarations(property, checker, reader) : noTags
      stray.noticeMember(declarations)
      const dropped = list?.problem ?? problem
      if (!dropped) return byComments(model, declarations)
      problems.at(place.node, 'RPC127', dropped.message, { path: place.path, hint: dropped.hint })
      return model
    },
    checkKey(type, place) {
      stray.checkType(type, place)
      const tags = (type.aliasSymbol?.declarations ?? []).flatMap((each) => reader.tagsOf(each)?.found ?? [])
      if (typeTagsOf(type, checker).found.length + tags.length > 0) rejectKey(place, problems)
    },
    checkWritten(node, place) {
      if (ts.isTypeQueryNode(node)) stray.notice(variableIn(node, checker))
      if (reader.hasTags()) stray.checkPart({ node, path: place.path })
      reportWritten(node, place, project, reader, problems)
    },
    notice(comment, nodes) {
      reader.note(comment)
      stray.notice(nodes)
    },
    settle,
    checkPatterns: (further) => checkPatterns(further, known),
    finish: stray.report,
  }
}

function reportWritten(
  node: ts.Node,
  { node: at, path }: Place,
  { checker }: OpenProject,
  reader: ReturnType<typeof createCommentReader>,
  problems: Problems,
): void {
  const dropped = droppedBy(node, checker, reader)
  if (dropped) problems.at(node, 'RPC127', dropped.message, { path, hint: dropped.hint })
  const foreign = foreignRuleIn(node, checker)
  if (!foreign) return
  // A user cannot correct what is in an installed package.
  const position = isInstalled(node.getSourceFile()) ? at : node
  problems.at(position, 'RPC125', foreign.message, { path, hint: foreign.hint })
}

/** Adds constraints, those of types that are being resolved once `settle` is called. */
function createAdder(types: TypesByName) {
  const known: Known = { types, patterns: new WeakMap() }
  const open: (() => void)[] = []
  return {
    known,
    add(model: ModelType, constraint: Written): ModelType {
      if (!isOpen(model, types)) return apply(model, constraint, known)
      const later = { ...model }
      open.push(() => replace(later, apply(model, constraint, known)))
      return later
    },
    settle() {
      for (const complete of open.splice(0)) complete()
    },
  }
}

/** True for a reference to a type that is being resolved: what it can have is not known. */
function isOpen(model: ModelType, types: TypesByName): boolean {
  if (model.kind === 'union') return model.branches.some((each) => isOpen(each, types))
  const type = model.kind === 'ref' ? types.get(model.name)?.type : undefined
  return type !== undefined && (type === unknownYet || isOpen(type, types))
}

/** Makes one model equal to another one: it is part of the models of other types already. */
function replace(model: ModelType, by: ModelType): void {
  for (const name of Object.keys(model)) Reflect.deleteProperty(model, name)
  Object.assign(model, by)
}

function rejectKey({ node, path }: Place, problems: Problems): void {
  const hint = 'key it by string, or by a template literal type'
  problems.at(node, 'RPC127', 'the constraints of keys are not checked', { path, hint })
}

function checkPatterns(further: readonly ModelType[], known: Known): void {
  // The constraints of a named type itself are examined where it is used.
  const inNamed = [...known.types.values()].flatMap(({ type }) => innerTypesOf(type))
  for (const type of [...inNamed, ...further]) checkPatternsIn(type, known)
}

/** The constraints of a use of a type and of the named types that it refers to apply together. */
function checkPatternsIn(type: ModelType, known: Known): void {
  const all = constraintsOf(type, known.types)
  if (all.every(({ maxLength }) => maxLength === undefined)) {
    for (const each of all) {
      const written = known.patterns.get(each)
      if (written && each.pattern !== undefined) checkPattern(each.pattern, written)
    }
  }
  for (const inner of innerTypesOf(type)) checkPatternsIn(inner, known)
}

function constraintsOf(type: ModelType, types: TypesByName): Constraints[] {
  const named = type.kind === 'ref' ? types.get(type.name)?.type : undefined
  return [...(type.constraints ? [type.constraints] : []), ...(named ? constraintsOf(named, types) : [])]
}

const ways: Readonly<Record<SlowPart['time'], string>> = {
  exponential: 'takes exponential time: it can match one text in many ways',
  quadratic: 'takes quadratic time: both parts match the same characters',
  unknown: 'is too large to tell whether it takes exponential time',
}

function checkPattern(pattern: string, { show, report }: Written): void {
  const slow = slowPartOf(pattern)
  if (!slow) return
  const length = show('maxLength')
  const added = length.startsWith('@') ? `${length} 20` : `${length}<20>`
  report('RPC128', `${show('pattern')}: ${slow.text} ${ways[slow.time]}`, `rewrite it, or add ${added}`)
}

const noTags: MemberTags = { declarations: [] }

/** The constant of `typeof limits`. */
function variableIn({ exprName }: ts.TypeQueryNode, checker: ts.TypeChecker): ts.Declaration[] {
  const { valueDeclaration } = checker.getSymbolAtLocation(exprName) ?? {}
  return valueDeclaration && ts.isVariableDeclaration(valueDeclaration) ? [valueDeclaration] : []
}

function writtenInComment({ comment, found }: CommentTags, problems: Problems): Written[] {
  return found.map(({ line, ...constraint }) => ({
    ...constraint,
    show: (name) => `@${name}`,
    report: (code, message, hint) => reportInComment(comment, { line, message, ...(hint && { hint }) }, problems, code),
  }))
}

function writtenInType(constraint: Constraint, { node, path }: Place, problems: Problems): Written {
  return {
    ...constraint,
    show: typeNameOf,
    report: (code, message, hint) => problems.at(node, code, message, { path, ...(hint && { hint }) }),
  }
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/mum$|^multiple/, 'it is for numbers'],
  [/Length$|^pattern|^format/, 'it is for strings'],
  [/Items$/, 'it is for lists'],
]

/** The model with a constraint, on each branch of a union that can have it. */
function apply(model: ModelType, constraint: Written, known: Known): ModelType {
  // It has an error already.
  if (model === unknownYet || isOpen(model, known.types)) return model
  const { name, value, show, report } = constraint
  const { types } = known
  const union = unionIn(model, types)
  const branches = union?.branches ?? [model]
  const literals = literalsIn(model, types).filter((each) => isApplicable(name, each))
  for (const each of literals) {
    if (literalMeets(each, { [name]: value })) continue
    const message = `${JSON.stringify(each)} does not fulfil ${show(name)} ${value}`
    report('RPC125', message, 'leave that value out, or the constraint')
  }
  // A literal that meets it is accepted unchanged: `'a' & MaxLength<3>`.
  if (literals.length === 0 && !branches.some((each) => canHave(each, name, types))) {
    const isEncoded = flatten(model, types).some(({ kind }) => kind === 'custom')
    const hint = isEncoded ? 'declare it on the wire type of the codec' : hints.find(([each]) => each.test(name))?.[1]
    report('RPC126', `${show(name)} does not apply to the type`, hint)
  }
  const limited = branches.map((each) => limit(each, constraint, known))
  if (limited.every((each, i) => each === branches[i])) return model
  return union ? { ...union, branches: limited } : (limited[0] ?? model)
}

/** Returns a union, also one with a name: its other uses do not have the constraint. */
function unionIn(model: ModelType, types: TypesByName): OfKind<'union'> | undefined {
  if (model.kind === 'union') return model
  const named = model.kind === 'ref' ? types.get(model.name)?.type : undefined
  return named && unionIn(named, types)
}

function limit(type: ModelType, written: Written, { types, patterns }: Known): ModelType {
  const { name, value, show, report } = written
  if (!canHave(type, name, types)) return type
  const both = constrain(type, { [name]: value })
  if (!both) {
    report('RPC125', `the type has another ${show(name)} already: two of them cannot be combined`)
    return type
  }
  const against = contradiction(both)
  if (against) report('RPC125', `no value fulfils ${against.map(show).join(' and ')}`)
  const ofPattern = name === 'pattern' ? written : type.constraints && patterns.get(type.constraints)
  if (both.constraints && ofPattern) patterns.set(both.constraints, ofPattern)
  return both
}

/** Reports constraints in the comment of a function, which do not specify a value. */
export function checkFunctionComment(comment: PlacedComment, problems: Problems): void {
  const { found = [], ignored = [], invalid = [] } = constraintTags(comment) ?? {}
  const hint = 'write it before the parameter: (/** @minimum 0 */ a: Int), or into a type: Int & Minimum<0>'
  for (const { name, line } of [...found, ...ignored, ...invalid]) {
    const message = `@${name} has no effect in the comment of a function`
    reportInComment(comment, { line, message, hint }, problems, 'RPC126')
  }
}
