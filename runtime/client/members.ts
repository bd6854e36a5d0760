// The members of a client: `client.user.create(…)` calls `user.create`. Their types come first, then the object that makes them.
import type { Renamed } from '../types/generated.js'
import type { FunctionSignature, SignaturesOf } from '../types/signatures.js'
import type { RpcParams } from '../values/types.js'

/** The result of using a procedure, by the way in which it is used: called by position or by name, sent as a notification, or described for a batch. */
interface Outcomes<Result> {
  call: Called<Awaited<Result>>
  named: Called<Awaited<Result>>
  /** There is no response. */
  notify: Promise<void>
  describe: RpcRequest<Awaited<Result>>
  'describe-named': RpcRequest<Awaited<Result>>
  'describe-notify': RpcRequest<void>
}

/** A subscription returns its items. `any`, `never` and, without `strictNullChecks`, null and undefined extend one, and are not subscriptions. */
type Called<Result> = 0 extends 1 & Result
  ? Promise<Result>
  : [Result] extends [null | undefined]
    ? Promise<Result>
    : [Result] extends [AsyncIterable<infer Item>]
      ? AsyncIterableIterator<Item>
      : Promise<Result>

/** How the members of an object use procedures. */
type CallStyle = keyof Outcomes<unknown>

/** A remote procedure with the parameters of its declaration, one signature for each overload. */
type Remote<F, S extends CallStyle> = Overloads<SignaturesOf<F>, S>

/**
 * A remote procedure called by the names of its parameters. These do not select an overload: the result is of any
 * of them.
 */
type RemoteNamed<F, Named, S extends CallStyle> =
  SignaturesOf<F> extends infer Signatures extends FunctionSignature[]
    ? (...params: NamedParams<Named>) => Outcomes<Signatures[number][1]>[S]
    : never

/** Optional if every one of them is optional. */
type NamedParams<Named> = Record<never, never> extends Named ? [params?: Named] : [params: Named]

type Overloads<Signatures extends FunctionSignature[], S extends CallStyle> = Signatures extends [
  [infer Params extends unknown[], infer Result],
  ...infer Rest extends FunctionSignature[],
]
  ? ((...params: Params) => Outcomes<Result>[S]) & Overloads<Rest, S>
  : unknown

declare const resultOf: unique symbol

/**
 * A call that has not been sent: `$request` makes it and `$batch` accepts it. Plain data, so that a test can compare it.
 */
export interface RpcRequest<Result = unknown> {
  readonly method: string
  readonly params: RpcParams
  /** True for a notification, which has no response. */
  readonly notify?: boolean
  /** For types only. */
  readonly [resultOf]?: Result
}

/** The results of a batch, in the order of its requests. */
export type BatchResults<Requests extends readonly RpcRequest[]> = {
  -readonly [I in keyof Requests]: Requests[I] extends RpcRequest<infer Result> ? SettledResult<Result> : never
}

/** In a batch, a subscription results in its id. */
type SettledResult<Result> = [Result] extends [null | undefined]
  ? Result
  : Result extends AsyncIterable<unknown>
    ? string
    : Result

/** The outcomes of a batch, in the order of its requests. */
export type BatchOutcomes<Requests extends readonly RpcRequest[]> = {
  -readonly [I in keyof Requests]: Requests[I] extends RpcRequest<infer Result>
    ? PromiseSettledResult<SettledResult<Result>>
    : never
}

// Types of functions are resolved lazily, member by member: an unused procedure costs only a symbol and a name.

/** Members that every object has, `then`, and `toJSON`: see remoteMembers. */
type NamesOfEveryObject =
  | keyof typeof Object.prototype
  | `__${'define' | 'lookup'}${'Getter' | 'Setter'}__`
  | '__proto__'
  | 'then'
  | 'toJSON'

/** The names that are not procedures on a client itself, and on a member of it. */
type ReservedNames = NamesOfEveryObject | `$${string}`
type ReservedMemberNames = NamesOfEveryObject | 'apply' | 'bind' | 'call'

/** The names of the parameters if they are unknown. */
type Unnamed = Readonly<Record<string, unknown>>

type NamesOf<Params, K> = K extends keyof Params ? Params[K] : Unnamed

/** The parameters of the procedures after a prefix: nested members, or dotted names if a procedure has that name. */
type ParamsUnder<Params, K> = {
  readonly [N in keyof Params as N extends `${K & string}.${infer Rest}` ? Rest : never]: Params[N]
}

type Member<P, Params, K extends keyof P, S extends CallStyle> = P[K] extends (...params: never) => unknown
  ? Procedure<P, Params, K, S> & MembersOfProcedure<P[K], Params, K, S>
  : RemoteMembers<P[K], K extends keyof Params ? Params[K] : ParamsUnder<Params, K>, S, ReservedMemberNames>

/** The members of a procedure: those whose names begin with its own. */
type MembersOfProcedure<F, Params, K, S extends CallStyle> = [keyof F] extends [never]
  ? unknown
  : RemoteMembers<F, ParamsUnder<Params, K>, S, ReservedMemberNames>

type Procedure<P, Params, K extends keyof P, S extends CallStyle> = S extends 'named' | 'describe-named'
  ? RemoteNamed<P[K], NamesOf<Params, K>, S>
  : Remote<P[K], S>

/**
 * The procedures as members: by their whole names, and dotted ones also as nested members. Every one
 * keeps its doc comment. Names that a client or a member defines itself are left out.
 *
 * The interface may also declare nested members directly, `user: { create: … }`, with a procedure `user` as `user:
 * ((name: string) => User) & { create: … }`: that takes the compiler no work. Of dotted names all that begin alike make
 * one member, and `K` is their union in its type: one pass over the names sorts them, however many a caller uses.
 */
export type RemoteMembers<P, Params, S extends CallStyle, Own extends string = ReservedNames> = Flat<
  P,
  Params,
  S,
  Offered<keyof P, Own>
> & {
  readonly [K in keyof P as K extends `${infer Head}.${string}`
    ? Head extends Own
      ? DollarSlashNames<Head>
      : Head
    : never]: Group<P, Params, S, `${HeadOf<K, ''>}.`, K>
}

type Offered<Names, Own extends string> = [Names & Own] extends [never]
  ? Names
  : Exclude<Names, Own> | DollarSlashNames<Names>

/** Names such as `$/cancelRequest`, which no member of a client has. */
type DollarSlashNames<Names> = Extract<Names, `$/${string}`>

type Flat<P, Params, S extends CallStyle, Keys extends keyof P> = { readonly [K in Keys]: Member<P, Params, K, S> }

/** The same for the names after a prefix. */
type Nested<P, Params, S extends CallStyle, Prefix extends string, Keys extends keyof P> = {
  readonly [K in Keys as Exclude<HeadOf<K, Prefix>, ReservedMemberNames>]: Group<
    P,
    Params,
    S,
    `${Prefix}${HeadOf<K, Prefix>}.`,
    K
  >
}

type Group<P, Params, S extends CallStyle, Prefix extends string, Keys extends keyof P> = Renamed<
  Flat<P, Params, S, Keys>,
  { readonly [K in Keys]: LastName<K, Prefix> },
  Keys
> &
  Nested<P, Params, S, Prefix, Keys>

type HeadOf<Name, Prefix extends string> = Name extends `${Prefix}${infer Head}.${string}` ? Head : never
type LastName<Name, Prefix extends string> = Name extends `${Prefix}${infer Rest}`
  ? Rest extends `${string}.${string}` | ReservedMemberNames
    ? never
    : Rest
  : never

/** Called when a member is called: with `user.create` and the arguments. */
type Act = (name: string, args: readonly unknown[]) => unknown

/**
 * An object on which every name is a remote procedure, and a member of it a dotted name: `members.user.create(…)`.
 * `own` are the members of the object itself. A member is made once and does not change.
 *
 * Not procedures are: `then`, or a promise that resolves to the object would call it; `toJSON` and the members of every object;
 * on the client, names that begin with `$` without a slash after it; on a member, `apply`, `bind` and `call`.
 */
export function remoteMembers(act: Act, own?: object, prefix = ''): unknown {
  const member = (...args: unknown[]) => act(prefix.slice(0, -1), args)
  const { apply, bind, call } = member
  const known: Record<string | symbol, unknown> = {
    // biome-ignore lint/suspicious/noThenProperty: there is none, on purpose
    then: undefined,
    toJSON: undefined,
    ...(prefix ? { apply, bind, call } : own),
  }
  return new Proxy(prefix ? member : {}, {
    get(_, name) {
      const isOwn = typeof name === 'symbol' || name in known || /^\$(?!\/)/.test(prefix + name)
      if (!isOwn) known[name] = remoteMembers(act, own, `${prefix}${name}.`)
      return known[name]
    },
  })
}
