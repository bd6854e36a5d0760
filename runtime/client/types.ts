/** A remote procedure: its parameters as they are declared, its result promised. */
export type Remote<F> = F extends (...params: infer Params) => infer Result
  ? (...params: Params) => Promise<Awaited<Result>>
  : never

/** A remote procedure called by the names of its parameters. */
export type RemoteNamed<F, Named> = F extends (...params: never) => infer Result
  ? (...params: NamedParams<Named>) => Promise<Awaited<Result>>
  : never

/** None are needed where every one of them is optional. */
type NamedParams<Named> = Record<never, never> extends Named ? [params?: Named] : [params: Named]

/** A remote procedure that is told something: nothing comes back. */
export type RemoteNotify<F> = F extends (...params: infer Params) => unknown
  ? (...params: Params) => Promise<void>
  : never

/** Describes a call of a remote procedure, for a batch. */
export type Describe<F> = F extends (...params: infer Params) => infer Result
  ? (...params: Params) => RpcRequest<Awaited<Result>>
  : never

/** Describes a call by the names of the parameters. */
export type DescribeNamed<F, Named> = F extends (...params: never) => infer Result
  ? (...params: NamedParams<Named>) => RpcRequest<Awaited<Result>>
  : never

/** Describes a notification. */
export type DescribeNotify<F> = F extends (...params: infer Params) => unknown
  ? (...params: Params) => RpcRequest<void>
  : never

declare const resultOf: unique symbol

/**
 * A call that has not been made: what `$request` makes and `$batch` takes. Plain data, so that a test can compare it.
 */
export interface RpcRequest<Result = unknown> {
  readonly method: string
  readonly params: RpcParams
  /** Whether it is a notification, which has no answer. */
  readonly notify?: boolean
  /** For types only. */
  readonly [resultOf]?: Result
}

/** Parameters by position or by name. */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>

/** The results of a batch, in the order of its requests. */
export type BatchResults<Requests extends readonly RpcRequest[]> = {
  -readonly [I in keyof Requests]: Requests[I] extends RpcRequest<infer Result> ? Result : never
}

/** The outcomes of a batch, in the order of its requests. */
export type BatchOutcomes<Requests extends readonly RpcRequest[]> = {
  -readonly [I in keyof Requests]: Requests[I] extends RpcRequest<infer Result> ? PromiseSettledResult<Result> : never
}
