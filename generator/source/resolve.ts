import type { ts } from 'ts-morph'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { DiagnosticCode } from '../diagnostic.js'
import { findAmbiguity } from '../model/ambiguity.js'
import { findEndless, wayOf } from '../model/endless.js'
import { flatten } from '../model/forms.js'
import type { ModelType } from '../model/model.js'
import { createConstrainer } from './constraints/constrain.js'
import { createTypeTable, type Entry, nameSymbol, type TypeTable, unknownYet } from './naming.js'
import type { Place, Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import { isBroken } from './project/sources.js'
import type { PlacedUnion, ResolveKind, Resolver, Scalars } from './resolver.js'
import { resolveBranded } from './types/brand.js'
import { resolveBuiltin } from './types/builtin.js'
import { refuseLibraryClass, resolveExtended } from './types/classes.js'
import { resolveCustom } from './types/custom.js'
import { resolveArray, resolveTuple } from './types/list.js'
import { resolveEnum, resolveLiteral, resolvePrimitive } from './types/primitive.js'
import { refuseContext, refuseUnresolved, refuseUntravelling } from './types/refused.js'
import { resolveStruct } from './types/struct.js'
import { resolveTagged } from './types/tagged.js'
import { inferable, resolveUnion } from './types/union.js'
import { createWrittenTypes } from './written-types.js'

/**
 * The kinds in the order in which they are asked. The order is meaning: a type that is not resolved looks like `any`; a
 * tagged number is an intersection; an enum is a union, of one member a literal; Date and the bytes are structs to the
 * checker, an array too; what has call signatures may have members beside them.
 */
const kinds: readonly ResolveKind[] = [
  refuseUnresolved,
  resolveCustom,
  resolvePrimitive,
  resolveTagged,
  resolveEnum,
  resolveLiteral,
  resolveUnion,
  resolveBuiltin,
  resolveBranded,
  resolveArray,
  resolveTuple,
  refuseLibraryClass,
  resolveExtended,
  refuseUntravelling,
  refuseContext,
  resolveStruct,
]

/** Deeper than any hand-written type; a type that contains an ever larger instance of itself ends here. */
const maxDepth = 40

const tooDeep = `the type nests deeper than ${maxDepth} levels: it may never end`
const tooDeepHint = 'let it contain itself with the same type arguments: type Chain<T> = { item: T; next?: Chain<T> }'

/** How much is shown of the path of a type that never ends. */
const shownPath = 60

function shortened(place: Place): Place {
  return { ...place, path: `${place.path.slice(0, shownPath)}…` }
}

/** `moduleOf` tells how the generated file names a module. */
export function createResolver(
  project: OpenProject,
  problems: Problems,
  moduleOf: (source: ts.SourceFile) => string,
  scalars: Scalars,
): Resolver {
  const table = createTypeTable(project, moduleOf)
  const unions: PlacedUnion[] = []
  const refusals = createRefusals(project, problems)
  const constrainer = createConstrainer(project, problems, table.byName)
  const written = createWrittenTypes(project.checker, problems, constrainer)
  const resolver: Resolver = {
    ...{ project, scalars, moduleOf, unions, constrainer },
    checker: project.checker,
    types: table.types,
    typesByName: table.byName,
    noteUnion: (branches, place, overloads) => void unions.push({ branches, place, ...(overloads && { overloads }) }),
    checkWritten: written.check,
    resolve: closingCircles(table, (type, place) => {
      if (place.depth > maxDepth) return resolver.refuse(shortened(place), 'RPC122', tooDeep, tooDeepHint)
      const resolved = resolveByKind(type, place, resolver)
      return isNamed(resolved, type, table) ? resolved : constrainer.byType(resolved, type, place)
    }),
    resolvePart(type, place, step) {
      return resolver.resolve(type, { node: place.node, path: place.path + step, depth: place.depth + 1 })
    },
    named(type, place, build) {
      const known = table.find(type)
      if (known) return { kind: 'ref', name: known.name }
      const entry = table.enter(type, place)
      const declarations = nameSymbol(type)?.declarations ?? []
      for (const each of declarations) written.check(each, place)
      entry.type = constrainer.byComments(constrainer.byType(build(place), type, place), declarations)
      return { kind: 'ref', name: entry.name }
    },
    refuse(place, code, message, hint) {
      refusals.refuse(place, code, message, hint)
      return unknownYet
    },
    placeOf: table.placeOf,
    finish() {
      constrainer.finish()
      written.report(resolver)
      refusals.finish()
    },
  }
  return resolver
}

/** True for a reference to the type itself, which has its constraints inside. */
function isNamed(resolved: ModelType, type: ts.Type, table: TypeTable): boolean {
  return resolved.kind === 'ref' && table.find(type)?.name === resolved.name
}

function resolveByKind(type: ts.Type, place: Place, resolver: Resolver): ModelType {
  for (const kind of kinds) {
    const resolved = kind(type, place, resolver)
    if (resolved) return resolved
  }
  return resolver.refuse(place, 'RPC121', `${resolver.checker.typeToString(type)} cannot travel`)
}

type Resolve = Resolver['resolve']

/** A type that contains itself and has no name of its own, such as what a conditional type makes, gets one when it comes again. */
function closingCircles(table: TypeTable, resolve: Resolve): Resolve {
  const open = new Set<ts.Type>()
  const closed = new Map<ts.Type, Entry>()
  return (given, place) => {
    const type = inferable(given)
    const known = closed.get(type)
    if (known) return { kind: 'ref', name: known.name }
    if (open.has(type) && !table.find(type)) {
      const entry = table.enter(type, place)
      closed.set(type, entry)
      return { kind: 'ref', name: entry.name }
    }
    open.add(type)
    const resolved = resolve(type, place)
    open.delete(type)
    const entry = closed.get(type)
    if (!entry) return resolved
    entry.type = resolved
    return { kind: 'ref', name: entry.name }
  }
}

/** Reports what can be said of types once all of them are known. */
export function checkTypes(resolver: Resolver, types: TypesByName): void {
  refuseAmbiguous(resolver, types)
  refuseUnguarded(resolver, types)
  refuseEndless(resolver, types)
}

function refuseAmbiguous(resolver: Resolver, types: TypesByName): void {
  for (const { branches, place, overloads } of resolver.unions) {
    const found = findAmbiguity(branches, types, overloads !== undefined)
    if (!found) continue
    const message = `${found.one} and ${found.other} look alike in JSON: nobody could tell which was meant`
    const hint = "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }"
    if (overloads === undefined) resolver.refuse(place, 'RPC123', message, hint)
    else {
      const apart = `${hint}; or export one function for each overload`
      resolver.refuse(place, 'RPC123', `of what the overloads ${overloads}, ${message}`, apart)
    }
  }
}

/** Refuses unions in which nothing tells a value of a custom scalar from another object before it is encoded. */
function refuseUnguarded({ scalars, unions, refuse }: Resolver, types: TypesByName): void {
  const unguarded = new Set(scalars.all.flatMap(({ name, isGuarded }) => (isGuarded ? [] : [name])))
  if (unguarded.size === 0) return
  for (const { branches, place } of unions) {
    const objects = branches.flatMap((each) => flatten(each, types)).filter(({ kind }) => objectKinds.has(kind))
    const found = objects.find((each) => each.kind === 'custom' && unguarded.has(each.name))
    if (found?.kind !== 'custom' || objects.every((each) => each === found)) continue
    const message = `${found.name} is in a union with other objects, and its codec does not tell them apart`
    refuse(place, 'RPC150', message, `give it one more function: is: (value) => value instanceof ${found.name}`)
  }
}

/** Kinds whose values are objects in TypeScript. */
const objectKinds: ReadonlySet<ModelType['kind']> = new Set([
  ...(['custom', 'struct', 'map', 'array', 'set', 'tuple', 'date', 'url', 'bytes', 'any'] as const),
])

function refuseEndless(resolver: Resolver, types: TypesByName): void {
  for (const { name, circle } of findEndless(resolver.types, types)) {
    const place = resolver.placeOf(name)
    // Wire types that contain their scalar are reported with the codecs.
    if (!place || circle.some(({ from }) => types.get(from)?.type.kind === 'custom')) continue
    const way = wayOf(circle)
    const [, member = ''] = /^\.([^.[]+)/.exec(way) ?? []
    const hint = `let a member on the way be left out, or be null${member === '' ? '' : `: ${member}?: …`}`
    const message = 'every value contains another one of its own type, without end'
    resolver.refuse({ ...place, path: place.path + way }, 'RPC122', message, hint)
  }
}

/** More problems than a reader works off at once; a type of the platform has thousands. */
const mostShown = 6

/** Reports what types cannot be used, and of each declaration no more than a few. */
interface Refusals {
  refuse(place: Place, code: DiagnosticCode, message: string, hint?: string): void
  /** Says of each declaration how many problems were not shown. */
  finish(): void
}

/** What was kept back of one declaration: how much, and where it begins. */
interface Rest {
  readonly seen: Set<string>
  first?: { readonly place: Place; readonly code: DiagnosticCode }
}

function createRefusals(project: OpenProject, problems: Problems): Refusals {
  const rests = new Map<string, Rest>()
  return {
    refuse(place, code, message, hint) {
      // What TypeScript could not read it guesses at.
      if (isBroken(place.node.getSourceFile(), project)) return
      const declaration = declarationIn(place.path)
      const rest = rests.get(declaration) ?? { seen: new Set() }
      rests.set(declaration, rest)
      rest.seen.add(`${code} ${place.path} ${message}`)
      if (rest.seen.size <= mostShown) {
        problems.at(place.node, code, message, { path: place.path, ...(hint === undefined ? {} : { hint }) })
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
