import { ts } from 'ts-morph'
import type { Constraints } from '../../../runtime/schema/constraints.js'
import type { TypesByName } from '../../../runtime/schema/description.js'
import type { DiagnosticCode } from '../../diagnostic.js'
import { type ConstraintName, constraintTags, mayConstrain, misplacedConstraints } from '../../docs/index.js'
import { canHave, constrain, contradiction, isApplicable, literalsIn, unmetBy } from '../../model/constrain.js'
import { flatten } from '../../model/forms.js'
import type { ModelType } from '../../model/model.js'
import { type PlacedComment, reportInComment } from '../comments/comments.js'
import type { More, Place, Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import {
  type CommentTags,
  createCommentReader,
  droppedBy,
  mayHaveTags,
  reportMiswritten,
  taggedDeclarations,
} from './comment-tags.js'
import { createStrayTags } from './stray-tags.js'
import { typeTagsOf } from './type-tags.js'

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
  /** Reports the tags that have no effect; called once, at the end. */
  finish(): void
}

/** Constraints of one origin, as written there. */
interface Origin {
  readonly constraints: Constraints
  /** `@minimum` in a comment, `Minimum` in a type. */
  show(name: ConstraintName): string
  report(code: DiagnosticCode, message: string, more: More, name?: ConstraintName): void
  /** True if a literal that meets them is accepted unchanged: `'a' & MaxLength<3>`. */
  readonly ofLiterals: boolean
}

/** `types` are the named types so far. */
export function createConstrainer(project: OpenProject, problems: Problems, types: TypesByName): Constrainer {
  const { checker } = project
  const reader = createCommentReader(project, problems)
  const stray = createStrayTags(project, problems, reader)
  const byComments: Constrainer['byComments'] = (model, declarations) => {
    const tags = declarations.filter(mayHaveTags).flatMap((each) => reader.tagsOf(each) ?? [])
    return tags.reduce((each, tag) => apply(each, originInComment(tag, problems), types), model)
  }
  return {
    byType(model, type, place) {
      stray.checkType(type, place)
      const { found, problems: wrong } = typeTagsOf(type, checker)
      for (const { message, ...more } of wrong)
        problems.at(place.node, 'RPC125', message, { path: place.path, ...more })
      return found.reduce((each, tag) => apply(each, originInType(tag, place, problems), types), model)
    },
    byComments,
    byMember(model, property, place) {
      if (!reader.hasTags()) return model
      const { declarations, problem } = taggedDeclarations(property, checker, reader)
      stray.noticeMember(declarations)
      if (!problem) return byComments(model, declarations)
      problems.at(place.node, 'RPC127', problem.message, { path: place.path, hint: problem.hint })
      return model
    },
    checkKey(type, place) {
      const { node, path } = place
      stray.checkType(type, place)
      const tags = (type.aliasSymbol?.declarations ?? []).flatMap((each) => reader.tagsOf(each)?.found ?? [])
      const count = typeTagsOf(type, checker).found.length + tags.length
      const hint = 'key it by string, or by a template literal type'
      if (count > 0) problems.at(node, 'RPC127', 'the constraints of keys are not checked', { path, hint })
    },
    checkWritten(node, { path }) {
      if (ts.isTypeQueryNode(node)) stray.notice(variableIn(node, checker))
      const problem = droppedBy(node, checker, reader)
      if (problem) problems.at(node, 'RPC127', problem.message, { path, hint: problem.hint })
    },
    notice(comment, nodes) {
      reader.note(comment)
      stray.notice(nodes)
    },
    finish: stray.report,
  }
}

/** The constant of `typeof limits`. */
function variableIn({ exprName }: ts.TypeQueryNode, checker: ts.TypeChecker): ts.Declaration[] {
  const { valueDeclaration } = checker.getSymbolAtLocation(exprName) ?? {}
  return valueDeclaration && ts.isVariableDeclaration(valueDeclaration) ? [valueDeclaration] : []
}

function originInComment({ comment, constraints, found }: CommentTags, problems: Problems): Origin {
  return {
    constraints,
    show: (name) => `@${name}`,
    ofLiterals: false,
    report(code, message, more, name) {
      const { line = 0 } = found.find((each) => each.name === name) ?? found[0] ?? {}
      reportInComment(comment, { line, message }, problems, code, more)
    },
  }
}

function originInType(
  { name, value }: { readonly name: ConstraintName; readonly value: unknown },
  { node, path }: Place,
  problems: Problems,
): Origin {
  return {
    constraints: { [name]: value },
    show: (each) => each.charAt(0).toUpperCase() + each.slice(1),
    ofLiterals: true,
    report: (code, message, more) => problems.at(node, code, message, { path, ...more }),
  }
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/mum$|^multiple/, 'it is for numbers'],
  [/Length$|^pattern|^format/, 'it is for strings'],
  [/Items$/, 'it is for lists'],
]

/** The model with constraints, on each branch of a union that can have them. */
function apply(model: ModelType, origin: Origin, types: TypesByName): ModelType {
  const names = Object.keys(origin.constraints) as ConstraintName[]
  const branches = model.kind === 'union' ? model.branches : [model]
  const literals = literalsIn(model, types)
  for (const value of literals) {
    const unmet = unmetBy(value, applicable(origin.constraints, value))
    if (unmet) {
      const message = `${JSON.stringify(value)} does not fulfil ${origin.show(unmet)} ${origin.constraints[unmet]}`
      origin.report('RPC125', message, { hint: 'leave that value out, or the constraint' }, unmet)
    }
  }
  const inapplicable = names.find(
    (name) =>
      !branches.some((each) => canHave(each, name, types)) &&
      !(origin.ofLiterals && literals.some((value) => isApplicable(name, value))),
  )
  if (inapplicable) {
    const codec = flatten(model, types).find(({ kind }) => kind === 'custom')
    const hint = codec
      ? 'declare it on the wire type of the codec'
      : (hints.find(([each]) => each.test(inapplicable))?.[1] ?? '')
    origin.report('RPC126', `${origin.show(inapplicable)} does not apply to the type`, { hint }, inapplicable)
  }
  const limited = branches.map((each) => limit(each, origin, types))
  return model.kind === 'union' ? { ...model, branches: limited } : (limited[0] ?? model)
}

/** Returns the constraints that a literal can violate. */
function applicable(constraints: Constraints, value: string | number): Constraints {
  const all = Object.entries(constraints) as [ConstraintName, unknown][]
  return Object.fromEntries(all.filter(([name]) => isApplicable(name, value)))
}

function limit(type: ModelType, { constraints, show, report }: Origin, types: TypesByName): ModelType {
  const fitting = Object.entries(constraints).filter(([name]) => canHave(type, name as ConstraintName, types))
  if (fitting.length === 0) return type
  const both = constrain(type, Object.fromEntries(fitting))
  if (!both) {
    const shown = fitting.map(([name]) => show(name as ConstraintName)).join(' or ')
    report('RPC125', `the type has another ${shown} already: two of them cannot be combined`, {})
    return type
  }
  const against = contradiction(both)
  if (against) report('RPC125', `no value fulfils ${against.map(show).join(' and ')}`, {})
  return both
}

/** Reports constraints in the comment of a function, which do not specify a value. */
export function checkFunctionComment(comment: PlacedComment, problems: Problems): void {
  if (!mayConstrain(comment.text)) return
  const tags = constraintTags(comment.doc)
  const misplaced = misplacedConstraints(comment.text)
  const hint = 'write it before the parameter: (/** @minimum 0 */ a: Int), or into a type: Int & Minimum<0>'
  reportMiswritten(comment, tags, problems)
  for (const { line, message } of misplaced) {
    const reported = message.replace(/^put (@\w+) .*/, '$1 has no effect in the comment of a function')
    reportInComment(comment, { line, message: reported }, problems, 'RPC126', { hint })
  }
  for (const { name, line } of tags.found) {
    if (misplaced.some((each) => each.line === line)) continue
    const message = `@${name} has no effect in the comment of a function`
    reportInComment(comment, { line, message }, problems, 'RPC126', { hint })
  }
}
