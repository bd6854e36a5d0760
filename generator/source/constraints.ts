import type { ts } from 'ts-morph'
import type { TypesByName } from '../../runtime/schema/description.js'
import { type ConstraintTags, constraintTags, mayConstrain, misplacedConstraints } from '../docs/index.js'
import { canHave, constrain, contradiction } from '../model/constrain.js'
import type { ModelType } from '../model/model.js'
import { commentBefore, type PlacedComment, reportInComment } from './comments.js'
import { nameSymbol } from './naming.js'
import type { Place, Problems } from './problems.js'
import type { OpenProject } from './project.js'
import { lostArguments, namedBy } from './type-nodes.js'

/** What a declaration's doc comment demands of its values. */
interface Demand extends ConstraintTags {
  readonly comment: PlacedComment
}

/** Puts on a type what the doc comments of a place, and of the names that the type is written with, demand. */
export interface Constrainer {
  apply(resolved: ModelType, type: ts.Type, place: Place): ModelType
  /** Reports a demand that no branch of a union could take. */
  checkBranches(branches: readonly ModelType[], place: Place): void
}

const unconstrained: Constrainer = { apply: (resolved) => resolved, checkBranches: () => {} }

/** Whether any source of the user's says a constraint. */
const constrained = new WeakMap<ts.Program, boolean>()

function isConstrained(program: ts.Program): boolean {
  const isOwnFile = (source: ts.SourceFile) =>
    !program.isSourceFileFromExternalLibrary(source) && !program.isSourceFileDefaultLibrary(source)
  const answer =
    constrained.get(program) ??
    program.getSourceFiles().some((source) => isOwnFile(source) && mayConstrain(source.text))
  constrained.set(program, answer)
  return answer
}

/** `types` are the named types so far. Tags count in the user's own sources only. */
export function createConstrainer(project: OpenProject, problems: Problems, types: () => TypesByName): Constrainer {
  return isConstrained(project.program) ? constrainerOf(project, problems, types) : unconstrained
}

function constrainerOf(project: OpenProject, problems: Problems, types: () => TypesByName): Constrainer {
  const { checker } = project
  const known = new Map<ts.Node, Demand | undefined>()
  const demandOf = (node: ts.Node): Demand | undefined => {
    if (!known.has(node)) known.set(node, isOwn(node, project) ? readDemand(node, problems) : undefined)
    return known.get(node)
  }
  const demandsAt = ({ declared = [], typeNode }: Place, own?: ts.Symbol): Demand[] => {
    const names = typeNode ? namedBy(typeNode, checker).filter(({ symbol }) => symbol !== own) : []
    return [...names.map(({ node }) => node), ...declared].flatMap((node) => demandOf(node) ?? [])
  }
  const put = (type: ModelType, demand: Demand, loose: boolean): ModelType => {
    const unfit = demand.found.find(({ name }) => !canHave(type, name, types()))
    if (unfit && !loose) refuseUnfit(demand, unfit, problems)
    const fit = Object.entries(demand.constraints).filter(([name]) =>
      canHave(type, name as keyof typeof demand.constraints, types()),
    )
    return fit.length === 0 ? type : together(type, Object.fromEntries(fit), demand, problems)
  }
  const reportLost = (place: Place): void => {
    for (const argument of place.typeNode ? lostArguments(place.typeNode, checker) : []) {
      const lost = namedBy(argument, checker).find(({ node }) => demandOf(node))
      if (!lost || nameSymbol(checker.getTypeFromTypeNode(argument)) === lost.symbol) continue
      const { name } = lost.symbol
      problems.at(argument, 'RPC127', `as a type argument ${name} loses its constraints`, {
        path: place.path,
        hint: `make it a type of its own, with a brand: type ${name} = … & { readonly [brand]?: true }`,
      })
    }
  }
  return {
    apply(resolved, type, place) {
      reportLost(place)
      if (resolved.kind === 'union') return resolved
      // What a named type's own comment demands is in the type already.
      const own = resolved.kind === 'ref' ? nameSymbol(type) : undefined
      return demandsAt(place, own).reduce<ModelType>(
        (each, demand) => put(each, demand, place.loose ?? false),
        resolved,
      )
    },
    checkBranches(branches, place) {
      if (place.loose) return
      for (const demand of demandsAt(place)) {
        const unfit = demand.found.find(({ name }) => !branches.some((branch) => canHave(branch, name, types())))
        if (unfit) refuseUnfit(demand, unfit, problems)
      }
    },
  }
}

/** Whether a source says any constraint: asked for every node that a type is written with. */
const constraining = new WeakMap<ts.SourceFile, boolean>()

function isOwn(node: ts.Node, { program }: OpenProject): boolean {
  const source = node.getSourceFile()
  const constrains = constraining.get(source) ?? mayConstrain(source.text)
  constraining.set(source, constrains)
  if (!constrains) return false
  return !program.isSourceFileFromExternalLibrary(source) && !program.isSourceFileDefaultLibrary(source)
}

function readDemand(node: ts.Node, problems: Problems): Demand | undefined {
  const comment = commentBefore(node, mayConstrain)
  if (!comment) return undefined
  const tags = constraintTags(comment.doc)
  for (const problem of [...tags.problems, ...misplacedConstraints(comment.text)]) {
    reportInComment(comment, problem, problems, 'RPC125')
  }
  return tags.found.length === 0 ? undefined : { ...tags, comment }
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/mum$/, 'it is for numbers'],
  [/^multiple/, 'it is for numbers, and not for bigint'],
  [/Length$|^pattern|^format/, 'it is for strings'],
  [/Items$/, 'it is for lists'],
]

function refuseUnfit({ comment }: Demand, { name, line }: ConstraintTags['found'][number], problems: Problems): void {
  const hint = hints.find(([names]) => names.test(name))?.[1] ?? ''
  reportInComment(comment, { line, message: `@${name} does not fit the type` }, problems, 'RPC126', { hint })
}

/** Adds constraints, and reports where no value could meet them all. */
function together(
  type: ModelType,
  more: ConstraintTags['constraints'],
  { comment, found }: Demand,
  problems: Problems,
): ModelType {
  const line = found[0]?.line ?? 0
  const both = constrain(type, more)
  const against = both?.constraints && contradiction(both.constraints)
  if (!both || against) {
    const message = against
      ? `no value meets @${against[0]} and @${against[1]}`
      : 'the named type says another one already, and both cannot be said in one'
    reportInComment(comment, { line, message }, problems, 'RPC125')
  }
  return both ?? type
}

/** Reports constraints in the comment of a function, where nobody could tell what they are about. */
export function checkFunctionComment(comment: PlacedComment, problems: Problems): void {
  for (const { name, line } of constraintTags(comment.doc).found) {
    const message = `@${name} says nothing in the comment of a function`
    const hint = 'put it before the parameter: (/** @minimum 0 */ a: Int)'
    reportInComment(comment, { line, message }, problems, 'RPC126', { hint })
  }
}
