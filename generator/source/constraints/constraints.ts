import type { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/schema/description.js'
import { type ConstraintTags, constraintTags, misplacedConstraints } from '../../docs/index.js'
import { canHave, constrain, contradiction } from '../../model/constrain.js'
import type { ModelType } from '../../model/model.js'
import { type PlacedComment, reportInComment } from '../comments/comments.js'
import { nameSymbol } from '../naming.js'
import type { Place, Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { answeredBy } from '../text/answered.js'
import { typeNodeOf } from '../text/written.js'
import type { Constrainer } from './constrainer.js'
import { isCounted } from './counted.js'
import { createDemands, type Demand, reportMiswritten } from './demands.js'
import { demandingOf } from './joined.js'
import { createLosses } from './losses.js'
import { textOfMember } from './member-text.js'
import { type Known, refuseMisfit, refuseUnfit } from './misfits.js'

const unconstrained: Constrainer = {
  apply: (resolved) => resolved,
  demandedIn: () => '',
  checkBranches: () => {},
  inferredResult: () => ({}),
  // What mapped types make of a member is asked for its constraints alone, and takes 5 % of a cold run.
  textOfMember: (_, __, own) => ({ typeNode: own && typeNodeOf(own) }),
  notice: () => {},
  finish: () => {},
}

/** Whether any source of the user's says a constraint. */
const constrained = new WeakMap<ts.Program, boolean>()

function isConstrained(program: ts.Program): boolean {
  const answer = constrained.get(program) ?? program.getSourceFiles().some((source) => isCounted(source, program))
  constrained.set(program, answer)
  return answer
}

/** `types` are the named types so far. Tags count in the user's own sources only. */
export function createConstrainer(project: OpenProject, problems: Problems, types: TypesByName): Constrainer {
  return isConstrained(project.program) ? constrainerOf(project, problems, types) : unconstrained
}

function constrainerOf(project: OpenProject, problems: Problems, types: TypesByName): Constrainer {
  const { checker, program } = project
  const { demandOf, demandsAt, isRead, notice, reach, reportUnread } = createDemands(project, problems)
  const losses = createLosses({
    checker,
    problems,
    demandOf,
    isRead,
    reach,
    isCounted: (source) => isCounted(source, program),
    types,
    refuseUnfit: (demand, unfit) => refuseUnfit(demand, unfit, problems),
  })
  return {
    notice: (own, nodes) => notice(own, nodes()),
    finish: reportUnread,
    inferredResult: (declaration, type) => answeredBy(declaration, type, checker) ?? {},
    textOfMember: (property, type, own, whole) => textOfMember(property, type, own, whole, project),
    demandedIn: (node) => demandingOf(node, node.parent, { checker, demandOf }).demands,
    apply(resolved, type, place) {
      reach(place.declared ?? [])
      if (resolved.kind === 'struct') losses.checkMembers(resolved, type, place)
      if (resolved.kind === 'struct' || resolved.kind === 'map') losses.checkKeys(type, place)
      if (resolved.kind === 'union') return resolved
      // What a named type's own comment demands is in the type already.
      const own = resolved.kind === 'ref' ? nameSymbol(type) : undefined
      // A name that is no type of its own: the comment is to be found by the type, also where no text says it.
      const alias = own ? [] : (type.aliasSymbol?.declarations ?? [])
      const demands = demandsAt({ ...place, declared: [...alias, ...(place.declared ?? [])] }, type, own)
      const result = demands.reduce<ModelType>(
        (each, demand) => put(each, demand, place, { checker, problems, types }),
        resolved,
      )
      losses.checkRoot(place, result)
      return result
    },
    checkBranches(branches, place) {
      losses.checkRoot(place, { kind: 'union', branches })
      if (place.loose) return
      for (const demand of demandsAt(place)) {
        const unfit = demand.found.find(({ name }) => !branches.some((branch) => canHave(branch, name, types)))
        if (unfit) refuseMisfit(demand, unfit, { kind: 'union', branches }, place, { checker, problems, types })
      }
    },
  }
}

/** A type with what a comment demands of it; what does not fit is refused, unless the text says it of another type. */
function put(type: ModelType, demand: Demand, place: Place, known: Known): ModelType {
  const { types } = known
  const unfit = demand.found.find(({ name }) => !canHave(type, name, types))
  if (unfit) refuseMisfit(demand, unfit, type, place, known)
  const fit = Object.entries(demand.constraints).filter(([name]) =>
    canHave(type, name as keyof typeof demand.constraints, types),
  )
  return fit.length === 0 ? type : together(type, Object.fromEntries(fit), demand, known.problems)
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
  const against = both && contradiction(both)
  if (!both || against) {
    const message = against
      ? `no value meets ${against.map((name) => `@${name}`).join(' and ')}`
      : 'the named type says another one already, and both cannot be said in one'
    reportInComment(comment, { line, message }, problems, 'RPC125')
  }
  return both ?? type
}

/** Reports constraints in the comment of a function, where nobody could tell what they are about. */
export function checkFunctionComment(comment: PlacedComment, problems: Problems): void {
  const tags = constraintTags(comment.doc)
  const misplaced = misplacedConstraints(commentText(comment))
  const hint = 'put it before the parameter: (/** @minimum 0 */ a: Int), or on a named type'
  reportMiswritten(comment, tags, problems)
  for (const { line, message } of misplaced) {
    const said = message.replace(/^put (@\w+) .*/, '$1 says nothing in the comment of a function')
    reportInComment(comment, { line, message: said }, problems, 'RPC126', { hint })
  }
  for (const { name, line } of tags.found) {
    if (misplaced.some((each) => each.line === line)) continue
    const message = `@${name} says nothing in the comment of a function`
    reportInComment(comment, { line, message }, problems, 'RPC126', { hint })
  }
}

function commentText({ source, start }: PlacedComment): string {
  const end = source.text.startsWith('/**', start) ? source.text.indexOf('*/', start) : -1
  return end === -1 ? '' : source.text.slice(start, end + 2)
}
