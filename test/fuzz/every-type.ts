import type { Double, Int } from 'rpc-gen'

// Procedures that return their argument, of the types that the wire's own fixtures do not have. Compiled by the test.

/** @rpc */
export const undefineds = (value: undefined): undefined => value

/** @rpc */
export const nothing = (_value: null): void => {}

/** @rpc */
export const templates = (value: `user:${string}`): `user:${string}` => value

/** @rpc */
export const urls = (value: URL): URL => value

/** @rpc */
export const buffers = (value: Buffer): Buffer => value

/** @rpc */
export const arrayBuffers = (value: ArrayBuffer): ArrayBuffer => value

/** @rpc */
export const scalars = (value: string | number | boolean | null): string | number | boolean | null => value

/** @rpc */
export const bigintLiterals = (value: 1n | 2n): 1n | 2n => value

/** @rpc */
export const lists = (value: readonly (readonly Double[])[]): readonly (readonly Double[])[] => value

/** @rpc */
export const restTuples = (value: [Int, ...string[]]): [Int, ...string[]] => value

/** @rpc */
export const mapsOfSets = (value: Map<string, Set<Int>>): Map<string, Set<Int>> => value

export interface Tree {
  label: string
  size: Double
  born: Date | null
  key: bigint
  picture?: Uint8Array
  children: Tree[]
}

/** @rpc */
export const trees = (value: Tree): Tree => value

export interface Named {
  id: Int
  [other: `x-${string}`]: Int
}

/** @rpc */
export const patterns = (value: Named): Named => value

/** @rpc */
export const untagged = (
  value: { a: Double; b?: Double } | { a: Double; c: Int[] },
): { a: Double; b?: Double } | { a: Double; c: Int[] } => value

/** @rpc */
export const promises = (value: Date[]): Promise<Date[]> => Promise.resolve(value)
