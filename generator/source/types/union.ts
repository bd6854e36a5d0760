// Unions, and types of which undefined means that a value is left out:
//
//   'draft' | Date | null  →  { kind: 'union', branches: [{ kind: 'literal', value: 'draft' }, { kind: 'date' }, { kind: 'null' }] }
import { ts } from 'ts-morph'
import { structureOf } from '../../../runtime/description/described-types.js'
import type { ModelType } from '../../model/model.js'
import { withoutNoInfer } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import { enumTypeOf } from './enum.js'
import { rejectTooMany } from './rejected.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'

/** Resolves a union. Written once if it has a name in the source, or if it is a long list of literals. */
export const resolveUnion: ResolveKind = (type, place, resolver) => {
  if (!type.isUnion()) return undefined
  const tooMany = rejectTooMany('union', type.types.length, place, resolver)
  if (tooMany) return tooMany
  const define = (at: Place) => unionModel(type, type.types, at, resolver)
  return type.aliasSymbol || isLongList(type) ? { define } : define(place)
}

/** Lists of literals with more characters are too long for a line with other text. */
const MAX_INLINE_LIST = 60

function isLongList({ types }: ts.UnionType): boolean {
  const texts = types.map((each) => (each.isStringLiteral() || each.isNumberLiteral() ? `${each.value}` : undefined))
  return texts.every((text) => text !== undefined) && texts.join(' | ').length > MAX_INLINE_LIST
}

/** Resolves the type of an optional parameter or member, in which undefined means that it is left out. */
export function resolveOptional(given: ts.Type, place: Place, resolver: Resolver): ModelType {
  const type = withoutNoInfer(given)
  if (!type.isUnion()) return resolver.resolve(type, place)
  const defined = type.types.filter((each) => !(each.flags & ts.TypeFlags.Undefined))
  const values = defined.filter((each) => !(each.flags & ts.TypeFlags.Void))
  const rest = values.length > 0 ? values : defined
  const tooMany = rejectTooMany('union', rest.length, place, resolver)
  if (tooMany) return tooMany
  if (rest.length === type.types.length) return resolver.resolve(type, place)
  const [only] = rest
  if (rest.length === 1 && only) return resolver.resolve(only, place)
  const hasNull = rest.some((each) => each.flags & ts.TypeFlags.Null)
  return hasNull
    ? unionModel(type, rest, place, resolver)
    : resolver.resolve(resolver.checker.getNonNullableType(type), place)
}

/** `types` are the branches of the union without undefined. */
function unionModel(union: ts.UnionType, types: readonly ts.Type[], place: Place, resolver: Resolver): ModelType {
  const named = namedPart(union, resolver.checker)
  // `(A | B) & (C | D)` has four branches, and contradictory ones have no values.
  const possible = inferableBranches(types).filter((each) => !isContradictory(each, resolver.checker))
  const parts = named
    ? [named, ...types.filter(isNothing)]
    : joinSplitTypes(possible.length > 0 ? possible : types.slice(0, 1), resolver.checker)
  const branches = distinctBranches(parts.map((each) => resolver.resolve(each, { ...place, depth: place.depth + 1 })))
  const [only] = branches
  resolver.unions.push({ branches, place })
  return branches.length === 1 && only ? only : { kind: 'union', branches }
}

/** Removes duplicate branches, and constrained ones beside the same type: `number | (number & Minimum<7>)` is any number. */
function distinctBranches(branches: readonly ModelType[]): ModelType[] {
  const all = new Map(branches.map((each) => [structureOf(each), each]))
  const isWider = ({ constraints, ...type }: ModelType) => constraints && all.has(structureOf(type))
  return [...all.values()].filter((each) => !isWider(each))
}

/** Returns the named union or list in `Status | null`, which the checker flattens: without null and undefined it has its name again. */
function namedPart(union: ts.UnionType, checker: ts.TypeChecker): ts.Type | undefined {
  const values = union.types.filter((each) => !isNothing(each))
  if (values.length < 2 || values.length === union.types.length) return undefined
  const some = checker.getNonNullableType(union)
  return some !== union && some.isUnion() && (some.aliasSymbol || isLongList(some)) ? some : undefined
}

/** Joins what the checker splits: boolean into false and true, an enum into its members. Null comes last. */
function joinSplitTypes(types: readonly ts.Type[], checker: ts.TypeChecker): ts.Type[] {
  const result = new Set<ts.Type>()
  const all = new Set(types)
  const complete = new Map<ts.Type, boolean>()
  const isBoolean = types.filter((each) => each.flags & ts.TypeFlags.BooleanLiteral).length === 2
  for (const each of types) {
    const whole = enumTypeOf(each, checker)
    if (whole?.isUnion() && !complete.has(whole))
      complete.set(
        whole,
        whole.types.every((member) => all.has(member)),
      )
    if (isBoolean && each.flags & ts.TypeFlags.BooleanLiteral) result.add(checker.getBooleanType())
    else result.add(whole && complete.get(whole) ? whole : each)
  }
  return [...[...result].filter((each) => !isNothing(each)), ...[...result].filter(isNothing)]
}

function isNothing({ flags }: ts.Type): boolean {
  return Boolean(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined))
}

/** True if the parts of an intersection contradict each other, as `{ k: 'a' } & { k: 'b' }`, which TypeScript reduces to never. */
export function isContradictory(type: ts.Type, checker: ts.TypeChecker): boolean {
  const objects = type.isIntersection() ? type.types.filter(({ flags }) => flags & ts.TypeFlags.Object) : []
  if (objects.length < 2 || checker.getPropertiesOfType(type).length > 0) return false
  return checker.isTypeAssignableTo(type, checker.getNeverType())
}

export function rejectContradictory(type: ts.Type, place: Place, { checker, reject }: Resolver): ModelType {
  const why = type.isIntersection() ? contradictionIn(type.types, checker) : ''
  const hint =
    'a value has to match all parts of an intersection: write a union (|), or Omit the member from all parts but one'
  return reject(place, 'RPC121', `no value is of this type${why}`, hint)
}

/** Returns a text about the member of two parts whose types have no common value; '' if there is none. */
function contradictionIn(parts: readonly ts.Type[], checker: ts.TypeChecker): string {
  for (const [i, one] of parts.entries()) {
    for (const a of checker.getPropertiesOfType(one)) {
      const here = checker.getTypeOfSymbol(a)
      const others = parts.slice(i + 1).flatMap((part) => checker.getPropertyOfType(part, a.name) ?? [])
      const other = others.map((b) => checker.getTypeOfSymbol(b)).find((there) => !haveCommon(here, there, checker))
      if (other)
        return `: its member ${a.name} would be ${checker.typeToString(here)} and ${checker.typeToString(other)}`
    }
  }
  return ''
}

function haveCommon(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const [some, others] = [one, other].map((each) => (each.isUnion() ? each.types : [each])) as [ts.Type[], ts.Type[]]
  return some.some((a) => others.some((b) => checker.isTypeAssignableTo(a, b) || checker.isTypeAssignableTo(b, a)))
}

/** Returns the branches of a union, including those in `NoInfer`; any other type itself. */
function inferableBranches(types: readonly ts.Type[]): ts.Type[] {
  return types.flatMap((each) => {
    const type = withoutNoInfer(each)
    return type !== each && type.isUnion() ? inferableBranches(type.types) : [type]
  })
}
