// Constraints on types: reads those of constraint types and of tags in comments, and adds them to the model of the type:
//
//   /** @maximum 9 */ a: number & Minimum<1>  →  { kind: 'number', constraints: { minimum: 1, maximum: 9 } }
import type { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/description/description.js'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { constraintTags } from '../../doc-comments/index.js'
import { checkPatterns, createAdder, type Written } from '../../model/add-constraint.js'
import type { Constraint } from '../../model/constraints.js'
import type { ModelType } from '../../model/model.js'
import { type PlacedComment, reportInComment } from '../comments/comments.js'
import type { TupleLabel } from '../program/checker.js'
import type { Mistake, Place, Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import type { CommentReader, CommentTags } from './comment-reader.js'
import { droppedIn, droppedInList } from './dropped-types.js'
import { changedMember, isDeclaredAt, taggedDeclarations, takenMember } from './member-tags.js'
import { reportValueTags } from './stray-tags.js'
import { createFindTaken } from './taken-members.js'
import { typeNameOf, typeTagsOf } from './type-tags.js'

/** Adds constraints to the model of a type, and reports those that cannot be added. */
export interface Constrainer {
  /** Adds the constraint types of an intersection. */
  byType(model: ModelType, type: ts.Type, place: Place): ModelType
  /** Adds the tags in the comments before declarations. */
  byComments(model: ModelType, declarations: readonly ts.Node[]): ModelType
  /** Adds the tags in the comments of a member. */
  byMember(model: ModelType, property: ts.Symbol, place: Place): ModelType
  /** Adds the tags in the comment before the label of a tuple's element. */
  byLabel(model: ModelType, type: ts.Type, label: TupleLabel, place: Place): ModelType
  /** Reports a written type whose constraints TypeScript drops. */
  checkWritten(node: ts.Node, place: Place): void
  /** Applies the constraints of types that contain themselves, once all types are known. */
  settle(): void
  /** Reports the patterns in the named types and in further ones that backtrack without a bound, and have no MaxLength beside them. */
  checkPatterns(further: readonly ModelType[]): void
}

/** `types` are the named types so far. */
export function createConstrainer(project: OpenProject, reader: CommentReader, types: TypesByName): Constrainer {
  const { checker, problems } = project
  const { known, add, settle } = createAdder(types)
  const findTaken = createFindTaken(project, reader)
  const report = (code: DiagnosticCode, { node, path }: Place, found: Mistake | undefined): void => {
    if (found) problems.at(node, code, found.message, { path, ...(found.hint && { hint: found.hint }) })
  }
  const byComments: Constrainer['byComments'] = (model, declarations) => {
    const tags = declarations.flatMap((each) => reader.tagsOf(each) ?? [])
    return tags.flatMap((each) => writtenInComment(each, problems)).reduce(add, model)
  }
  return {
    byType(model, type, place) {
      const { found, problems: invalid } = typeTagsOf(type, checker)
      for (const each of invalid) report('RPC125', place, each)
      return found.map((each) => writtenInType(each, place, problems)).reduce(add, model)
    },
    byComments,
    byMember(model, property, place) {
      report('RPC127', place, droppedInList(property, checker))
      if (!reader.hasTags) return model
      const { declarations, isChanged } = taggedDeclarations(property, checker)
      reportValueTags(declarations, problems)
      const changed = isChanged ? declarations.find(reader.isTagged) : undefined
      if (!changed) return byComments(model, declarations)
      report('RPC127', place, changedMember(changed, reader))
      return model
    },
    byLabel(model, type, label, place) {
      if (!reader.isTagged(label) || isDeclaredAt(label, type, checker)) return byComments(model, [label])
      report('RPC127', place, changedMember(label, reader))
      return model
    },
    checkWritten(node, place) {
      const taken = reader.hasTags ? findTaken(node) : undefined
      if (taken) report('RPC127', { ...place, node }, takenMember(taken, reader))
      report('RPC127', { ...place, node }, droppedIn(node, checker))
    },
    settle,
    checkPatterns: (further) => checkPatterns(further, known),
  }
}

function writtenInComment({ comment, found }: CommentTags, problems: Problems): Written[] {
  return found.map(({ line, ...constraint }) => ({
    ...constraint,
    show: (name, value) => `@${name}${value === undefined ? '' : ` ${value}`}`,
    report: (code, message, hint) => reportInComment(comment, { line, message, ...(hint && { hint }) }, problems, code),
  }))
}

function writtenInType(constraint: Constraint, { node, path }: Place, problems: Problems): Written {
  return {
    ...constraint,
    show: (name, value) => `${typeNameOf(name)}${value === undefined ? '' : `<${value}>`}`,
    report: (code, message, hint) => problems.at(node, code, message, { path, ...(hint && { hint }) }),
  }
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
