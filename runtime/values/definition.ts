// Common functions of definitions: rejecting a value, converting inner values, and being described. A definition is a function; its type as plain
// data is found by calling it with probes instead of values.
//
//   typeOf((v, w) => ({ id: int(v?.id, w) }))  →  { kind: 'struct', members: [{ name: 'id', type: { kind: 'int' } }] }
import { memoize } from './cache.js'
import { type Constraints, mergeConstraints } from './constraints.js'
import type { Keys, LazyType, Member, StructType, TypeNotes, ValueNotes, WireType } from './types.js'
import { type Definition, localScalars, type Value, Wire } from './wire.js'

/** Thrown by a definition for a value that is not of its type. */
export const INVALID: unique symbol = Symbol('rpc-gen.invalid')

/** Replaces a value while types are described: each definition that receives it records itself there. */
class Probe {
  type: Definition | undefined
}

/** Rejects a value that is not of a type; leaves the type in a probe. */
export function reject(value: Value, type: Definition): never {
  if (!(value instanceof Probe)) throw INVALID
  value.type ??= type
  return value as never
}

/** True if the value is a probe. */
export function isProbe(value: Value): boolean {
  return value instanceof Probe
}

/** Returns what `convert` makes of a value, or INVALID if it rejects it. */
export function attempt<V, T>(convert: (value: V, wire: Wire) => T, value: V, wire: Wire): T | typeof INVALID {
  try {
    return convert(value, wire)
  } catch (error) {
    if (error === INVALID) return INVALID
    throw error
  }
}

/** What a definition that is not the function of a struct states about itself. */
interface TypeInfo {
  readonly describe: () => WireType
  /** The definitions that it consists of. */
  readonly innerTypes: () => readonly Definition[]
  /** The definition without its constraints, and these. */
  readonly base: Base | undefined
}

interface Base {
  readonly type: Definition
  readonly constraints: Constraints
}

/** The docs of a type (`''`) and of its members: the text alone, or with more. */
type Docs = Readonly<Record<string, string | (TypeNotes & ValueNotes)>>

interface Name {
  readonly id: string
  readonly unnamed: boolean
  readonly docs: Docs
  /** The members in the order of their declaration, if the function of the struct reads them in another one. */
  readonly order: readonly string[] | undefined
  /** The docs of a member whose name is empty. */
  readonly emptyDoc: Docs[string] | undefined
  readonly position: number
}

const infos = /* @__PURE__ */ new WeakMap<Definition, TypeInfo>()
const namesOfTypes = /* @__PURE__ */ new WeakMap<Definition, Name>()

/** Returns the definition, which describes itself with `describe`. `base` is the same without its constraints. */
export function define<T>(
  type: Definition<T>,
  describe: () => WireType,
  innerTypes: () => readonly Definition[] = () => [],
  base?: Base,
): Definition<T> {
  infos.set(type, { describe, innerTypes, base })
  return type
}

/** A definition, alone or with its docs and the order of its members. */
export type NamedDefinition =
  | Definition
  | readonly [type: Definition, docs?: Docs, order?: readonly string[], emptyDoc?: Docs[string]]

/** Definitions by the names of their types. */
export type NamedDefinitions = Readonly<Record<string, NamedDefinition>>

let position = 0

/**
 * Names types in errors, schemas and docs, and adds their docs. The key `order` means the name `Order`. Of the docs, `''` is that
 * of the type, other keys are members, each a text or an object with more; `emptyDoc` is that of a member whose name is empty. `order` lists
 * the members of a struct as declared, where its function sets them in another order. The types of `unnamed` have no name in the source.
 */
export function describeTypes(named: NamedDefinitions, unnamed: NamedDefinitions = {}): void {
  nameAll(unnamed, true)
  nameAll(named, false)
}

function nameAll(types: NamedDefinitions, unnamed: boolean): void {
  for (const key in types) {
    const entry = types[key] as NamedDefinition
    const id = key.charAt(0).toUpperCase() + key.slice(1)
    const [type, docs = {}, order, emptyDoc] = typeof entry === 'function' ? [entry] : entry
    namesOfTypes.set(type, { id, unnamed, docs, order, emptyDoc, position: position++ })
  }
}

const descriptions = /* @__PURE__ */ new WeakMap<Definition, WireType>()
const references = /* @__PURE__ */ new WeakMap<Definition, LazyType>()
const definitions = /* @__PURE__ */ new WeakMap<WireType, Definition>()

/** What is being described: the named type around it, if there is one, and how many types are around it. */
interface Describing {
  readonly named: { readonly type: Definition; readonly position: number } | undefined
  readonly depth: number
}

let describing: Describing = { named: undefined, depth: 0 }

/** The stack is limited: named types that are deeper are references. */
const maxDepth = 300

/**
 * Returns the type of a definition, as plain data. In a cycle, a type refers to itself and to those that are named after it by reference, so
 * that the result does not depend on the order of the calls.
 */
export function typeOf(definition: Definition): WireType {
  const name = namesOfTypes.get(definition)
  const outer = describing
  const { named: around, depth } = outer
  if (name && around) {
    const mayRecur = name.position >= around.position && reaches(definition, (each) => each === around.type)
    if (mayRecur || depth > maxDepth) return referenceTo(definition, name.id)
  }
  const known = descriptions.get(definition)
  if (known) return known
  describing = { named: name ? { type: definition, position: name.position } : around, depth: depth + 1 }
  try {
    const made = named(infos.get(definition)?.describe() ?? structType(definition, name), name)
    descriptions.set(definition, made)
    if (!definitions.has(made)) definitions.set(made, definition)
    return made
  } finally {
    describing = outer
  }
}

function named(type: WireType, name: Name | undefined): WireType {
  if (!name) return type
  const { id, unnamed, docs } = name
  const notes = notesOf(docs[''])
  return {
    ...type,
    id,
    ...(unnamed && { unnamed }),
    ...(notes && { notes }),
    ...(type.kind === 'struct' && !unnamed && { name: type.name ?? id }),
  }
}

/** Returns docs of which only the text may be given. */
export function notesOf(docs: Docs[string] | undefined): (TypeNotes & ValueNotes) | undefined {
  return typeof docs === 'string' ? { doc: docs } : docs
}

function referenceTo(definition: Definition, name: string): LazyType {
  const known = references.get(definition)
  if (known) return known
  const made: LazyType = { kind: 'ref', name, type: () => typeOf(definition) }
  references.set(definition, made)
  definitions.set(made, definition)
  return made
}

/** True if a type is one of those that `isWanted` accepts, or contains one. */
export function reaches(definition: Definition, isWanted: (type: Definition) => boolean): boolean {
  const all = new Set([definition])
  // It grows while it is iterated.
  for (const each of all) {
    if (isWanted(each)) return true
    for (const inner of innerDefinitionsOf(each)) all.add(inner)
  }
  return false
}

/** Returns the definitions of the inner types of a type. */
function innerDefinitionsOf(definition: Definition): readonly Definition[] {
  const info = infos.get(definition)
  if (info) return info.innerTypes()
  const { members, indexes } = shapeOf(definition)
  return [...members, ...indexes].map((inner) => inner.type)
}

/** Returns the definition of a type that `typeOf` has returned. */
export function definitionOf(type: WireType): Definition {
  const definition = definitions.get(type)
  if (!definition) throw new TypeError(`the type ${type.kind} was not returned by typeOf`)
  return definition
}

/** Returns the definition of a type that `typeOf` has returned, without the constraints of the type itself. */
export function unconstrained(type: WireType): Definition {
  const definition = definitionOf(type)
  return infos.get(definition)?.base?.type ?? definition
}

/** Returns the members of a struct in the order in which its function sets them. */
export function membersInOrder(
  type: StructType<LazyType>,
): readonly { readonly name: string; readonly optional?: boolean }[] {
  const definition = definitionOf(type)
  return (infos.has(definition) ? type : shapeOf(definition)).members
}

/** Returns a definition without its constraints, and these together with further ones. */
export function withoutConstraints(
  type: Definition,
  further: Constraints,
): { readonly base: Definition; readonly all: Constraints } {
  const own = infos.get(type)?.base
  return { base: own?.type ?? type, all: mergeConstraints(own?.constraints, further) }
}

/** The members of a struct and its index signatures. */
interface Shape {
  readonly members: readonly { readonly name: string; readonly type: Definition; readonly optional: boolean }[]
  readonly indexes: readonly { readonly type: Definition; readonly keys: Keys | undefined }[]
}

/** Runs the function of a struct twice: with all members, and with all omitted. What is missing then is optional. */
const shapeOf = /* @__PURE__ */ memoize((type: Definition): Shape => {
  let indexes: Shape['indexes'] = []
  const run = (probeOf: (name: string) => Probe, omitted: unknown): Readonly<Record<string, Probe>> => {
    const onIndex = (inner: Definition, keys: Keys | undefined) => {
      indexes = [...indexes, { type: inner, keys }]
    }
    indexes = []
    return type(membersFrom(probeOf), new Wire(localScalars, 'local', { describer: { onIndex, omitted } }))
  }
  const probes = new Map<string, Probe>()
  const all = run((name) => {
    const probe = probes.get(name) ?? new Probe()
    probes.set(name, probe)
    return probe
  }, undefined)
  const omitted = new Probe()
  const required = run(() => omitted, omitted)
  const members = Object.keys(all).map((name) => {
    const definition = all[name]?.type
    if (!definition) throw new TypeError(`the member ${name} of ${type.name} has no definition`)
    return { name, type: definition, optional: !Object.hasOwn(required, name) }
  })
  return { members, indexes }
})

/** An object that has every member. */
function membersFrom(probeOf: (name: string) => Probe): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => (typeof name === 'string' ? probeOf(name) : undefined),
      getOwnPropertyDescriptor: (_target, name) => ({
        configurable: true,
        enumerable: true,
        value: probeOf(String(name)),
      }),
    },
  )
}

function structType(type: Definition, { docs = {}, order, emptyDoc }: Partial<Name> = {}): WireType {
  const { members, indexes } = shapeOf(type)
  // As the keys of an object: those that are numbers come first.
  const names = Object.keys(Object.fromEntries((order ?? []).map((name) => [name, true])))
  const ordered = order ? members.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name)) : members
  return {
    kind: 'struct',
    members: ordered.map(({ name, type, optional }): Member => {
      const own = name === '' ? emptyDoc : Object.hasOwn(docs, name) ? docs[name] : undefined
      return { name, type: typeOf(type), ...(optional && { optional }), ...notesOf(own) }
    }),
    ...(indexes.length > 0 && {
      indexes: indexes.map(({ type, keys }) => ({ type: typeOf(type), ...(keys && { keys }) })),
    }),
  }
}
