import { UsageError } from '../options.js'
import { memoised } from './memoised.js'
import { alternativesOf } from './pattern.js'
import {
  type AnySchema,
  type ArrayBranch,
  acceptingConstant,
  acceptsConstant,
  anything,
  type Branch,
  constantKey,
  elementAt,
  type Fields,
  type ForeignSchema,
  isConstant,
  isSchema,
  type Member,
  matchingIn,
  meetNumbers,
  meetStrings,
  memberTypes,
  nothing,
  numberLimits,
  type ObjectBranch,
  opaqueOf,
  remarks,
  resolveReferences,
  scalarsWithin,
  sorted,
  startOfNames,
  stringLimits,
  type Type,
  textOf,
} from './type.js'

/** The values that two types have in common. */
type Meet = (a: Type, b: Type) => Type

type TypeOf = (schema: AnySchema) => Type

/**
 * Makes types from the schemas of one document. Each is examined when its branches are first read. `name` is the document's
 * name in messages.
 */
export function typesOf(root: object, name: string): TypeOf {
  const meet = createMeet()
  const known = new Map<AnySchema, Type>()
  const typeOf: TypeOf = (schema) => {
    const { schema: found, name: typeName } = resolveSchema(schema, root, name)
    if (typeof found === 'boolean') return found ? anything : nothing
    const before = known.get(found)
    if (before) return before
    const type = lazyType(() => {
      const branches = expand(found)
      const [only] = branches
      return only && branches.length === 1 && typeName ? [{ ...only, name: typeName }] : branches
    })
    known.set(found, type)
    return type
  }

  const expand = (schema: ForeignSchema): Branch[] => {
    const { $ref, anyOf, oneOf, allOf = [] } = schema
    const referred = $ref === undefined ? [] : [{ $ref }]
    const unions = [anyOf, oneOf].flatMap((each) => (each ? [each.flatMap((one) => typeOf(one).branches())] : []))
    const all = [...referred, ...allOf].map((each) => typeOf(each).branches())
    return withoutCovered(meetAll([ownBranches(schema, typeOf), ...unions, ...all], meet))
  }
  return typeOf
}

function lazyType(branches: () => readonly Branch[]): Type {
  let known: readonly Branch[] | undefined
  return {
    branches() {
      if (!known) {
        // A type that is needed while it is examined adds nothing to itself: `A` of `A | string` is a string.
        known = []
        known = branches()
      }
      return known
    },
  }
}

/** Memoised, and without repeated parts, so that the intersection of recursive types ends. */
function createMeet(): Meet {
  const known = new Map<Type, ReadonlySet<Type>>()
  const partsOf = (type: Type) => known.get(type) ?? new Set([type])
  const meet = memoised((a: Type, b: Type): Type => {
    if (a === nothing || b === nothing) return nothing
    const [own, others] = [partsOf(a), partsOf(b)]
    const parts = new Set([...own, ...others])
    if (parts.size === own.size) return a
    if (parts.size === others.size) return b
    const type = lazyType(() => meetAll([a.branches(), b.branches()], meet))
    known.set(type, parts)
    return type
  })
  return meet
}

/** Returns the schema that a chain of plain references ends at, and the last name on the way. */
function resolveSchema(
  schema: AnySchema,
  root: object,
  name: string,
): { readonly schema: AnySchema; readonly name?: string } {
  const isPlain = (each: Fields) => Object.keys(each).every((word) => word === '$ref' || remarks.has(word))
  const { value, ref } = resolveReferences(schema, root, name, isPlain)
  if (!isSchema(value)) throw new UsageError(`${name} refers to ${ref}, which is not a schema`)
  const plain = ref?.slice(ref.lastIndexOf('/') + 1).replace(/\.input$/, '')
  return plain !== undefined && /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(plain)
    ? { schema: value, name: plain }
    : { schema: value }
}

const kinds = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

/** The branches that the schema itself declares, without its references and combinations. */
function ownBranches(schema: ForeignSchema, typeOf: TypeOf): Branch[] {
  const { type } = schema
  const opaque = opaqueOf(schema)
  const named = type === undefined ? undefined : typeof type === 'string' ? [type] : type
  const values = 'const' in schema ? [schema.const] : schema.enum
  if (!named && !values && !limits(schema)) return [limited({ kind: 'any' }, opaque)]
  // A list of values takes precedence over the format.
  const { format: _format, contentEncoding: _encoding, ...rest } = schema
  const plain = (named ?? kinds).flatMap((each) => branchesOf(each, values ? rest : schema, typeOf))
  const chosen = values
    ? values.map(constantOf).filter((value) => plain.some((each) => acceptsConstant(each, value)))
    : plain
  return chosen.map((branch) => limited(branch, opaque))
}

function limited(branch: Branch, opaque: readonly string[]): Branch {
  return opaque.length === 0 ? branch : { ...branch, opaque }
}

const limiting =
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding
  prefixItems items minItems maxItems uniqueItems properties required patternProperties additionalProperties`.split(
    /\s+/,
  ) as readonly (keyof ForeignSchema)[]

function limits(schema: ForeignSchema): boolean {
  return limiting.some((word) => schema[word] !== undefined)
}

function branchesOf(type: string, schema: ForeignSchema, typeOf: TypeOf): Branch[] {
  switch (type) {
    case 'null':
      return [{ kind: 'null' }]
    case 'boolean':
      return [true, false].map((value) => ({ kind: 'literal', value }))
    case 'integer':
    case 'number':
      return [{ kind: 'number', ...numberLimits(schema, type === 'integer') }]
    case 'string':
      return [{ kind: 'string', ...stringLimits(schema) }]
    case 'array':
      return [arrayBranch(schema, typeOf)]
    case 'object':
      return [objectBranch(schema, typeOf)]
    default:
      return []
  }
}

function arrayBranch(schema: ForeignSchema, typeOf: TypeOf): ArrayBranch {
  const { items, minItems = 0, maxItems = Infinity, uniqueItems = false } = schema
  const tupleItems = Array.isArray(items) ? (items as readonly AnySchema[]) : undefined
  const prefix = (schema.prefixItems ?? tupleItems ?? []).map(typeOf)
  const additional = tupleItems ? schema.additionalItems : (items as AnySchema | undefined)
  const rest = additional === false || maxItems <= prefix.length ? undefined : typeOf(additional ?? true)
  return {
    kind: 'array',
    prefix: prefix.slice(0, Math.min(prefix.length, maxItems)),
    rest,
    least: minItems,
    most: rest ? maxItems : Math.min(prefix.length, maxItems),
    unique: uniqueItems,
  }
}

/** Returns a pattern without the declared names that rpc-gen excludes, `^(?!(?:a|b)$)(?:…)`: here patterns only describe other names anyway. */
function withoutExcluded(pattern: string): string {
  const [start, middle] = ['^(?!(?:', ')$)(?:']
  const at = pattern.lastIndexOf(middle)
  if (!pattern.startsWith(start) || at < start.length || !pattern.endsWith(')')) return pattern
  return pattern.slice(at + middle.length, -1)
}

function objectBranch(schema: ForeignSchema, typeOf: TypeOf): ObjectBranch {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
  const needed = new Set(required)
  const names = new Set([...Object.keys(properties), ...required])
  const patterns = new Map<string, AnySchema[]>()
  const all = Object.entries(patternProperties)
  for (const [pattern, each] of all) {
    for (const alternative of alternativesOf(withoutExcluded(pattern))) {
      const { text, isWhole } = startOfNames(alternative)
      // The keys of a `Map<'a' | 'b', T>` are optional members.
      if (isWhole) names.add(text)
      else if (!patterns.get(alternative)?.includes(each))
        patterns.set(alternative, [...(patterns.get(alternative) ?? []), each])
    }
  }
  const typeOfAll = ([first = additionalProperties ?? true, ...more]: readonly AnySchema[]) =>
    typeOf(more.length === 0 ? first : { allOf: [first, ...more] })
  const own = new Map(Object.entries(properties).map(([name, each]) => [name, [each]]))
  const member = (name: string): [string, Member] => {
    const matching = matchingIn(all, name)
    return [name, { type: typeOfAll([...(own.get(name) ?? []), ...matching]), required: needed.has(name) }]
  }
  return {
    kind: 'object',
    members: new Map([...names].map(member)),
    patterns: new Map([...patterns].map(([pattern, each]) => [pattern, typeOfAll(each)])),
    others: additionalProperties === undefined ? undefined : typeOf(additionalProperties),
  }
}

function constantOf(value: unknown): Branch {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'object' || value === undefined) return { kind: 'constant', text: textOf(value) }
  return { kind: 'literal', value: value as string | number | boolean }
}

/** The values that all of several unions have in common. */
function meetAll(unions: readonly (readonly Branch[])[], meeting: Meet): Branch[] {
  const [first = [], ...more] = unions
  return more.reduce<Branch[]>(
    (met, union) => met.flatMap((a) => acceptingConstant(union, a).flatMap((b) => meet(a, b, meeting) ?? [])),
    [...first],
  )
}

function meet(a: Branch, b: Branch, meeting: Meet): Branch | undefined {
  const met = meetPlain(a, b, meeting)
  const opaque = sorted([...(a.opaque ?? []), ...(b.opaque ?? [])])
  return met && opaque.length > 0 ? { ...met, opaque } : met
}

function meetPlain(a: Branch, b: Branch, meeting: Meet): Branch | undefined {
  if (a.kind === 'any') return b
  if (b.kind === 'any') return a
  if (isConstant(b)) return acceptsConstant(a, b) ? b : undefined
  if (isConstant(a)) return acceptsConstant(b, a) ? a : undefined
  if (a.kind === 'number' && b.kind === 'number') return { kind: 'number', ...meetNumbers(a, b) }
  if (a.kind === 'string' && b.kind === 'string') return { kind: 'string', ...meetStrings(a, b) }
  if (a.kind === 'array' && b.kind === 'array') return meetArrays(a, b, meeting)
  if (a.kind === 'object' && b.kind === 'object') return meetObjects(a, b, meeting)
  return undefined
}

function meetArrays(a: ArrayBranch, b: ArrayBranch, meeting: Meet): ArrayBranch {
  const most = Math.min(a.most, b.most)
  const both = (x: Type | undefined, y: Type | undefined) => (x && y ? meeting(x, y) : undefined)
  const length = Math.min(most, Math.max(a.prefix.length, b.prefix.length))
  const prefix = Array.from({ length }, (_, i) => both(elementAt(a, i), elementAt(b, i)))
  return {
    kind: 'array',
    prefix: prefix.filter((each) => each !== undefined),
    rest: most > length ? both(a.rest, b.rest) : undefined,
    least: Math.max(a.least, b.least),
    most,
    unique: a.unique || b.unique,
  }
}

function meetObjects(a: ObjectBranch, b: ObjectBranch, meeting: Meet): ObjectBranch {
  const names = sorted([...a.members.keys(), ...b.members.keys()])
  const members = names.map((name): [string, Member] => {
    const all = [a, b].flatMap((each) => memberTypes(each, name))
    const required = [a, b].some((each) => each.members.get(name)?.required)
    return [name, { type: all.reduce((one, other) => meeting(one, other)), required }]
  })
  const patterns = new Map(a.patterns)
  for (const [pattern, type] of b.patterns) {
    const own = patterns.get(pattern)
    patterns.set(pattern, own ? meeting(own, type) : type)
  }
  return {
    kind: 'object',
    members: new Map(members),
    patterns,
    others: a.others && b.others ? meeting(a.others, b.others) : (a.others ?? b.others),
  }
}

/** Returns a union without the scalars that other branches accept. */
function withoutCovered(branches: readonly Branch[]): Branch[] {
  const every = branches.find((each) => each.kind === 'any' && !each.opaque)
  if (every) return [every]
  const covers = (other: Branch, branch: Branch) => !other.opaque && !branch.opaque && scalarsWithin(branch, other)
  const seen = new Set<string>()
  const others = [...branches.entries()].filter(([, each]) => !isConstant(each))
  return branches.filter((branch, i) => {
    const key = branch.opaque ? undefined : constantKey(branch)
    if (key !== undefined && seen.has(key)) return false
    if (key !== undefined) seen.add(key)
    return others.every(([j, other]) => i === j || !covers(other, branch) || (covers(branch, other) && i < j))
  })
}
