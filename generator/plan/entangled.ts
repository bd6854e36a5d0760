import { partsOf, referencedNames } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import { flatten } from '../model/forms.js'
import type { ModelType } from '../model/model.js'

type Union = Extract<ModelType, { kind: 'union' }>

/**
 * Returns the names of the types whose values several branches of a union lead to, and that contain such a union themselves:
 * without a memory of each object the work would double at every level of nesting. With it, each object is handled once.
 */
export function findEntangled(types: TypesByName, needsConvert: (type: ModelType) => boolean): ReadonlySet<string> {
  const tried = new Set<string>()
  const converted = new Set<string>()
  const shared = new Set<string>()
  for (const { name, type } of types.values()) {
    for (const union of unionsIn(type)) {
      const branches = triedBranches(union, types)
      if (branches.length > 1) tried.add(name)
      if (isToldByConverting(union, types, needsConvert)) converted.add(name)
      const reached = branches.map((branch) => reachedFrom(branch, types))
      for (const [i, names] of reached.entries()) {
        for (const each of names) if (reached.some((others, k) => k < i && others.has(each))) shared.add(each)
      }
    }
  }
  const isRecursive = (name: string) => reachedFrom({ kind: 'ref', name }, types).has(name)
  return new Set([...[...tried].filter((name) => shared.has(name)), ...[...converted].filter(isRecursive)])
}

function unionsIn(type: ModelType): Union[] {
  const inside = partsOf(type).flatMap(unionsIn)
  return type.kind === 'union' ? [type, ...inside] : inside
}

/** The names that a type leads to; its own only if it contains itself. */
function reachedFrom(type: ModelType, types: TypesByName): ReadonlySet<string> {
  const root = type.kind === 'ref' ? types.get(type.name)?.type : type
  const reached = new Set<string>()
  const visit = (each: ModelType | undefined): void => {
    for (const name of each ? referencedNames(each) : []) {
      if (reached.has(name)) continue
      reached.add(name)
      visit(types.get(name)?.type)
    }
  }
  visit(root)
  return reached
}

/** Kinds with parts, by their form in JSON; a scalar has none of its own. */
const forms: Partial<Record<ModelType['kind'], 'list' | 'struct'>> = {
  array: 'list',
  set: 'list',
  tuple: 'list',
  struct: 'struct',
  map: 'struct',
}

/** The branches that are tried one after another, since another one has the same JSON form. A discriminant leads to one struct. */
function triedBranches(union: Union, types: TypesByName): ModelType[] {
  const branches = withoutTagged(union, types)
  return branches.filter(
    (branch) => forms[branch.kind] && branches.some((each) => each !== branch && isAlike(each, branch)),
  )
}

function isAlike(one: ModelType, other: ModelType): boolean {
  return forms[one.kind] !== undefined && forms[one.kind] === forms[other.kind]
}

/** True if several branches are converted and what comes of each is validated to choose one. */
function isToldByConverting(union: Union, types: TypesByName, needsConvert: (type: ModelType) => boolean): boolean {
  const branches = withoutTagged(union, types)
  const converted = branches.filter(needsConvert)
  return branches.filter((branch) => converted.some((each) => each === branch || isAlike(each, branch))).length > 1
}

function withoutTagged(union: Union, types: TypesByName): ModelType[] {
  const branches = distinct(flatten(union, types))
  return union.discriminant === undefined ? branches : branches.filter(({ kind }) => forms[kind] !== 'struct')
}

/** Types that differ in `readonly` alone are one: `JsonValue[] | readonly JsonValue[]`. */
function distinct(types: readonly ModelType[]): ModelType[] {
  return [...new Map(types.map((type) => [JSON.stringify({ ...type, readonly: undefined }), type])).values()]
}
