/** What comes of a call, by what is done with it. */
interface Outcomes<Result> {
  call: Promise<Awaited<Result>>
  /** Nothing comes back. */
  notify: Promise<void>
  /** For a batch. */
  describe: RpcRequest<Awaited<Result>>
  'describe-notify': RpcRequest<void>
}

/** What is done with a call: it is made, sent as a notification, or described. */
export type Manner = keyof Outcomes<unknown>

/** A remote procedure with the parameters of its declaration, one signature for each overload. */
export type Remote<F, M extends Manner> = Overloads<SignaturesOf<F>, M>

/**
 * A remote procedure called by the names of its parameters. These do not tell its overloads apart: the result is of any
 * of them.
 */
export type RemoteNamed<F, Named, M extends Manner> =
  SignaturesOf<F> extends infer Signatures extends Signature[]
    ? (...params: NamedParams<Named>) => Outcomes<Signatures[number][1]>[M]
    : never

/** None are needed where every one of them is optional. */
type NamedParams<Named> = Record<never, never> extends Named ? [params?: Named] : [params: Named]

type Overloads<Signatures extends Signature[], M extends Manner> = Signatures extends [
  [infer Params extends unknown[], infer Result],
  ...infer Rest extends Signature[],
]
  ? ((...params: Params) => Outcomes<Result>[M]) & Overloads<Rest, M>
  : unknown

type Signature = [params: unknown[], result: unknown]

/**
 * The signatures of a function, in order. Those of a pattern are matched with them from the last one up, and what the
 * pattern has more is matched with the first (TypeScript 5.3): two that are the same are one signature.
 */
type SignaturesOf<F> = F extends { (...params: infer P1): infer R1; (...params: infer P2): infer R2 }
  ? Same<[P1, R1], [P2, R2]> extends true
    ? [[P2, R2]]
    : UpToEight<F>
  : Unsure

/** Of what nothing is known: to the compiler, every call is right, and says nothing of its result. */
type Unsure = [[unknown[], unknown]]

type UpToEight<F> = F extends {
  (...params: infer P1): infer R1
  (...params: infer P2): infer R2
  (...params: infer P3): infer R3
  (...params: infer P4): infer R4
  (...params: infer P5): infer R5
  (...params: infer P6): infer R6
  (...params: infer P7): infer R7
  (...params: infer P8): infer R8
  (...params: infer P9): infer R9
}
  ? Same<[P1, R1], [P2, R2]> extends true
    ? Distinct<[[P2, R2], [P3, R3], [P4, R4], [P5, R5], [P6, R6], [P7, R7], [P8, R8], [P9, R9]]>
    : Unsure
  : Unsure

/** Without those at the beginning that are there again. */
type Distinct<Signatures extends Signature[]> = Signatures extends [
  infer First,
  infer Second extends Signature,
  ...infer Rest extends Signature[],
]
  ? Same<First, Second> extends true
    ? Distinct<[Second, ...Rest]>
    : Signatures
  : Signatures

/** The same type, and not only one that takes the same values. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

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
