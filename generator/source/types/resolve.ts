// A type of the checker to a type of the model: the first kind in `kinds` that accepts it resolves it, and the types inside of it:
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
import type { CommentReader } from '../constraints/comment-reader.js'
import { createConstrainer } from '../constraints/constrain.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isBroken } from '../program/sources.js'
import { resolveBuiltin } from './builtin.js'
import { rejectLibraryClass, resolveBare, resolveExtended } from './classes.js'
import { resolveCustom } from './custom.js'
import { rejectForeignRules } from './foreign-rules.js'
import { resolveArray, resolveTuple } from './list.js'
import { createTypeTable, nameSymbol, type TypeTable } from './naming.js'
import { resolveEnum, resolveLiteral, resolvePrimitive } from './primitive.js'
import { rejectContext, rejectData, rejectUnresolved, rejectUnsupported } from './rejected.js'
import type { PlacedUnion, ResolveKind, Resolver, Scalars } from './resolver.js'
import { resolveStruct } from './struct.js'
import { resolveBranded, resolveTagged } from './tagged.js'
import { resolveUnion, withoutNoInfer } from './union.js'
import { createWrittenTypes } from './written-types.js'

/**
 * The kinds in the order in which they are tried. The order matters: an unresolved type looks like `any`; a
 * tagged number is an intersection; an enum is a union, or a literal if it has one member; the checker treats Date, the bytes
 * and arrays as structs; a type with call signatures may have members too.
 */
const kinds: readonly ResolveKind[] = [
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

/** Deeper than types written by hand; bounds types that contain an ever larger instance of themselves. */
const maxDepth = 150

const hintForDepth =
  'declare inner levels as interfaces, and use the same type arguments in them: type Chain<T> = { next?: Chain<T> }'

const hintForMapped =
  'move the condition into the mapped type, so that the recursive type has a name: type Deep<T> = { [K in keyof T]?: T[K] extends Date ? T[K] : Deep<T[K]> }'

/** How many types are resolved inside of each other before a named one waits until they are finished: the stack is limited. */
const maxLevels = 50

/** How many characters of an infinite type's path are shown. */
const shownPath = 60

function shortened(place: Place): Place {
  return { ...place, path: `${place.path.slice(0, shownPath)}…` }
}

type DepthLimit = (type: ts.Type, place: Place) => ModelType | undefined

/**
 * Returns a function that rejects a type that nests too deeply, and then every further type of the same declaration: their number may
 * double at each level.
 */
function createDepthLimit({ reject }: Rejections): DepthLimit {
  const exceeded = new Set<string>()
  return (type, place) => {
    const declaration = declarationIn(place.path)
    if (exceeded.has(declaration)) return placeholderType
    if (place.depth <= maxDepth) return undefined
    exceeded.add(declaration)
    const message = `the type nests deeper than ${maxDepth} levels: it may be infinite`
    const isMapped = !type.aliasSymbol && type.symbol?.declarations?.some(ts.isMappedTypeNode)
    reject(shortened(place), 'RPC122', message, isMapped ? hintForMapped : hintForDepth)
    return placeholderType
  }
}

/** `moduleOf` returns the path of a module for the generated file. */
export function createResolver(
  project: OpenProject,
  moduleOf: (source: ts.SourceFile) => string,
  scalars: Scalars,
  reader: CommentReader,
): Resolver {
  const { checker } = project
  const table = createTypeTable(project, moduleOf)
  const unions: PlacedUnion[] = []
  const rejections = createRejections(project)
  const constrainer = createConstrainer(project, reader, table.byKey)
  const written = createWrittenTypes(project, constrainer)
  const nesting = createNesting(table, createDepthLimit(rejections), (type, place) => {
    const resolved = resolveByKind(type, place, resolver)
    return isNamed(resolved, type, table) ? resolved : withAlias(constrainer.byType(resolved, type, place), type)
  })
  const resolver: Resolver = {
    ...{ project, checker, scalars, moduleOf, unions, constrainer },
    ...{ types: table.types, typesByKey: table.byKey, placeOf: table.placeOf, rename: table.rename },
    noteUnion: (branches, place, overloads) => void unions.push({ branches, place, ...(overloads && { overloads }) }),
    checkWritten: written.check,
    unresolved: new Set(),
    resolve: nesting.resolve,
    resolvePart(type, place, step) {
      return resolver.resolve(type, { node: place.node, path: place.path + step, depth: place.depth + 1 })
    },
    named(type, place, build, isStruct = false) {
      const entry = table.enter(type, place)
      const declarations = nameSymbol(type)?.declarations ?? []
      for (const each of declarations) written.check(each, place)
      // The number of such types is finite.
      const isLimited = isStruct && !entry.anonymous && !entry.generic
      nesting.build(isLimited, () => {
        const model = build(isLimited ? { ...place, depth: 0 } : place)
        entry.type = constrainer.byComments(constrainer.byType(model, type, place), declarations)
      })
      return { kind: 'ref', name: entry.name }
    },
    reject(place, code, message, hint) {
      rejections.reject(place, code, message, hint)
      return placeholderType
    },
    finish() {
      written.report(resolver)
      rejections.finish()
    },
  }
  return resolver
}

/** `Sku` of `type Sku = string & Pattern<'…'>` or a template: the name of its definition, if several types and procedures need it. */
function withAlias(model: ModelType, { aliasSymbol, aliasTypeArguments }: ts.Type): ModelType {
  const isLong = model.constraints !== undefined || model.kind === 'template'
  return isLong && aliasSymbol && !aliasTypeArguments ? { ...model, alias: aliasSymbol.name } : model
}

/** True for a reference to the type itself, whose definition contains the constraints. */
function isNamed(resolved: ModelType, type: ts.Type, table: TypeTable): boolean {
  return resolved.kind === 'ref' && table.find(type)?.name === resolved.name
}

function resolveByKind(type: ts.Type, place: Place, resolver: Resolver): ModelType {
  for (const kind of kinds) {
    const resolved = kind(type, place, resolver)
    if (resolved) return resolved
  }
  return resolver.reject(place, 'RPC121', `${resolver.checker.typeToString(type)} is not supported`)
}

type Resolve = Resolver['resolve']

/** Resolves types inside of each other. */
interface Nesting {
  readonly resolve: Resolve
  /** Builds the model of a named type: at once, or after the outermost type if it may wait and the nesting is deep. */
  build(mayWait: boolean, complete: () => void): void
}

/**
 * Refers to a type that has a name already. Names a recursive type without a name, such as the result of a conditional type, when it
 * occurs again.
 */
function createNesting(table: TypeTable, limit: DepthLimit, resolve: Resolve): Nesting {
  const open = new Set<ts.Type>()
  const waiting: (() => void)[] = []
  return {
    resolve(given, place) {
      const type = withoutNoInfer(given)
      const known = table.find(type) ?? (open.has(type) ? table.enter(type, place) : undefined)
      if (known) return { kind: 'ref', name: known.name }
      open.add(type)
      const resolved = limit(type, place) ?? resolve(type, place)
      if (open.size === 1) {
        // The list grows while it is iterated.
        for (const complete of waiting) complete()
        waiting.length = 0
      }
      open.delete(type)
      const entry = table.find(type)
      if (!entry || isNamed(resolved, type, table)) return resolved
      entry.type = resolved
      return { kind: 'ref', name: entry.name }
    },
    build(mayWait, complete) {
      if (mayWait && open.size > maxLevels) waiting.push(complete)
      else complete()
    },
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
  const endless = findEndless(resolver.types, types)
  // Wire types that contain their scalar are reported with the codecs.
  if (endless.some(({ type }) => type.kind === 'custom')) return
  for (const { name } of endless) {
    const message = 'every value would contain another value of the type, without end'
    const place = resolver.placeOf(name)
    if (place) resolver.reject(place, 'RPC122', message, 'make a member that leads to it optional or nullable')
  }
}

/** More problems than a reader can use at once; a type of the platform has thousands. */
const mostShown = 6

/** Reports unsupported types, with a limit for each declaration. */
interface Rejections {
  reject(place: Place, code: DiagnosticCode, message: string, hint?: string): void
  /** Reports for each declaration how many problems were not shown. */
  finish(): void
}

/** The problems of one declaration that were not shown: their number and first place. */
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
      // A problem of the file, which no declaration contains.
      if (place.path === '') return problems.at(place.node, code, message, hinted)
      const declaration = declarationIn(place.path)
      const rest = rests.get(declaration) ?? { seen: new Set() }
      rests.set(declaration, rest)
      rest.seen.add(`${code} ${place.path} ${message}`)
      if (rest.seen.size <= mostShown) {
        problems.at(place.node, code, message, { path: place.path, ...hinted })
      } else rest.first ??= { place, code }
    },
    finish() {
      for (const [declaration, { seen, first }] of rests) {
        const count = seen.size - mostShown
        if (!first) continue
        const message = `there ${count === 1 ? 'is 1 more problem' : `are ${count} more problems`} in ${declaration}`
        problems.at(first.place.node, first.code, message)
      }
    },
  }
}

/** `createOrder` of `createOrder(draft).lines[]`. */
function declarationIn(path: string): string {
  const end = path.indexOf('(')
  return end === -1 ? path : path.slice(0, end)
}
