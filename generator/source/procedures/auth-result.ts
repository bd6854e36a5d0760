import { ts } from 'ts-morph'
import type { PredicateModel } from '../../model/model.js'
import { callSignatures, literalValueOf } from '../program/checker.js'
import type { OpenProject } from '../program/project.js'
import type { Declaration } from './declarations.js'
import { isContext, parametersOf } from './signature.js'

/** A predicate of the first rule, which decides who calls, and its type. */
export interface Caller extends PredicateModel {
  readonly type: ts.Type
}

/**
 * Reports a context whose type of `authResult` is not that of every caller that `@auth` authorises. A registration with an auth may replace the one of
 * the doc comment, and is not checked.
 */
export function checkAuthResult(
  { node, served, guarded }: Declaration,
  callers: 'public' | readonly Caller[],
  { checker, problems }: OpenProject,
): void {
  if (!served && guarded) return
  const parameters = callSignatures(node, checker).flatMap((each) => parametersOf(each, node, checker))
  for (const { type, declared } of parameters) {
    const member = isContext(type) && checker.getPropertyOfType(checker.getNonNullableType(type), 'authResult')
    const expected = member ? checker.getTypeOfSymbol(member) : checker.getUnknownType()
    if (expected.flags & ts.TypeFlags.Unknown) continue
    const declares = `authResult is declared as ${checker.typeToString(expected)}`
    if (callers === 'public') {
      if (checker.isTypeAssignableTo(checker.getUndefinedType(), expected)) continue
      const hint = 'name the predicate in @auth, or declare the context as RpcContext'
      problems.at(declared ?? node, 'RPC143', `${declares}, and @auth public calls no predicate`, { hint })
      continue
    }
    const other = callers.find((each) =>
      authorising(each.type, checker).some((part) => !checker.isTypeAssignableTo(part, expected)),
    )
    if (!other) continue
    const names = callers.map(({ name, args }) => (args ? `ReturnType<typeof ${name}>` : `typeof ${name}`))
    const auth = names.length === 1 ? names[0] : `[${names.join(', ')}]`
    const parts = authorising(other.type, checker).map((part) => checker.typeToString(part))
    const message = `${declares}, and the predicate ${other.name} returns ${parts.join(' | ')}`
    const hint = `name the predicates of the first @auth: RpcContext<{ auth: ${auth} }>`
    problems.at(declared ?? node, 'RPC143', message, { hint })
  }
}

/** Returns the types of what a predicate resolves to if it authorises, as `RpcContext` does. */
function authorising(predicate: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const returned = predicate.getCallSignatures().at(-1)?.getReturnType()
  const awaited = returned && (checker.getAwaitedType(returned) ?? returned)
  const parts = awaited?.isUnion() ? awaited.types : awaited ? [awaited] : []
  const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void
  return parts.filter((part) => !(part.flags & nothing) && (literalValueOf(part, checker) ?? true))
}
