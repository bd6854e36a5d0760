import type { Signature, SignaturesOf } from '../signatures.js'

/** The result of using a procedure, by the way in which it is used. */
interface Outcomes<Result> {
  call: Called<Awaited<Result>>
  /** There is no response. */
  notify: Promise<void>
  /** For a batch. */
  describe: RpcRequest<Awaited<Result>>
  'describe-notify': RpcRequest<void>
}

/** A subscription returns its items; `any`, `never` and, without `strictNullChecks`, null and undefined extend one and are none. */
type Called<Result> = 0 extends 1 & Result
  ? Promise<Result>
  : [Result] extends [null | undefined]
    ? Promise<Result>
    : [Result] extends [AsyncIterable<infer Item>]
      ? AsyncIterableIterator<Item>
      : Promise<Result>

/** A way to use a procedure: called, sent as a notification, or described. */
export type Manner = keyof Outcomes<unknown>

/** A remote procedure with the parameters of its declaration, one signature for each overload. */
export type Remote<F, M extends Manner> = Overloads<SignaturesOf<F>, M>

/**
 * A remote procedure called by the names of its parameters. These do not select an overload: the result is of any
 * of them.
 */
export type RemoteNamed<F, Named, M extends Manner> =
  SignaturesOf<F> extends infer Signatures extends Signature[]
    ? (...params: NamedParams<Named>) => Outcomes<Signatures[number][1]>[M]
    : never

/** Optional if every one of them is optional. */
type NamedParams<Named> = Record<never, never> extends Named ? [params?: Named] : [params: Named]

type Overloads<Signatures extends Signature[], M extends Manner> = Signatures extends [
  [infer Params extends unknown[], infer Result],
  ...infer Rest extends Signature[],
]
  ? ((...params: Params) => Outcomes<Result>[M]) & Overloads<Rest, M>
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

/** Parameters by position or by name. */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>

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
