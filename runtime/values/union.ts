import { attempt, convertInner, define, INVALID, memoized, reaches, typeOf } from './definition.js'
import { isStruct, member, type Struct, setMember } from './predicates.js'
import type { WireType } from './types.js'
import { flattenUnion, hasNull, indexByTag } from './unions.js'
import type { Type, Value, Wire } from './wire.js'

/**
 * One of several types. `tag` is the member whose literal selects a struct. Without it, all branches that accept a value contribute
 * the members that they declare.
 */
export function union(branches: readonly Type[], tag?: string): Type {
  let selection: Selection | undefined
  let isNested: boolean | undefined
  const convert = (value: Value, wire: Wire): Value => {
    selection ??= select(convert, branches, tag)
    if (tag !== undefined && isStruct(value)) {
      const branch = selection.byTag.get(tag in Object.prototype ? member(value, tag) : value[tag])
      if (branch) return convertInner(branch, value, wire)
      throw INVALID
    }
    if (value === null && selection.hasNull) return null
    const candidates = selection.byForm[formOf(value)]
    const [only] = candidates
    if (only && candidates.length === 1) return convertInner(only, value, wire)
    // A union in a branch would be tried once for every branch, which doubles the work at every level of a value.
    isNested ??= branches.some((branch) => reaches(branch, triesBranches))
    const isMemoized = isNested && wire.slow === undefined && typeof value === 'object'
    return mergeAll(candidates, value, isMemoized ? memoized(wire) : wire)
  }
  trials.set(convert, () => {
    selection ??= select(convert, branches, tag)
    const { byForm } = selection
    return byForm.list.length > 1 || (tag === undefined && byForm.struct.length > 1)
  })
  return define(
    convert,
    () => ({ kind: 'union', branches: branches.map(typeOf), ...(tag !== undefined && { discriminant: tag }) }),
    () => branches,
  )
}

/** Unions that may try several branches for an object. */
const trials = /* @__PURE__ */ new WeakMap<Type, () => boolean>()

function triesBranches(type: Type): boolean {
  return trials.get(type)?.() ?? false
}

/** The JavaScript type of a value; `other` is null, undefined, a bigint, and an object of a class that is a scalar on the wire. */
type Form = 'string' | 'number' | 'boolean' | 'list' | 'struct' | 'other'

function formOf(value: Value): Form {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value as Form
    case 'object':
      if (Array.isArray(value) || value instanceof Set) return 'list'
      return isStruct(value) || value instanceof Map ? 'struct' : 'other'
    default:
      return 'other'
  }
}

/** The only form that values of a kind have; absent for kinds whose form depends on the wire. */
const formOfKind: { readonly [Kind in WireType['kind']]?: Form } = {
  string: 'string',
  template: 'string',
  int: 'number',
  double: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  set: 'list',
  tuple: 'list',
  struct: 'struct',
  map: 'struct',
}

/** Which branches to try for which values. */
interface Selection {
  readonly hasNull: boolean
  readonly byTag: ReadonlyMap<unknown, Type>
  readonly byForm: Readonly<Record<Form, readonly Type[]>>
}

function select(type: Type, branches: readonly Type[], tag: string | undefined): Selection {
  const withForm = (form: Form) => branches.filter((branch) => mayHaveForm(typeOf(branch), form))
  return {
    hasNull: hasNull(typeOf(type)),
    byTag: tag === undefined ? new Map() : indexByTag(branches, tag, typeOf),
    byForm: {
      string: withForm('string'),
      number: withForm('number'),
      boolean: withForm('boolean'),
      list: withForm('list'),
      struct: withForm('struct'),
      other: withForm('other'),
    },
  }
}

function mayHaveForm(type: WireType, form: Form): boolean {
  return flattenUnion([type]).some((each) => {
    const only = each.kind === 'literal' ? (typeof each.value as Form) : formOfKind[each.kind]
    return only === undefined || only === form
  })
}

/** Merges the results of all branches that accept a value. */
function mergeAll(branches: readonly Type[], value: Value, wire: Wire): unknown {
  let merged: unknown = INVALID
  for (const branch of branches) {
    const result = attempt(branch, value, wire)
    if (result === INVALID) continue
    merged = merged === INVALID ? result : merge(merged, result)
    if (typeof merged !== 'object') return merged
  }
  if (merged === INVALID) throw INVALID
  return merged
}

/** Merges two conversions of one value: the members of both, recursively. */
function merge(one: unknown, other: unknown): unknown {
  if (one === other) return one
  if (Array.isArray(one) && Array.isArray(other)) return one.map((each, i) => merge(each, other[i]))
  if (!isStruct(one) || !isStruct(other)) return one
  const both: Struct = {}
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const shared = Object.hasOwn(one, name) && Object.hasOwn(other, name)
    setMember(both, name, shared ? merge(one[name], other[name]) : Object.hasOwn(one, name) ? one[name] : other[name])
  }
  return both
}
