import type { RpcContext } from '../call/types.js'
import type { WithoutContext } from './typed-call.js'

/** The functions of `Actual` with the types of `Types`: editors show the docs and the declarations of the source. */
export type Retyped<Actual, Types> = {
  readonly [Name in keyof Actual]: Name extends keyof Types ? Types[Name] : never
}

/** Functions as callers see them: without the parameters that the server fills with the context. */
export type OmitContext<Functions> = { readonly [Name in keyof Functions]: FunctionWithoutContext<Functions[Name]> }

type FunctionWithoutContext<Fn> = Fn extends (...args: infer Params) => infer Result
  ? [Extract<Params[number], RpcContext>] extends [never]
    ? Fn
    : (...args: WithoutContext<Params>) => Result
  : Fn

/**
 * `T`, if each function is still assignable to its type when the module was generated. Otherwise a type that cannot be used in its
 * place and names the procedures that have changed.
 */
export type IfUpToDate<Actual, Compiled, T> = [Actual] extends [Compiled]
  ? T
  : RunRpcGenAgain<Changed<Actual, Compiled>>

/** Replaces a type while the generated module is out of date. */
export interface RunRpcGenAgain<Procedures> {
  readonly 'the generated module is out of date: run rpc-gen again': Procedures
}

type Changed<Actual, Compiled> = {
  [Name in keyof Compiled]: Name extends keyof Actual ? ([Actual[Name]] extends [Compiled[Name]] ? never : Name) : Name
}[keyof Compiled]

/**
 * The functions of a module that are procedures under other names, with their docs and declarations:
 * `Renamed<typeof users, { create: 'user.create' }>` has a member `user.create`.
 */
export type Renamed<Source, Names, Keys extends keyof Source = keyof Source & keyof Names> = Renaming<
  Source,
  Names,
  Keys
>['members']

/**
 * TypeScript links the members of a mapped type to their declarations, and so to their docs, unless its `as` clause
 * gives them other names. It checks whether the clause, before any type is known, is assignable to the key; what
 * `this` adds later is not considered. So the clause is `any` here and the names come with the interface below.
 */
interface Linked<Source, Keys extends keyof Source> {
  // biome-ignore lint/suspicious/noExplicitAny: assignable to every key, see above
  names: any
  members: { readonly [Name in Keys as this['names'][Name]]: Source[Name] }
}

interface Renaming<Source, Names, Keys extends keyof Source> extends Linked<Source, Keys> {
  names: Names
}
