import type { ts } from 'ts-morph'
import type { ModelType } from '../model/model.js'
import { createConstrainer } from './constraints/constrain.js'
import { createTypeTable, type Entry, nameSymbol, type TypeTable, unknownYet } from './naming.js'
import type { Place, Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import { createRefusals } from './refusals.js'
import type { PlacedUnion, ResolveKind, Resolver, Scalars } from './resolver.js'
import { resolveArray } from './types/array.js'
import { resolveBranded } from './types/brand.js'
import { resolveBuiltin } from './types/builtin.js'
import { refuseContext } from './types/context.js'
import { resolveCustom } from './types/custom.js'
import { resolveEnum } from './types/enum.js'
import { resolveExtended } from './types/extended.js'
import { refuseLibraryClass } from './types/library-class.js'
import { resolveLiteral } from './types/literal.js'
import { inferable } from './types/no-infer.js'
import { resolvePrimitive } from './types/primitive.js'
import { refuseUnresolved, refuseUntravelling } from './types/refused.js'
import { resolveStruct } from './types/struct.js'
import { resolveTagged } from './types/tagged.js'
import { resolveTuple } from './types/tuple.js'
import { resolveUnion } from './types/union.js'
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
