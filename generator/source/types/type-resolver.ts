// A type of the checker to a type of the model: the first of `resolvers` that accepts it resolves it, and the types inside of it. `checkTypes`
// completes the types when all of them are known:
//
//   Order[]  →  { kind: 'array', element: { kind: 'ref', name: '0' } }, where '0' is the key of Order
import type { ts } from 'ts-morph'
import { flatten } from '../../../runtime/description/described-types.js'
import type { TypesByName } from '../../../runtime/description/description.js'
import { findAmbiguity } from '../../model/ambiguity.js'
import { createUnions, type Unions } from '../../model/disjoint.js'
import { findEndless } from '../../model/endless.js'
import { type ModelType, placeholderType } from '../../model/model.js'
import type { FoundType } from '../../model/part.js'
import { Constrainer } from '../constraints/constrainer.js'
import { withoutNoInfer } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { resolveBuiltin } from './builtin.js'
import { rejectLibraryClass, resolveBare, resolveExtended } from './classes.js'
import { resolveCustom } from './codecs.js'
import { resolveEnum } from './enum.js'
import { rejectForeignRules } from './foreign-rules.js'
import { resolveArray, resolveTuple } from './list.js'
import { nameSymbol, TypeTable } from './naming.js'
import { resolveBranded, resolveLiteral, resolvePrimitive, resolvePrimitiveIntersection } from './primitive.js'
import { RejectionReport, rejectContext, rejectData, rejectUnsupported } from './rejected.js'
import type {
  Analysis,
  CheckedTypes,
  Codecs,
  KindResult,
  PlacedUnion,
  ResolveKind,
  Resolver,
  TypeDefinition,
} from './resolver-interface.js'
import { resolveStruct } from './struct.js'
import { resolveUnion } from './union.js'
import { rejectUnresolved, WrittenTypes } from './unresolved.js'

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
  resolvePrimitiveIntersection,
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
const MAX_LEVELS = 50

/** Resolves the types of one source: of each it finds the kind, and then makes the model. */
export class TypeResolver implements Resolver {
  readonly project: OpenProject
  readonly checker: ts.TypeChecker
  readonly codecs: Codecs
  readonly table: TypeTable
  readonly checked: CheckedTypes
  readonly constrainer: Constrainer
  readonly unions: PlacedUnion[] = []
  readonly #written: WrittenTypes
  readonly #report: RejectionReport
  /** The types that are being resolved, and the definitions that wait for them. */
  readonly #open = new Set<ts.Type>()
  readonly #waiting: (() => void)[] = []

  constructor(analysis: Omit<Analysis, 'tagsOf'>) {
    this.project = analysis
    this.checker = analysis.checker
    this.codecs = analysis.codecs
    this.checked = analysis.checked
    this.table = new TypeTable(analysis)
    this.constrainer = new Constrainer(analysis, analysis.sourcesWithTags, this.table.byKey)
    this.#written = new WrittenTypes(this)
    this.#report = new RejectionReport(analysis)
  }

  /**
   * Returns the model of a type: a reference, if the type has a key. The resolvers of the kinds ignore constraint types in an
   * intersection; their constraints are added here.
   */
  resolve(given: ts.Type, place: Place): ModelType {
    const type = withoutNoInfer(given)
    // A type that contains itself and is not defined, such as the result of a conditional type, gets its key here.
    const known = this.table.find(type) ?? (this.#open.has(type) ? this.table.enter(type, place) : undefined)
    if (known) return referenceTo(known)
    this.#open.add(type)
    const found = this.#report.isTooDeep(type, place) ? placeholderType : this.#findKind(type, place)
    const model =
      'define' in found
        ? this.#define(type, found, place)
        : withAlias(this.constrainer.withConstraintTypes(found, type, place), type)
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
    // An anonymous type, or one with such arguments, may contain ever larger ones: only depth ends it, so it keeps its depth and does not wait.
    const mayPostpone = mayWait && !entry.anonymous && !entry.generic
    const complete = () => {
      const model = define(mayPostpone ? { ...place, depth: 0 } : place)
      entry.type = this.constrainer.withCommentTags(
        this.constrainer.withConstraintTypes(model, type, place),
        declarations,
      )
    }
    if (mayPostpone && this.#open.size > MAX_LEVELS) this.#waiting.push(complete)
    else complete()
    return referenceTo(entry)
  }

  #defineWaiting(): void {
    // The list grows while it is iterated.
    for (const complete of this.#waiting) complete()
    this.#waiting.length = 0
  }

  resolveInner(type: ts.Type, place: Place, step: string): ModelType {
    return this.resolve(type, { ...place, path: place.path + step, depth: place.depth + 1 })
  }

  checkWritten(node: ts.Node | undefined, place: Place): void {
    this.#written.check(node, place)
  }

  readonly reject: Resolver['reject'] = (place, code, message, hint) => {
    this.#report.reject(place, code, message, hint)
    return placeholderType
  }

  /** Checks the types without a value, and reports how many problems were not shown. Called once, at the end. */
  finish(): void {
    this.#written.checkMembers()
    this.#report.reportOmitted()
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

/** Completes the types once all of them are known, and reports problems that can only be found then. Returns what decides their unions. */
export function checkTypes(resolver: Resolver): Unions {
  const types = resolver.table.byKey
  // Types that contain themselves get their constraints here, which patterns, discriminants and defaults depend on.
  resolver.constrainer.settle()
  const unions = createUnions(types)
  rejectAmbiguous(resolver, unions)
  rejectUnguarded(resolver, types)
  rejectEndless(resolver, types)
  return unions
}

function rejectAmbiguous(resolver: Resolver, all: Unions): void {
  for (const { branches, place, overloads } of resolver.unions) {
    const found = findAmbiguity(branches, all, overloads !== undefined)
    if (!found) continue
    if (found === 'unknown') {
      resolver.reject(place, 'RPC122', 'too many branches of the union contain it again to be compared', tagHint)
      return
    }
    const hint = hintForAmbiguity(found.one, found.other)
    const message = `${found.one} and ${found.other} cannot be distinguished in JSON`
    if (overloads === undefined) resolver.reject(place, 'RPC123', message, hint)
    else {
      const apart = `${hint}; or export one function for each overload`
      const both = `the overloads ${overloads} ${found.one} and ${found.other}, which JSON does not distinguish`
      resolver.reject(place, 'RPC123', both, apart)
    }
  }
}

const tagHint = "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }"

function hintForAmbiguity(...pair: readonly string[]): string {
  if (pair.includes('Set') && pair.includes('array')) return 'declare one of them: both are lists in JSON'
  const isNumber = pair.some((each) => /^(?:number|Int|Double)$/.test(each))
  if (pair.includes('bigint') && isNumber) return 'declare bigint alone: it accepts every integer'
  const other = pair.find((each) => each !== 'string')
  return pair.includes('string') ? `declare ${other} alone, or ${tagHint}` : tagHint
}

/** Rejects unions in which a value of a custom scalar cannot be distinguished from other objects before it is encoded. */
function rejectUnguarded({ codecs, unions, reject }: Resolver, types: TypesByName): void {
  const unguarded = new Set(codecs.all.flatMap(({ name, isGuarded }) => (isGuarded ? [] : [name])))
  if (unguarded.size === 0) return
  for (const { branches, place } of unions) {
    const objects = branches.flatMap((each) => flatten(each, types)).filter(({ kind }) => !isPrimitive[kind])
    const found = objects.find((each) => each.kind === 'custom' && unguarded.has(each.name))
    if (found?.kind !== 'custom' || objects.every((each) => each === found)) continue
    const message = `${found.name} is in a union with other objects, and its codec does not distinguish them`
    reject(place, 'RPC150', message, `give it one more function: is: (value) => value instanceof ${found.name}`)
  }
}

/** Kinds whose values are not objects in TypeScript. */
const isPrimitive: Readonly<Record<ModelType['kind'], boolean>> = {
  ...{
    int: true,
    double: true,
    number: true,
    bigint: true,
    string: true,
    template: true,
    boolean: true,
    literal: true,
  },
  ...{ null: true, undefined: true, void: true },
  ...{ any: false, date: false, url: false, bytes: false, custom: false, ref: false },
  ...{ array: false, set: false, tuple: false, struct: false, map: false, union: false },
}

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
