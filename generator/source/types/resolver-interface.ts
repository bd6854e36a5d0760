// What the resolvers of types share: a kind gets a type, its place and the Resolver, and returns the model or undefined:
//
//   resolveArray(Line[], place, resolver)  →  { kind: 'array', element: { kind: 'ref', name: '0' } }
import type { ts } from 'ts-morph'
import type { ScalarSchema } from '../../../runtime/values/scalar-codec.js'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import type { ModelType } from '../../model/model.js'
import type { FoundType } from '../../model/part.js'
import type { ModuleTags } from '../comments/module-tags.js'
import type { Constrainer } from '../constraints/constrainer.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'

/** The analysis of one source, which is the only one of `sources`; `problems` are its own. */
export interface Analysis extends OpenProject {
  readonly codecs: Codecs
  readonly tagsOf: (source: ts.SourceFile) => ModuleTags
  /** The sources that may have constraint tags in their comments. */
  readonly sourcesWithTags: ReadonlySet<ts.SourceFile>
  /** The same object for all sources. */
  readonly checked: CheckedTypes
}

/** The written types that were checked so far: one that several sources use is reported with the first of them. */
export interface CheckedTypes {
  readonly types: Set<ts.Node>
  /** Further ones, of members without a value: an unknown name in them is reported once they have one. */
  readonly members: Set<ts.Node>
  /** Those that are not resolved, which are reported where they are. */
  readonly unresolved: Set<ts.Node>
}

/** Resolves one kind of type; undefined if the type is of another kind. */
export type ResolveKind = (type: ts.Type, place: Place, resolver: Resolver) => KindResult | undefined

/** What a kind finds: the model of the type, or how to make it when the type has a key. */
export type KindResult = ModelType | TypeDefinition

/** A type that is written once, and referred to by the types inside of it. */
export interface TypeDefinition {
  readonly define: (place: Place) => ModelType
  /** True if it may be defined after the types around it: the stack is limited. */
  readonly mayWait?: boolean
}

/** State and functions that the kinds share while types are resolved. */
export interface Resolver {
  readonly project: OpenProject
  readonly checker: ts.TypeChecker
  resolve(type: ts.Type, place: Place): ModelType
  /** Resolves an inner type: `step` is added to the path. */
  resolveInner(type: ts.Type, place: Place, step: string): ModelType
  /** Reports an unsupported type, and returns a placeholder. */
  reject(place: Place, code: DiagnosticCode, message: string, hint?: string): ModelType
  /** Checks a written type: unknown names are not visible in the checker's type. */
  checkWritten(node: ts.Node | undefined, place: Place): void
  readonly constrainer: Constrainer
  /** The types that have codecs. */
  readonly codecs: Codecs
  readonly table: FoundTypes
  readonly checked: CheckedTypes
  /** The unions so far, which are checked once every type is known. */
  readonly unions: PlacedUnion[]
}

/** The types that are written once and referred to by key. */
export interface FoundTypes {
  /** In the order of first use. */
  readonly types: readonly FoundType[]
  /** The same by key, up to date at any time. */
  readonly byKey: ReadonlyMap<string, FoundType>
  /** Names a type without a name in the source after a declaration: the data of an error after its class. */
  rename(key: string, name: string, symbol: ts.Symbol): void
  /** Where a type was used first. */
  firstUseOf(key: string): Place | undefined
}

/** A union and its position. */
export interface PlacedUnion {
  readonly branches: readonly ModelType[]
  readonly place: Place
  /** Set if the union is not in the source: the results of several overloads, or their parameters at one position. */
  readonly overloads?: 'return' | 'accept'
}

/** A codec in the configuration. */
export interface Codec {
  /** Its name there. */
  readonly name: string
  readonly source: ts.SourceFile
  /** The export of the module. */
  readonly export: string
  /** The type whose values it converts. */
  readonly type: ts.Type
  /** The type that is sent, and its position. */
  readonly wire: ts.Type
  readonly node: ts.Node
  /** True if it has `is`, which recognises values of the type without encoding them. */
  readonly isGuarded: boolean
  readonly schema: ScalarSchema | undefined
}

/** The codecs of a run. */
export interface Codecs {
  readonly all: readonly Codec[]
  /** Returns the codec of a type. */
  find(type: ts.Type): Codec | undefined
  /** Names of types whose codec is missing or wrong, which is reported. */
  readonly failed: readonly string[]
  /** True for a type that has one of these names. */
  isFailed(type: ts.Type): boolean
}
