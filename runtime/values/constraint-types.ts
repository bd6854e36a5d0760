import type { FormatName } from './format.js'

declare const minimumTag: unique symbol
declare const maximumTag: unique symbol
declare const exclusiveMinimumTag: unique symbol
declare const exclusiveMaximumTag: unique symbol
declare const multipleOfTag: unique symbol
declare const minLengthTag: unique symbol
declare const maxLengthTag: unique symbol
declare const patternTag: unique symbol
declare const formatTag: unique symbol
declare const minItemsTag: unique symbol
declare const maxItemsTag: unique symbol
declare const uniqueItemsTag: unique symbol

/**
 * The argument of a constraint. It is part of the name of an optional member, so that `Minimum<0>` and `Minimum<5>` are different
 * types, and a value of one is still assignable to the other.
 */
export type Argument<Value extends number | string> = { readonly argument: true } & {
  readonly [Key in `${Value}`]?: Value
}

/**
 * A number or bigint of at least `N`.
 *
 * For TypeScript the type remains an ordinary number, in both directions and without a cast; rpc-gen checks every value that a
 * procedure receives or returns. Result types that are computed (`a + 1`) are a plain `number` again: annotate them.
 *
 * @example
 * type Age = Int & Minimum<0> & Maximum<150>
 */
export type Minimum<N extends number> = { readonly [minimumTag]?: Argument<N> }

/** A number or bigint of at most `N`: `Int & Maximum<150>`. */
export type Maximum<N extends number> = { readonly [maximumTag]?: Argument<N> }

/** A number or bigint above `N`: `number & ExclusiveMinimum<0>`. */
export type ExclusiveMinimum<N extends number> = { readonly [exclusiveMinimumTag]?: Argument<N> }

/** A number or bigint below `N`: `number & ExclusiveMaximum<1>`. */
export type ExclusiveMaximum<N extends number> = { readonly [exclusiveMaximumTag]?: Argument<N> }

/** A number or bigint that is a multiple of `N`, which is above 0: `number & MultipleOf<0.05>`. */
export type MultipleOf<N extends number> = { readonly [multipleOfTag]?: Argument<N> }

/** A string of at least `N` characters, counted as Unicode code points: `string & MinLength<1>`. */
export type MinLength<N extends number> = { readonly [minLengthTag]?: Argument<N> }

/** A string of at most `N` characters, counted as Unicode code points: `string & MaxLength<80>`. */
export type MaxLength<N extends number> = { readonly [maxLengthTag]?: Argument<N> }

/**
 * A string that a regular expression matches anywhere. `Source` is compiled with the flag `u`; anchor it with `^` and `$`.
 *
 * @example
 * type Sku = string & Pattern<'^[A-Z]{3}-\\d{4}$'>
 */
export type Pattern<Source extends string> = { readonly [patternTag]?: Argument<Source> }

/** A string in a format of JSON Schema: `string & Format<'email'>`. */
export type Format<Name extends FormatName> = { readonly [formatTag]?: Argument<Name> }

/** An array, tuple or set of at least `N` elements: `string[] & MinItems<1>`. */
export type MinItems<N extends number> = { readonly [minItemsTag]?: Argument<N> }

/** An array or set of at most `N` elements: `string[] & MaxItems<10>`. */
export type MaxItems<N extends number> = { readonly [maxItemsTag]?: Argument<N> }

/** An array without equal elements: `string[] & UniqueItems`. */
export type UniqueItems = { readonly [uniqueItemsTag]?: Argument<'true'> }
