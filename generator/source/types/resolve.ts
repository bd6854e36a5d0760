// A type of the checker to a type of the model: the first of `resolvers` that accepts it resolves it, and the types inside of it:
//
//   Order[]  →  { kind: 'array', element: { kind: 'ref', name: '0' } }, where '0' is the key of Order
import { ts } from 'ts-morph'
import { flatten } from '../../../runtime/description/described-types.js'
import type { TypesByName } from '../../../runtime/description/description.js'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { findAmbiguity } from '../../model/ambiguity.js'
import type { Unions } from '../../model/apart.js'
import { findEndless } from '../../model/endless.js'
import { type ModelType, placeholderType } from '../../model/model.js'
import type { FoundType } from '../../model/part.js'
import type { CommentReader } from '../constraints/comment-reader.js'
import { type Constrainer, createConstrainer } from '../constraints/constrainer.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isBroken } from '../program/sources.js'
import { resolveBuiltin } from './builtin.js'
import { rejectLibraryClass, resolveBare, resolveExtended } from './classes.js'
import { resolveCustom } from './custom.js'
import { rejectForeignRules } from './foreign-rules.js'
import { resolveArray, resolveTuple } from './list.js'
import { nameSymbol, TypeTable } from './naming.js'
import { resolveEnum, resolveLiteral, resolvePrimitive } from './primitive.js'
import { rejectContext, rejectData, rejectUnresolved, rejectUnsupported } from './rejected.js'
import type { KindResult, PlacedUnion, ResolveKind, Resolver, Scalars, TypeDefinition } from './resolver.js'
import { resolveStruct } from './struct.js'
import { resolveBranded, resolveTagged } from './tagged.js'
import { resolveUnion, withoutNoInfer } from './union.js'
import { createWrittenTypes, type WrittenTypes } from './written-types.js'

/**
 * The kinds in the order in which they are tried. The order matters: an unresolved type looks like `any`; a
 * tagged number is an intersection; an enum is a union, or a literal if it has one member; the checker treats Date, the bytes
 * and arrays as structs; a type with call signatures may have members too.
 */
const resolvers: readonly ResolveKind[] = [
  rejectUnresolved,
  resolveCustom,
  resolvePrimitive,
  rejectForeignRules,
  resolveTagged,
  resolveEnum,
  resolveLiteral,
  resolveUnion,
  resolveBuiltin,
  resolveBranded,
  resolveArray,
  resolveTuple,
  resolveBare,
  rejectLibraryClass,
  resolveExtended,
  rejectUnsupported,
  rejectContext,
  rejectData,
  resolveStruct,
]

/** How many types are resolved inside of each other before a definition waits until they are finished: the stack is limited. */
const maxLevels = 50

/** Resolves the types of one source: of each it finds the kind, and then makes the model. */
export class TypeResolver implements Resolver {
  readonly project: OpenProject
  readonly checker: ts.TypeChecker
  readonly scalars: Scalars
  readonly table: TypeTable
  readonly constrainer: Constrainer
  readonly unions: PlacedUnion[] = []
  readonly unresolved = new Set<string>()
  readonly #written: WrittenTypes
  readonly #rejections: Rejections
  readonly #isTooDeep: DepthLimit
  /** The types that are being resolved, and the definitions that wait for them. */
  readonly #open = new Set<ts.Type>()
  readonly #waiting: (() => void)[] = []

  constructor(project: OpenProject, scalars: Scalars, reader: CommentReader) {
    this.project = project
    this.checker = project.checker
    this.scalars = scalars
    this.table = new TypeTable(project)
    this.constrainer = createConstrainer(project, reader, this.table.byKey)
    this.#written = createWrittenTypes(project, this.constrainer)
    this.#rejections = createRejections(project)
    this.#isTooDeep = createDepthLimit(this.#rejections)
  }

  /** Returns a reference to a type that has a key. A kind reads an intersection without its constraint types, which are added here. */
  resolve(given: ts.Type, place: Place): ModelType {
    const type = withoutNoInfer(given)
    // A type that contains itself and is not defined, such as the result of a conditional type, gets its key here.
    const known = this.table.find(type) ?? (this.#open.has(type) ? this.table.enter(type, place) : undefined)
    if (known) return referenceTo(known)
    this.#open.add(type)
    const found = this.#isTooDeep(type, place) ? placeholderType : this.#findKind(type, place)
    const model =
      'define' in found
        ? this.#define(type, found, place)
        : withAlias(this.constrainer.byType(found, type, place), type)
    if (this.#open.size === 1) this.#defineWaiting()
    this.#open.delete(type)
    const entry = this.table.find(type)
    if (!entry || isReferenceTo(entry, model)) return model
    entry.type = model
    return referenceTo(entry)
  }

  #findKind(type: ts.Type, place: Place): KindResult {
    for (const resolveKind of resolvers) {
      const found = resolveKind(type, place, this)
      if (found) return found
    }
    return this.reject(place, 'RPC121', `${this.checker.typeToString(type)} is not supported`)
  }

  /** Gives a type a key and makes its model: at once, unless it may wait and is inside of many others. */
  #define(type: ts.Type, { define, mayWait }: TypeDefinition, place: Place): ModelType {
    const entry = this.table.enter(type, place)
    const declarations = nameSymbol(type)?.declarations ?? []
    for (const each of declarations) this.checkWritten(each, place)
    // The number of other types has no limit.
    const isLimited = mayWait && !entry.anonymous && !entry.generic
    const complete = () => {
      const model = define(isLimited ? { ...place, depth: 0 } : place)
      entry.type = this.constrainer.byComments(this.constrainer.byType(model, type, place), declarations)
    }
    if (isLimited && this.#open.size > maxLevels) this.#waiting.push(complete)
    else complete()
    return referenceTo(entry)
  }

  #defineWaiting(): void {
    // The list grows while it is iterated.
    for (const complete of this.#waiting) complete()
    this.#waiting.length = 0
  }

  resolvePart(type: ts.Type, place: Place, step: string): ModelType {
    return this.resolve(type, { ...place, path: place.path + step, depth: place.depth + 1 })
  }

  noteUnion(branches: readonly ModelType[], place: Place, overloads?: PlacedUnion['overloads']): void {
    this.unions.push({ branches, place, ...(overloads && { overloads }) })
  }

  checkWritten(node: ts.Node | undefined, place: Place): void {
    this.#written.check(node, place)
  }

  readonly reject: Resolver['reject'] = (place, code, message, hint) => {
    this.#rejections.reject(place, code, message, hint)
    return placeholderType
  }

  finish(): void {
    this.#written.report(this)
    this.#rejections.finish()
  }
}

function referenceTo({ key }: FoundType): ModelType {
  return { kind: 'ref', name: key }
}

function isReferenceTo({ key }: FoundType, model: ModelType): boolean {
  return model.kind === 'ref' && model.name === key
}

/** `Sku` of `type Sku = string & Pattern<'…'>` or a template: the name of its definition, if several types and procedures need it. */
function withAlias(model: ModelType, { aliasSymbol, aliasTypeArguments }: ts.Type): ModelType {
  const isLong = model.constraints !== undefined || model.kind === 'template'
  return isLong && aliasSymbol && !aliasTypeArguments ? { ...model, alias: aliasSymbol.name } : model
}

/** Deeper than types written by hand; bounds types that contain an ever larger instance of themselves. */
const maxDepth = 150

const hintForDepth =
  'declare inner levels as interfaces, and use the same type arguments in them: type Chain<T> = { next?: Chain<T> }'

const hintForMapped =
  'move the condition into the mapped type, so that the recursive type has a name: type Deep<T> = { [K in keyof T]?: T[K] extends Date ? T[K] : Deep<T[K]> }'

/** How many characters of an infinite type's path are shown. */
const shownPath = 60

type DepthLimit = (type: ts.Type, place: Place) => boolean

/**
 * Returns a function that rejects a type that nests too deeply, and then every further type of the same procedure: their number may
 * double at each level.
 */
function createDepthLimit({ reject }: Rejections): DepthLimit {
  const exceeded = new Set<string | undefined>()
  return (type, place) => {
    if (exceeded.has(place.owner)) return true
    if (place.depth <= maxDepth) return false
    exceeded.add(place.owner)
    const message = `the type nests deeper than ${maxDepth} levels: it may be infinite`
    const isMapped = !type.aliasSymbol && type.symbol?.declarations?.some(ts.isMappedTypeNode)
    const shortened = { ...place, path: `${place.path.slice(0, shownPath)}…` }
    reject(shortened, 'RPC122', message, isMapped ? hintForMapped : hintForDepth)
    return true
  }
}

/** Reports problems that can only be found once all types are known. */
export function checkTypes(resolver: Resolver, unions: Unions): void {
  const { types } = unions
  resolver.constrainer.settle()
  rejectAmbiguous(resolver, unions)
  rejectUnguarded(resolver, types)
  rejectEndless(resolver, types)
}

function rejectAmbiguous(resolver: Resolver, all: Unions): void {
  const hint = "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }"
  for (const { branches, place, overloads } of resolver.unions) {
    const found = findAmbiguity(branches, all, overloads !== undefined)
    if (!found) continue
    if (found === 'unknown') {
      resolver.reject(place, 'RPC122', 'too many branches of the union contain it again to be compared', hint)
      return
    }
    const message = `${found.one} and ${found.other} cannot be distinguished in JSON`
    if (overloads === undefined) resolver.reject(place, 'RPC123', message, hint)
    else {
      const apart = `${hint}; or export one function for each overload`
      const both = `the overloads ${overloads} ${found.one} and ${found.other}, which JSON does not distinguish`
      resolver.reject(place, 'RPC123', both, apart)
    }
  }
}

/** Rejects unions in which a value of a custom scalar cannot be distinguished from other objects before it is encoded. */
function rejectUnguarded({ scalars, unions, reject }: Resolver, types: TypesByName): void {
  const unguarded = new Set(scalars.all.flatMap(({ name, isGuarded }) => (isGuarded ? [] : [name])))
  if (unguarded.size === 0) return
  for (const { branches, place } of unions) {
    const objects = branches.flatMap((each) => flatten(each, types)).filter(({ kind }) => !primitiveKinds.has(kind))
    const found = objects.find((each) => each.kind === 'custom' && unguarded.has(each.name))
    if (found?.kind !== 'custom' || objects.every((each) => each === found)) continue
    const message = `${found.name} is in a union with other objects, and its codec does not distinguish them`
    reject(place, 'RPC150', message, `give it one more function: is: (value) => value instanceof ${found.name}`)
  }
}

/** Kinds whose values are not objects in TypeScript. */
const primitiveKinds: ReadonlySet<ModelType['kind']> = new Set([
  ...(['int', 'double', 'number', 'bigint', 'string', 'template', 'boolean', 'literal'] as const),
  ...(['null', 'undefined', 'void'] as const),
])

function rejectEndless(resolver: Resolver, types: TypesByName): void {
  const endless = findEndless(types)
  // Wire types that contain their scalar are reported with the codecs.
  if (endless.some((key) => types.get(key)?.type.kind === 'custom')) return
  for (const key of endless) {
    const message = 'every value would contain another value of the type, without end'
    const place = resolver.table.firstUseOf(key)
    if (place) resolver.reject(place, 'RPC122', message, 'make a member that leads to it optional or nullable')
  }
}

/** More problems than a reader can use at once; a type of the platform has thousands. */
const mostShown = 6

/** Reports unsupported types, with a limit for each procedure. */
interface Rejections {
  reject(place: Place, code: DiagnosticCode, message: string, hint?: string): void
  /** Reports for each procedure how many problems were not shown. */
  finish(): void
}

/** The problems of one procedure, and the first one that was not shown. */
interface Rest {
  readonly seen: Set<string>
  first?: { readonly place: Place; readonly code: DiagnosticCode }
}

function createRejections(project: OpenProject): Rejections {
  const { problems } = project
  const rests = new Map<string, Rest>()
  return {
    reject(place, code, message, hint) {
      // After a syntax error TypeScript guesses types.
      if (isBroken(place.node.getSourceFile(), project)) return
      const hinted = hint === undefined ? {} : { hint }
      const { node, owner, path } = place
      if (owner === undefined) return problems.at(node, code, message, hinted)
      const rest = rests.get(owner) ?? { seen: new Set() }
      rests.set(owner, rest)
      rest.seen.add(`${code} ${path} ${message}`)
      if (rest.seen.size <= mostShown) problems.at(node, code, message, { path, ...hinted })
      else rest.first ??= { place, code }
    },
    finish() {
      for (const [owner, { seen, first }] of rests) {
        const count = seen.size - mostShown
        if (!first) continue
        const message = `there ${count === 1 ? 'is 1 more problem' : `are ${count} more problems`} in ${owner}`
        problems.at(first.place.node, first.code, message)
      }
    },
  }
}
