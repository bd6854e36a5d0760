import type { RpcContext } from '../call/types.js'
import type { OpenRpc } from '../description/openrpc.js'
import type { FunctionSignature, SignaturesOf } from './signatures.js'

/** The system procedures that `server.call` can call, of every server that has not left them out. */
export interface SystemProcedures {
  'system.listMethods': () => string[]
  'system.methodHelp': (name: string) => string
  'system.methodSignature': (name: string) => string[][]
  'rpc.discover': () => OpenRpc
}

/**
 * The name of a procedure. A constraint of `Name` with all names would make the compiler look into every procedure for the
 * arguments of one call.
 */
export type CallName<Procedures, Name extends string> = unknown extends Procedures
  ? Name
  : Name extends keyof Procedures | keyof SystemProcedures
    ? Name
    : (keyof Procedures | keyof SystemProcedures) & string

/** The type of a procedure, the user's or one of the system. */
export type FunctionOf<Procedures, Name> = Name extends keyof Procedures
  ? Procedures[Name]
  : Name extends keyof SystemProcedures
    ? SystemProcedures[Name]
    : never

/**
 * What `server.call` accepts after the name of a procedure: its parameters, by position or by name, which may be left out
 * if every one is optional, then the context. After a name that no procedure has, which is an error itself: anything.
 */
export type CallArguments<Fn, Params, Context> = [Fn] extends [never]
  ? // biome-ignore lint/suspicious/noExplicitAny: any arguments
    any
  : SignaturesOf<Fn> extends infer Signatures extends FunctionSignature[]
    ? ArgumentsOf<Positional<Signatures[number][0]>, Params, Context>
    : never

type ArgumentsOf<Positions extends readonly unknown[], Params, Context> = [] extends Positions
  ? [params?: Positions | Named<Positions, Params>, context?: Context]
  : [params: Positions | Named<Positions, Params>, context?: Context]

/** What a procedure returns, awaited. The parameters do not select an overload: the result is that of any of them. */
export type ResultOf<Fn> = Awaited<SignaturesOf<Fn>[number][1]>

/** The same over JSON; unknown without the types of the procedures over JSON. The system's procedures have JSON values. */
export type JsonResultOf<Json, Name> = Name extends keyof Json | keyof SystemProcedures
  ? ResultOf<FunctionOf<Json, Name>>
  : unknown

/** The parameters of a procedure by name; any object where the names are not known. */
export type ParamsIn<Params, Name> = Name extends keyof Params ? Params[Name] : Readonly<Record<string, unknown>>

/** By name each value may be that of any parameter, a rest parameter being a list: function types do not carry the names. */
type Named<Positions extends readonly unknown[], Params> = Params extends unknown
  ? { readonly [Name in keyof Params]: ValueOf<Positions, typeof whole extends keyof Params ? Name : never> }
  : never

/** The type of a member of the params object, if it is the only argument. */
type ValueOf<Positions extends readonly unknown[], Name> = [Name] extends [never]
  ? Positions[number] | (number extends Positions['length'] ? Positions : never)
  : MemberOf<Positions[0], Name>

type MemberOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never

declare const whole: unique symbol

/** The params object of a procedure that has it as its only argument: `@params object`. */
export type ParamsObject<T> = T & { readonly [whole]?: never }

/** The parameters by position, without those that the server fills. */
type Positional<Params extends readonly unknown[]> = Params extends unknown
  ? Readonly<[Extract<Params[number], RpcContext>] extends [never] ? Params : WithoutContext<Params>>
  : never

/** Parameters without those that the server fills; they lose their names. */
export type WithoutContext<Params extends readonly unknown[]> = Params extends readonly [infer First, ...infer Rest]
  ? IsContext<First> extends true
    ? WithoutContext<Rest>
    : [First, ...WithoutContext<Rest>]
  : Params['length'] extends 0
    ? Params
    : number extends Params['length']
      ? Params
      : Params extends readonly [(infer First)?, ...infer Rest]
        ? IsContext<First> extends true
          ? WithoutContext<Rest>
          : [First?, ...WithoutContext<Rest>]
        : Params

/** `any` and `undefined` are assignable to an optional context as well. */
type IsContext<T> = unknown extends T
  ? false
  : [T] extends [undefined]
    ? false
    : [T] extends [RpcContext | undefined]
      ? true
      : false
