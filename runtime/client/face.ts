import type { Describe, DescribeNamed, DescribeNotify, Remote, RemoteNamed, RemoteNotify } from './types.js'

// A face is what a member of a client looks like for every procedure: called, called by name, notified, described.
// Types of functions are resolved lazily, member by member: of what a caller does not use there is a symbol and a name.

type Style = 'call' | 'named' | 'notify' | 'describe' | 'describe-named' | 'describe-notify'

/** The names of the parameters where nothing is known of them. */
type Unnamed = Readonly<Record<string, unknown>>

type ParamsOf<Params, K> = K extends keyof Params ? Params[K] : Unnamed

type Member<P, Params, K extends keyof P, S extends Style> = P[K] extends (...params: never) => unknown
  ? Procedure<P, Params, K, S>
  : Face<P[K], ParamsOf<Params, K>, S>

type Procedure<P, Params, K extends keyof P, S extends Style> = S extends 'call'
  ? Remote<P[K]>
  : S extends 'named'
    ? RemoteNamed<P[K], ParamsOf<Params, K>>
    : S extends 'notify'
      ? RemoteNotify<P[K]>
      : S extends 'describe'
        ? Describe<P[K]>
        : S extends 'describe-named'
          ? DescribeNamed<P[K], ParamsOf<Params, K>>
          : DescribeNotify<P[K]>

/**
 * The procedures as members: by their whole names, and where these are dotted also as members of members. Every one
 * keeps its own doc comment.
 *
 * Members of members may also stand in the interface as such, `user: { create: … }`: that takes the compiler no work.
 * Of dotted names all that begin alike make one member, and `K` is their union in its type: one pass over the names
 * sorts them, however many a caller uses.
 */
export type Face<P, Params, S extends Style> = { readonly [K in keyof P]: Member<P, Params, K, S> } & {
  readonly [K in keyof P as K extends `${infer Head}.${string}` ? Head : never]: Group<
    P,
    Params,
    S,
    `${HeadOf<K, ''>}.`,
    K
  >
}

/** The same behind a prefix. */
type Nested<P, Params, S extends Style, Prefix extends string, Keys extends keyof P> = {
  readonly [K in Keys as HeadOf<K, Prefix>]: Group<P, Params, S, `${Prefix}${HeadOf<K, Prefix>}.`, K>
}

type Group<P, Params, S extends Style, Prefix extends string, Keys extends keyof P> = Renamed<
  P,
  Params,
  S,
  Prefix,
  Keys
>['members'] &
  Nested<P, Params, S, Prefix, Keys>

type HeadOf<Name, Prefix extends string> = Name extends `${Prefix}${infer Head}.${string}` ? Head : never
type LastName<Name, Prefix extends string> = Name extends `${Prefix}${infer Rest}`
  ? Rest extends `${string}.${string}`
    ? never
    : Rest
  : never

/**
 * TypeScript links the members of a mapped type to their declarations, and so to their docs, unless its `as` clause
 * gives them other names. It tells that by whether the clause, before any type is known, is assignable to the key; what
 * `this` adds later is not looked at. So the clause is `any` here and the names come with the interface below.
 */
interface Renaming<P, Params, S extends Style, Keys extends keyof P> {
  // biome-ignore lint/suspicious/noExplicitAny: assignable to every key, see above
  names: any
  members: { readonly [K in Keys as this['names'][K]]: Member<P, Params, K, S> }
}

interface Renamed<P, Params, S extends Style, Prefix extends string, Keys extends keyof P>
  extends Renaming<P, Params, S, Keys> {
  names: { readonly [K in Keys]: LastName<K, Prefix> }
}
