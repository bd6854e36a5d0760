// Constraints on types: reads those of constraint types and of tags in comments, and adds them to the model of the type:
//
//   /** @maximum 9 */ a: number & Minimum<1>  →  { kind: 'number', constraints: { minimum: 1, maximum: 9 } }
import type { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/description/description.js'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { type Constraint, ConstraintAdder, type PlacedConstraint } from '../../model/constraints.js'
import type { ModelType } from '../../model/model.js'
import { upperFirst } from '../../text.js'
import type { TupleLabel } from '../program/checker.js'
import type { Mistake, Place, Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { reportUnreadTags, reportValueTags, TagReader } from './comment-tags.js'
import { constraintTypesOf, droppedIn, droppedInList } from './constraint-types.js'
import { createTakenSearch, droppedTags, isDeclaredAt, memberTagsOf } from './member-tags.js'

/** Adds constraints to the models of types, and reports those that cannot be added. */
export class Constrainer {
  readonly #project: OpenProject
  readonly #reader: TagReader
  readonly #adder: ConstraintAdder
  readonly #findTaken: (node: ts.Node) => ts.Node | undefined
  /** The nodes at which a dropped constraint is reported: a mapped type may drop those of many members. */
  readonly #dropping = new Set<ts.Node>()

  /** `types` are the named types so far. */
  constructor(project: OpenProject, sourcesWithTags: ReadonlySet<ts.SourceFile>, types: TypesByName) {
    this.#project = project
    this.#reader = new TagReader(sourcesWithTags, project.problems)
    this.#adder = new ConstraintAdder(types)
    this.#findTaken = createTakenSearch(project, this.#reader)
  }

  /** Adds the constraint types of an intersection. */
  withConstraintTypes(model: ModelType, type: ts.Type, place: Place): ModelType {
    const { checker, problems } = this.#project
    return constraintTypesOf(type, checker).reduce((limited, each) => {
      if ('name' in each) return this.#adder.add(limited, placedInType(each, place, problems))
      this.#report('RPC125', place, each)
      return limited
    }, model)
  }

  /** Adds the tags in the comments before declarations. */
  withCommentTags(model: ModelType, declarations: readonly ts.Node[]): ModelType {
    return declarations.flatMap(this.#reader.tagsOf).reduce(this.#adder.add, model)
  }

  /** Adds the tags in the comments of a member, unless its type is not the declared one, which is reported. */
  withMemberTags(model: ModelType, property: ts.Symbol, place: Place): ModelType {
    const { checker, problems } = this.#project
    this.#report('RPC127', place, droppedInList(property, checker))
    if (!this.#reader.hasTags) return model
    const { declarations, isChanged } = memberTagsOf(property, checker)
    reportValueTags(declarations, problems)
    const changed = isChanged ? declarations.find(this.#reader.isTagged) : undefined
    if (!changed) return this.withCommentTags(model, declarations)
    this.#report('RPC127', place, droppedTags('changed', changed, this.#reader))
    return model
  }

  /** The same for the label of a tuple's element. */
  withLabelTags(model: ModelType, type: ts.Type, label: TupleLabel, place: Place): ModelType {
    if (!this.#reader.isTagged(label) || isDeclaredAt(label, type, this.#project.checker))
      return this.withCommentTags(model, [label])
    this.#report('RPC127', place, droppedTags('changed', label, this.#reader))
    return model
  }

  /** Reports a written type whose constraints TypeScript drops. */
  checkWritten(node: ts.Node, place: Place): void {
    const at = { ...place, node }
    const taken = this.#reader.hasTags ? this.#findTaken(node) : undefined
    if (taken) this.#report('RPC127', at, droppedTags('taken', taken, this.#reader))
    this.#report('RPC127', at, droppedIn(node, this.#project.checker))
  }

  /** Adds the constraints of types that contain themselves, once all types are known. */
  settle(): void {
    this.#adder.settle()
  }

  /** Reports, once all types are known, slow patterns and the tags before parameters that no procedure has. */
  finish(source: ts.SourceFile, procedures: readonly ts.Node[], types: readonly ModelType[]): void {
    this.#adder.checkPatterns(types)
    if (this.#reader.hasTags) reportUnreadTags(source, procedures, this.#project, this.#reader)
  }

  #report(code: DiagnosticCode, { node, path }: Place, found: Mistake | undefined): void {
    if (!found || (code === 'RPC127' && this.#dropping.has(node))) return
    if (code === 'RPC127') this.#dropping.add(node)
    this.#project.problems.at(node, code, found.message, { path, hint: found.hint })
  }
}

function placedInType(constraint: Constraint, { node, path }: Place, problems: Problems): PlacedConstraint {
  return {
    ...constraint,
    show: (name, value) => `${upperFirst(name)}${value === undefined ? '' : `<${value}>`}`,
    report: (code, message, hint) => problems.at(node, code, message, { path, hint }),
  }
}
