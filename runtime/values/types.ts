declare const intTag: unique symbol
declare const doubleTag: unique symbol

/**
 * A 32-bit signed integer: `<int>` in XML-RPC, an integral number in JSON.
 *
 * It is an ordinary `number` to TypeScript, in both directions and without a cast. The result of `a + b` is a
 * `number` again: annotate results that shall stay `Int`.
 *
 * @example
 * export function add(a: Int, b: Int): Int {
 *   return a + b
 * }
 */
export type Int = number & { readonly [intTag]?: true }

/**
 * A finite double: always `<double>` in XML-RPC, also when its value happens to be integral.
 *
 * It is an ordinary `number` to TypeScript, in both directions and without a cast.
 */
export type Double = number & { readonly [doubleTag]?: true }
