import type { Describe, DescribeNamed, DescribeNotify, Remote, RemoteNamed, RemoteNotify } from './types.js'

// A face is what a member of a client looks like for every procedure: called, called by name, notified, described.
// Everything here is resolved lazily, member by member: what a caller does not use costs the compiler a symbol and no type.

type Style = 'call' | 'named' | 'notify' | 'describe' | 'describe-named' | 'describe-notify'

/** The names of the parameters where nothing is known of them. */
type Unnamed = Readonly<Record<string, unknown>>

type ParamsOf<Params, K> = K extends keyof Params ? Params[K] : Unnamed

type Member<P, Params, K extends keyof P, S extends Style> = S extends 'call'
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
 */
export type Face<P, Params, S extends Style> = { readonly [K in keyof P]: Member<P, Params, K, S> } & Nested<
  P,
  Params,
  S,
  '',
  keyof P
>

/** The members that names beginning with `Prefix` make; `Rest` is what these names have behind it. */
type Nested<P, Params, S extends Style, Prefix extends string, Rest> = {
  readonly [Head in HeadOf<Rest>]: Renamed<P, Params, S, `${Prefix}${Head}.`>['members'] &
    Nested<P, Params, S, `${Prefix}${Head}.`, Behind<Rest, `${Head}.`>>
}

type HeadOf<Name> = Name extends `${infer Head}.${string}` ? Head : never
type Behind<Name, Start extends string> = Name extends `${Start}${infer Rest}` ? Rest : never

/**
 * TypeScript links the members of a mapped type to their declarations, and so to their docs, unless its `as` clause gives
 * them other names. It tells that by whether the clause, before any type is known, is assignable to the key; what `this`
 * adds later is not looked at. So the clause is `any` here and the names come with the interface below.
 */
interface Renaming<P, Params, S extends Style> {
  // biome-ignore lint/suspicious/noExplicitAny: assignable to every key, see above
  names: any
  members: { readonly [K in keyof P as this['names'][K]]: Member<P, Params, K, S> }
}

interface Renamed<P, Params, S extends Style, Prefix extends string> extends Renaming<P, Params, S> {
  names: { readonly [K in keyof P]: LastName<Behind<K, Prefix>> }
}

type LastName<Name> = Name extends `${string}.${string}` ? never : Name
