// The unions of a definition, and the entry point of this directory: a value to its branch, and to what it becomes.
//
//   { kind: 'circle', radius: 1 }  with the tag `kind`  →  the definition of the circle
//
// 1. What decides alone decides (this file): the value of a tag; the form of the value, such as list or string, if one branch has it; of objects
//    what is on their surface: lengths, required members, literals. The definition of the branch converts the value then.
// 2. Other objects are compared with all branches that are left at once (`matcher.ts`), by tables of up to 30 types (`candidates.ts`, made of what
//    `branches.ts` knows of the types): for each member and element its types in all branches. Each list and object is compared once; what was
//    found for it is kept beside the value (`found.ts`). Nothing is converted, but where only a codec or the equal elements of a list can decide.
// 3. The value is converted once, by all branches that it matches (`convert.ts`).
//
// So time and memory are linear in the size of a value, whatever its depth. The work for a byte grows with the number of tables: it is limited for
// each request (`wire.steps`), and after 64 sets of types that values of a union have chosen, they are compared with all its types.
//
// docs/internals/one-union-value.md follows one value through these files.
import { memoize } from '../cache.js'
import { define, definitionOf, INVALID, typeOf } from '../definition.js'
import { hasNull, indexByTag } from '../inner-types.js'
import { isStruct, member } from '../predicates.js'
import { mayKeepList } from '../struct-types.js'
import type { WireType } from '../types.js'
import type { Definition, Value, Wire } from '../wire.js'
import { type Form, formOf, mayHaveForm } from './branches.js'
import { type Inner, innerOf } from './candidates.js'
import { Converter } from './convert.js'
import { bitsIn, type Found } from './found.js'
import { lowest } from './groups.js'
import { Matcher, matcherOf } from './matcher.js'

export { Matcher } from './matcher.js'
export { findUnknownKeys } from './unknown-keys.js'

/**
 * One of several types. `tag` is the member whose literal selects a struct. Without it, all branches that accept a value contribute
 * the members that they declare.
 */
export function union(branches: readonly Definition[], tag?: string): Definition {
  let selection: Selection | undefined
  const convert = (value: Value, wire: Wire): Value => {
    selection ??= select(convert, branches, tag)
    if (tag !== undefined && isStruct(value)) {
      const branch = selection.byTag.get(tag in Object.prototype ? member(value, tag) : value[tag])
      if (branch) return convertBy(branch, value, wire, selection.types)
      throw INVALID
    }
    if (value === null && selection.hasNull) return null
    const having = selection.byForm[formOf(value)]
    if (having.only) return convertBy(having.only, value, wire, selection.types)
    if (typeof value !== 'object' || value === null) return convertByFirst(having, value, wire)
    return convertByMatches(having, value, wire)
  }
  return define(
    convert,
    () => ({ kind: 'union', branches: branches.map(typeOf), ...(tag !== undefined && { discriminant: tag }) }),
    () => branches,
  )
}

/** Converts a value by one of the branches. */
function convertBy(branch: Definition, value: Value, wire: Wire, among: readonly WireType[]): Value {
  const converted = branch(value, wire)
  return wire.markType ? wire.markType(converted, typeOf(branch), among) : converted
}

/** Which branches to try for which values. */
interface Selection {
  readonly types: readonly WireType[]
  readonly hasNull: boolean
  readonly byTag: ReadonlyMap<unknown, Definition>
  readonly byForm: Readonly<Record<Form, Branches>>
}

function select(type: Definition, branches: readonly Definition[], tag: string | undefined): Selection {
  const withForm = (form: Form) => new Branches(branches.filter((branch) => mayHaveForm(typeOf(branch), form)))
  return {
    types: branches.map(typeOf),
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

/** The branches that may have values of a form. */
class Branches {
  readonly all: readonly Definition[]
  readonly only: Definition | undefined
  readonly types: readonly WireType[]
  #inner: Inner | undefined

  constructor(all: readonly Definition[]) {
    this.all = all
    this.only = all.length === 1 ? all[0] : undefined
    this.types = all.map(typeOf)
  }

  /** The branches as tables. */
  get inner(): Inner {
    this.#inner ??= innerOf(this.types)
    return this.#inner
  }
}

const scalarMatcherOf = /* @__PURE__ */ memoize((wire: Wire) => new Matcher(wire, 'test'))

/** Converts a scalar by the first branch that it matches. */
function convertByFirst({ all, types }: Branches, value: unknown, wire: Wire): unknown {
  const branch = all[scalarMatcherOf(wire).firstOf(types, value) ?? all.length]
  if (branch) return convertBy(branch, value, wire, types)
  throw INVALID
}

/** Converts a list or an object by the branches that it matches. */
function convertByMatches({ inner }: Branches, value: Value, wire: Wire): unknown {
  const [only, more] = inner.matching(formOf(value), inner.converting)
  if (!only) throw INVALID
  const outer = matcherOf(wire)
  if (more || outer) return convertMatching(inner, value, undefined, outer ?? new Matcher(wire, 'convert'), wire)
  const { candidates } = only
  const likely = candidates.onSurface(value, wire)
  if (likely === 0) throw INVALID
  if ((likely & (likely - 1)) === 0) {
    const type = candidates.types[lowest(likely)] as WireType
    const converted = definitionOf(type)(value, wire)
    return wire.markType ? wire.markType(converted, type, [type]) : converted
  }
  if (candidates.isUnchanged && (wire.decodes || (wire.encodes && !wire.markType))) {
    if (bitsIn(new Matcher(wire, 'test').compareLikely(candidates, value, likely)) === 0) throw INVALID
    if (mayKeepLists(value, wire)) return value
  }
  const matcher = new Matcher(wire, 'convert')
  return convertMatching(inner, value, matcher.compareLikely(candidates, value, likely), matcher, wire)
}

/** Converts a value by those of its types that it matches; `found` is what was found for it, if it has been compared. */
function convertMatching(inner: Inner, value: object, found: Found | undefined, matcher: Matcher, wire: Wire): unknown {
  const matches = matcher.addInner(undefined, inner, inner.converting, value, found)
  if (!matches) throw INVALID
  return new Converter(matcher, wire).convert(matches, value, true)
}

/** True if a list and the lists in it need no copies. */
function mayKeepLists(value: Value, wire: Wire): boolean {
  if (wire.decodes) return true
  return mayKeepList(value, wire) && value.every((each: Value) => !Array.isArray(each) || mayKeepLists(each, wire))
}
