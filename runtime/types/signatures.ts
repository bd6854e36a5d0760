/** The parameters and the result of one signature. */
export type FunctionSignature = [params: unknown[], result: unknown]

/**
 * The signatures of a function, in order, up to eight. TypeScript matches those of a pattern from the last one up, and
 * matches the surplus of the pattern with the first (TypeScript 5.3): two that are the same are one signature.
 */
export type SignaturesOf<F> = F extends { (...params: infer P1): infer R1; (...params: infer P2): infer R2 }
  ? Same<[P1, R1], [P2, R2]> extends true
    ? [[P2, R2]]
    : UpToEight<F>
  : UnknownSignature

/** For a function with more signatures, and for what is not a function: any parameters, and a result of type unknown. */
type UnknownSignature = [[unknown[], unknown]]

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
    : UnknownSignature
  : UnknownSignature

/** Drops signatures at the beginning that are repeated. */
type Distinct<Signatures extends FunctionSignature[]> = Signatures extends [
  infer First,
  infer Second extends FunctionSignature,
  ...infer Rest extends FunctionSignature[],
]
  ? Same<First, Second> extends true
    ? Distinct<[Second, ...Rest]>
    : Signatures
  : Signatures

/** True for identical types, not for types that accept the same values. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Method names to function types, if nothing else is known of a server. */
export interface AnyProcedures {
  readonly [name: string]: (...params: unknown[]) => unknown
}
