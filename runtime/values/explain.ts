// Explains why a value is not of a type, by walking both once more: the definition of the type has decided, and reports no reason.
//
//   { quantity: 0 }  for  { quantity: int >= 1 }  →  an issue at `quantity`: expected int >= 1, received int below 1
import { memoize, PairCache } from './cache.js'
import { findFailure, pluralize } from './constraints.js'
import { typeOf, unconstrained } from './definition.js'
import {
  collectIssues,
  describeIssue,
  describeReceived,
  describeType,
  type ErrorDetails,
  MAX_UNION,
  Path,
  truncate,
} from './describe.js'
import {
  flattenUnion,
  isTaggedUnion,
  literalOf,
  matchesKeys,
  membersByName,
  memberTypes,
  structBranches,
  structByTag,
  type TaggedUnion,
} from './inner-types.js'
import type { IssueRule, PathSegment, ValidationIssue } from './issue.js'
import { isStruct, member, type Struct } from './predicates.js'
import { hasDroppedElements } from './scalar-types.js'
import { membersOfJson } from './serialize-unknown.js'
import { isMapKey, isOmitted } from './struct-types.js'
import { areTags, type Rejecting, triedMembers } from './tags.js'
import type {
  CustomType,
  LazyType,
  MapType,
  Member,
  Param,
  StructType,
  TupleType,
  UnionType,
  WireType,
} from './types.js'
import { Matcher } from './unions/union.js'
import { malformedText, mergeRules, noBranch, unmetLength, unmetRule } from './unmet-rule.js'
import { isUrlTooLong, MAX_HOST_LENGTH, MAX_URL_LENGTH } from './url.js'
import { localWire, type StepLimit, type Wire } from './wire.js'

const URL_LIMITS = ` (a URL has at most ${MAX_URL_LENGTH} characters, and its host ${MAX_HOST_LENGTH})`

/** An issue whose path and reasons are still to be written: of a deep value most are never read. */
type Issue = IssueRule & {
  readonly at: Path
  readonly expected: string
  readonly received: string
  /** The closest branches of a union. */
  readonly closest?: readonly RejectingBranch[] | undefined
}

function issueOf(issue: Issue): ValidationIssue {
  const { at, code, limit, expected } = issue
  return { path: at.segments, code, limit, expected, received: describeReason(issue, MAX_REASONS) } as ValidationIssue
}

/**
 * The number of unions that one error explains by their branches: an error lists at most MAX_ISSUES issues, but of a tree of unions all
 * branches of all parts would be compared for them.
 */
const MAX_UNIONS = 1000

/** How many steps it is to explain why a value is not of one type, besides comparisons, and to compare a member between branches. */
const EXPLANATION = 32
const MEMBER = 4

/** The parameters of a procedure, and those of each overload. */
export interface ParameterLists {
  readonly params: readonly Param[]
  readonly overloads?: readonly (readonly Param[])[] | undefined
}

/**
 * Returns why a procedure rejects its arguments, as they are on a wire; empty if it accepts them. Of several overloads the one
 * with the fewest issues is explained. Takes time linear in the size of the arguments.
 */
export function explainCall(
  { params, overloads }: ParameterLists,
  args: readonly unknown[],
  wire: Wire,
  details: ErrorDetails = 'types',
  steps?: StepLimit,
): ValidationIssue[] {
  const explanation = new Explanation(wire, details, steps)
  const issues = explanation.explainArguments(params, args)
  if (!overloads || issues.length > 0) return issues.map(issueOf)
  const tried = overloads.map((each) => explanation.explainArguments(each, args))
  return tried.reduce((one, other) => (other.length < one.length ? other : one)).map(issueOf)
}

/** Returns what is wrong with more arguments than a number. */
export function tooMany({ length }: readonly unknown[], limit: number) {
  const expected = limit === 0 ? 'no parameters' : `at most ${pluralize(limit, 'parameter')}`
  return { code: 'maxItems', limit, expected, received: `${length}` } as const
}

/** Returns why a TypeScript value is not of a type; empty if it is. */
export function explain(
  type: WireType,
  value: unknown,
  path: readonly PathSegment[],
  details: ErrorDetails = 'types',
): ValidationIssue[] {
  return new Explanation(localWire, details).explainPart(type, value, () => Path.of(path)).map(issueOf)
}

/** Explains values on one wire: each type is compared once with the value at a path. */
class Explanation {
  readonly #matcher: Matcher
  readonly #wire: Wire
  readonly #details: ErrorDetails
  readonly #root = Path.of([])
  readonly #issues = new PairCache<WireType, Map<Path, Issue[]>>()
  /** How many unions may still be explained by their branches. */
  #unions = MAX_UNIONS

  constructor(wire: Wire, details: ErrorDetails, steps?: StepLimit) {
    this.#matcher = new Matcher(wire, 'search', steps)
    this.#wire = this.#matcher.wire
    this.#details = details
  }

  explainArguments(params: readonly Param[], args: readonly unknown[]): Issue[] {
    const rest = params.at(-1)?.rest ? params.length - 1 : undefined
    if (rest === undefined && args.length > params.length) {
      return [{ at: this.#root, ...tooMany(args, params.length) }]
    }
    const issues = params.slice(0, rest).flatMap((param, i) => {
      if (args[i] === undefined && param.optional) return []
      return i < args.length
        ? this.explainPart(param.type, args[i], () => this.#root.inner(param.name))
        : this.#typeMismatch(param.type, undefined, this.#root.inner(param.name))
    })
    if (rest === undefined) return issues
    const { name, type } = params[rest] as Param
    return issues.concat(
      collectIssues(args.slice(rest), (arg, i) => this.explainPart(type, arg, () => this.#root.inner(name).inner(i))),
    )
  }

  /** Builds paths and texts for rejected values only. */
  explainPart(type: WireType, value: unknown, path: () => Path): Issue[] {
    return this.#matcher.matches(type, value) ? [] : this.#explainRejected(type, value, path())
  }

  #explainRejected(type: WireType, value: unknown, path: Path): Issue[] {
    if (type.kind === 'ref') {
      const target = type.type()
      const issues = this.#explainOnce(target, value, path, () => this.explainPart(target, value, () => path))
      if (issues.length > 0) return issues
    }
    const base = type.constraints && unconstrained(type)
    if (base && this.#matcher.matches(typeOf(base), value)) {
      const converted = base(value, this.#wire)
      if (hasDroppedElements(value, converted)) {
        return this.#typeMismatch(type, value, path, ', not a Set', { code: 'uniqueItems', limit: true })
      }
      return this.#constraintMismatch(type, value, converted, path)
    }
    return this.#explainKind(type, value, path)
  }

  /** Several branches may contain the same type. The same text, and in the same process the same object, may be at several paths. */
  #explainOnce(type: WireType, value: unknown, path: Path, explain: () => Issue[]): Issue[] {
    const byPath = this.#issues.get(type, value, () => new Map<Path, Issue[]>())
    const issues = byPath.get(path) ?? explain()
    byPath.set(path, issues)
    return issues
  }

  #explainKind(type: WireType, value: unknown, path: Path): Issue[] {
    this.#matcher.take(EXPLANATION)
    switch (type.kind) {
      case 'array':
        if (Array.isArray(value)) return this.#explainItems(type.element, value, path)
        break
      case 'set':
        return (this.#wire.decodes ? Array.isArray(value) : value instanceof Set)
          ? this.#explainItems(type.element, value as Iterable<unknown>, path)
          : this.#notOf('Set', type, value, path)
      case 'map': {
        const { decodes } = this.#wire
        const entries = decodes && isStruct(value) ? new Map(Object.entries(value)) : value
        return entries instanceof Map && decodes === (entries !== value)
          ? collectIssues(entries, ([name, each]) => this.#explainEntry(type, name, each, path))
          : this.#notOf('Map', type, value, path)
      }
      case 'tuple':
        if (Array.isArray(value)) return this.#explainTuple(type, value, path)
        break
      case 'struct':
        if (isStruct(value)) return this.#explainStruct(type, value, path)
        break
      case 'union':
        return this.#explainOnce(type, value, path, () => this.#explainUnion(type, value, path))
      case 'custom':
        return this.#explainCustom(type, value, path)
      case 'url':
        if (isUrlTooLong(value)) return this.#typeMismatch(type, value, path, URL_LIMITS)
    }
    return this.#typeMismatch(type, value, path)
  }

  #explainItems(type: WireType, items: Iterable<unknown>, path: Path): Issue[] {
    return collectIssues(items, (each, i) => this.explainPart(type, each, () => path.inner(i)))
  }

  #explainEntry({ keys, value: type }: MapType<LazyType>, name: unknown, value: unknown, path: Path): Issue[] {
    if (isMapKey(name, keys, this.#wire)) return this.explainPart(type, value, () => path.inner(String(name)))
    const expected = keys ? `keys of type ${truncate(keys.text, MAX_UNION)}` : 'names that are strings'
    const received = describeReceived(name, this.#details)
    return [{ at: path, code: 'propertyNames', ...(keys && { limit: keys.pattern }), expected, received }]
  }

  #explainTuple(type: TupleType<LazyType>, value: readonly unknown[], path: Path): Issue[] {
    if (unmetLength(type, value)) return this.#typeMismatch(type, value, path)
    return collectIssues(value, (each, i) => {
      const element = type.elements[i] ?? type.rest
      const isOptional = i >= type.required && i < type.elements.length
      if (!element || (isOptional && isOmitted(element, each, this.#wire))) return []
      return this.explainPart(element, each, () => path.inner(i))
    })
  }

  #explainStruct(type: StructType<LazyType>, value: Struct, path: Path): Issue[] {
    this.#matcher.take(type.members.length)
    const issues = collectIssues(type.members, (each) => this.#explainMember(each, value, path))
    if (!type.indexes) return issues
    const source = this.#wire.decodes ? value : membersOfJson(value)
    if (!source) return this.#typeMismatch(type, value, path, ' whose toJSON() returns something else')
    const known = membersByName(type)
    const others = Object.keys(source).filter((name) => !known.has(name))
    return issues.concat(
      type.indexes.flatMap((index) =>
        collectIssues(
          others.filter((name) => matchesKeys(index.keys, name)),
          (name) => this.explainPart(index.type, source[name], () => path.inner(name)),
        ),
      ),
    )
  }

  #explainMember({ name, type, optional }: Member, value: Struct, path: Path): Issue[] {
    const inner = member(value, name)
    if (optional && isOmitted(type, inner, this.#wire)) return []
    if (this.#matcher.matches(type, inner)) return []
    const at = path.inner(name)
    if (inner !== undefined) return this.#explainRejected(type, inner, at)
    this.#matcher.take(EXPLANATION)
    return this.#typeMismatch(type, inner, at)
  }

  /** Explains an inner value of a sent value; if the whole is invalid, the scalar was expected, and the sent value is described. */
  #explainCustom(type: CustomType<LazyType>, value: unknown, path: Path): Issue[] {
    const issues = this.#wire.decodes ? this.explainPart(type.wire, value, () => path) : []
    const whole = issues.find((issue) => issue.at === path)
    if (whole) {
      const rule = whole.code === 'type' ? unmetRule(type, value) : whole
      const { received, closest } = whole
      return [{ ...rule, at: path, expected: describeType(type), received, closest }]
    }
    return issues.length > 0 ? issues : this.#typeMismatch(type, value, path)
  }

  /** A Set is an array on the wire and a Map an object; only a call from the same process can confuse them. */
  #notOf(name: 'Set' | 'Map', type: WireType, value: unknown, path: Path): Issue[] {
    const form = name === 'Set' ? Array.isArray(value) : isStruct(value)
    const rule: IssueRule = this.#wire.decodes ? unmetRule(type, value) : { code: 'type', limit: name }
    return this.#typeMismatch(type, value, path, form ? `, not a ${name}` : '', rule)
  }

  /** Explains by the branch with the tag of the value, if there is one, otherwise by the best-matching branches. */
  #explainUnion(type: UnionType<LazyType>, value: unknown, path: Path): Issue[] {
    if (isTaggedUnion(type) && isStruct(value)) {
      const { discriminant } = type
      const named = structByTag(type, value)
      if (named) return this.#explainRejected(named, value, path)
      return this.#typeMismatch(tagTypeOf(type), member(value, discriminant), path.inner(discriminant))
    }
    if (this.#unions === 0) return this.#typeMismatch(type, value, path, '', noBranch)
    this.#unions -= 1
    const { rule, others } = literalsOf(type)
    // Where there is no value, each literal is missing.
    const literals = rule ? [value === undefined ? noBranch : rule] : []
    if (others.length === 0) return this.#typeMismatch(type, value, path, '', mergeRules(literals))
    const rejecting = others.map((branch): RejectingBranch => {
      const issues = this.#explainRejected(branch, value, path)
      this.#matcher.take(issues.length)
      return { branch, issues, paths: new Set(issues.map(({ at }) => at)) }
    })
    return this.#explainBestMatch(type, rejecting, literals, value, path)
  }

  /** Explains by the branches that match the tags of the value (members with literal types) and, of these, by the closest ones. */
  #explainBestMatch(
    type: UnionType<LazyType>,
    rejecting: readonly RejectingBranch[],
    literals: readonly IssueRule[],
    value: unknown,
    path: Path,
  ): Issue[] {
    const inside = rejecting.filter(({ paths }) => !paths.has(path))
    let named = inside
    const tried = triedMembers(type, inside, value, path)
    this.#matcher.take(tried.reduce((steps, { types }) => steps + MEMBER * types.length, 0))
    for (const { at, inner, types, fitting } of tried) {
      // A missing tag excludes nothing if a branch has no such member.
      if (inner === undefined && types.length < inside.length) continue
      if (!areTags(types)) continue
      if (fitting.length === 0) {
        // Reported only if no other tag has narrowed the branches.
        if (inner === undefined && named.length < inside.length) continue
        const branches = flattenUnion(types)
        this.#matcher.take(branches.length)
        return this.#typeMismatch({ kind: 'union', branches }, inner, at)
      }
      const both = named.filter((each) => fitting.includes(each))
      if (both.length > 0) named = both
    }
    const best = Math.min(...named.map(penalty))
    const closest = named.filter((each) => penalty(each) === best)
    if (closest.length === 1 && closest[0]) return closest[0].issues
    const [limited, ...more] =
      inside.length > 0 ? [] : rejecting.filter(({ branch }) => this.#failsOnlyConstraints(branch, value))
    if (limited?.issues[0] && more.length === 0) return [{ ...limited.issues[0], expected: describeType(type) }]
    const rules = rejecting.map(({ issues: [issue, other] }) =>
      issue && !other && issue.at === path ? issue : noBranch,
    )
    const explained = closest.filter(({ issues }) => issues.length > 0)
    return this.#typeMismatch(type, value, path, explained, mergeRules([...literals, ...rules]))
  }

  /** True if a value that is not of a type would be without its constraints. */
  #failsOnlyConstraints(type: WireType, value: unknown): boolean {
    const target = type.kind === 'ref' && !type.constraints ? type.type() : type
    return target.constraints !== undefined && this.#matcher.matches(typeOf(unconstrained(target)), value)
  }

  /** Returns the issue of a value that is not of a type, or that is missing. */
  #typeMismatch(
    type: WireType,
    value: unknown,
    path: Path,
    why: string | readonly RejectingBranch[] = '',
    rule: IssueRule = unmetRule(type, value),
  ): Issue[] {
    const decoded = decodeScalar(type, value, this.#wire)
    const malformed = why.length === 0 ? malformedText(type, decoded, this.#wire) : undefined
    const received = describeReceived(decoded, this.#details, malformed)
    const expected = describeType(type)
    if (typeof why === 'string') return [{ at: path, ...rule, expected, received: received + why }]
    return [{ at: path, ...rule, expected, received, closest: why }]
  }

  /** Returns the issue of a value that is of a type without its constraints; `converted` is its TypeScript value. */
  #constraintMismatch(type: WireType, value: unknown, converted: unknown, path: Path): Issue[] {
    const failed = findFailure(this.#wire.encodes ? value : converted, type.constraints ?? {}, this.#wire.keys)
    // As it was sent: a Set is an array there, and a URL a string.
    const isSent = converted instanceof Set || (converted instanceof URL && this.#details === 'values')
    const received = describeReceived(isSent ? value : converted, this.#details, failed.received)
    return [{ at: path, ...failed, expected: describeType(type), received }]
  }
}

/** The branches of a union that are literals, which reject a value alike, and the others. */
interface Literals {
  readonly rule: IssueRule | undefined
  readonly others: readonly WireType[]
}

const literalsOf = /* @__PURE__ */ memoize((type: UnionType<LazyType>): Literals => {
  const others = type.branches.filter((each) => literalOf(each) === undefined)
  const rules = type.branches.flatMap((each) => (literalOf(each) === undefined ? [] : [unmetRule(each, null)]))
  return { rule: rules.length > 0 ? mergeRules(rules) : undefined, others }
})

/** A branch of a union, and the issues for which it rejects a value. */
interface RejectingBranch extends Rejecting {
  readonly issues: Issue[]
}

/** Returns the type of the tag of a union. */
const tagTypeOf = /* @__PURE__ */ memoize((type: TaggedUnion): UnionType<LazyType> => {
  return { kind: 'union', branches: memberTypes(structBranches(type), type.discriminant) }
})

/** A missing member is stronger evidence against a branch than a wrong one. */
function penalty({ issues }: RejectingBranch): number {
  return issues.filter(({ code }) => code === 'required').length * 1000 + issues.length
}

/** The number of equally close branches that an error describes, and the length of that text. */
const MAX_BRANCHES = 4
const MAX_REASONS = 500

/** Returns what was received and, in about `room` characters, the first issue of each of the closest branches, with its reasons in turn. */
function describeReason({ received, closest = [] }: Issue, room: number): string {
  if (closest.length === 0 || room <= 0) return received
  let reasons = ''
  for (const { branch, issues } of closest.slice(0, MAX_BRANCHES)) {
    const [first] = issues
    if (!first) continue
    const start = `${reasons === '' ? '' : '; '}for ${describeType(branch)} `
    reasons += start + describeIssue({ ...first, received: '' }, first.at.text)
    reasons += describeReason(first, room - reasons.length)
  }
  return `${received} (${reasons.length > room ? `${reasons.slice(0, room)}…` : reasons})`
}

/** Returns a date or a bigint that the protocol can read, such as one of the year 0, decoded. */
function decodeScalar(type: WireType, value: unknown, { decodes, scalars }: Wire): unknown {
  if (!decodes) return value
  const kinds = kindsOf(type)
  const date = kinds.has('date') ? scalars.readDate(value) : value
  return kinds.has('bigint') ? scalars.readBigint(date) : date
}

const kindsOf = /* @__PURE__ */ memoize(
  (type: WireType): ReadonlySet<string> => new Set(flattenUnion([type]).map(({ kind }) => kind)),
)
