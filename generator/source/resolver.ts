import type { ts } from 'ts-morph'
import type { ScalarSchema } from '../../runtime/values/scalar-codec.js'
import type { DiagnosticCode } from '../diagnostic.js'
import type { ModelType, OverloadModel, ParamModel, ReturnsModel } from '../model/model.js'
import type { FoundType } from '../model/part.js'
import type { Constrainer } from './constraints/constrain.js'
import type { Place } from './problems.js'
import type { OpenProject } from './project/project.js'

/** Resolves one kind of type; undefined when the type is not of that kind. */
export type ResolveKind = (type: ts.Type, place: Place, resolver: Resolver) => ModelType | undefined

/** What the kinds share while types are resolved. */
export interface Resolver {
  readonly project: OpenProject
  readonly checker: ts.TypeChecker
  resolve(type: ts.Type, place: Place): ModelType
  /** Resolves a part of a type: `step` is added to the path. */
  resolvePart(type: ts.Type, place: Place, step: string): ModelType
  /** Makes a type one that is written once, and returns the reference to it. */
  named(type: ts.Type, place: Place, build: (place: Place) => ModelType): ModelType
  /** Reports that a type cannot be used, and answers something to go on with. */
  refuse(place: Place, code: DiagnosticCode, message: string, hint?: string): ModelType
  /** Says how many problems were not shown; to be called once, at the end. */
  finish(): void
  /** Notes the branches of a union, to be looked at once every type is known. */
  noteUnion(branches: readonly ModelType[], place: Place, overloads?: PlacedUnion['overloads']): void
  /** Checks a type as it is written in the source: what the checker does not know there is lost in the type. */
  checkWritten(node: ts.Node | undefined, place: Place): void
  readonly constrainer: Constrainer
  /** The types that have codecs. */
  readonly scalars: Scalars
  /** How the generated file names a module. */
  readonly moduleOf: (source: ts.SourceFile) => string
  /** Every type that was named, in the order of first use. */
  readonly types: readonly FoundType[]
  /** The same by their keys, at every time. */
  readonly typesByName: ReadonlyMap<string, FoundType>
  /** Where a named type was used first. */
  placeOf(name: string): Place | undefined
  readonly unions: readonly PlacedUnion[]
}

/** A union and where it stands. */
export interface PlacedUnion {
  readonly branches: readonly ModelType[]
  readonly place: Place
  /** Set where nobody wrote the union: what each of several overloads answers, or takes at one position. */
  readonly overloads?: 'answer' | 'take'
}

/** A codec that the configuration names. */
export interface FoundScalar {
  /** Its name there. */
  readonly name: string
  readonly source: ts.SourceFile
  /** The name that the module exports it by. */
  readonly export: string
  /** The type whose values it converts. */
  readonly type: ts.Type
  /** The type that is sent, and where it is written. */
  readonly wire: ts.Type
  readonly node: ts.Node
  /** True if it has `is`, so that a value is known to be of the type without encoding it. */
  readonly isGuarded: boolean
  readonly schema: ScalarSchema | undefined
}

/** The codecs of a run. */
export interface Scalars {
  readonly all: readonly FoundScalar[]
  /** Returns the codec of a type. */
  find(type: ts.Type): FoundScalar | undefined
  /** Names of types whose codec is missing or wrong, which is reported. */
  readonly failed: readonly string[]
  /** True for a type that has one of these names. */
  isFailed(type: ts.Type): boolean
}

/** What the types say of a function: parameters on the wire, where the context goes, the awaited result. */
export interface ResolvedSignature {
  readonly params: readonly ParamModel[]
  readonly contextAt: readonly number[]
  readonly contextNames: readonly string[]
  readonly returns: Pick<ReturnsModel, 'type' | 'promise'>
  /** True if it returns an AsyncIterable, whose items `returns` describes. */
  readonly subscription?: boolean
  /** Where there are several signatures: each of them. */
  readonly overloads?: readonly OverloadModel[]
}
