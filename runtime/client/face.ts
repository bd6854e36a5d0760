import type { Remote, RemoteNamed } from './types.js'

// A face is the type of a client's members for one way to use procedures: called, called by name, notified, described.
// Types of functions are resolved lazily, member by member: an unused procedure costs only a symbol and a name.

type Style = 'call' | 'named' | 'notify' | 'describe' | 'describe-named' | 'describe-notify'

/** Members that every object has, `then`, and `toJSON`: see members.ts. */
type Everywhere =
  | keyof typeof Object.prototype
  | `__${'define' | 'lookup'}${'Getter' | 'Setter'}__`
  | '__proto__'
  | 'then'
  | 'toJSON'

/** The names that are not procedures on a client itself, and on a member of it. */
type OnTop = Everywhere | `$${string}`
type Below = Everywhere | 'apply' | 'bind' | 'call'

/** The names of the parameters if they are unknown. */
type Unnamed = Readonly<Record<string, unknown>>

type NamesOf<Params, K> = K extends keyof Params ? Params[K] : Unnamed

/** The parameters of the procedures after a prefix: nested members, or dotted names if a procedure has that name. */
type Behind<Params, K> = {
  readonly [N in keyof Params as N extends `${K & string}.${infer Rest}` ? Rest : never]: Params[N]
}

type Member<P, Params, K extends keyof P, S extends Style> = P[K] extends (...params: never) => unknown
  ? Procedure<P, Params, K, S> & Further<P[K], Params, K, S>
  : Face<P[K], K extends keyof Params ? Params[K] : Behind<Params, K>, S, Below>

/** The members of a procedure: those whose names begin with its own. */
type Further<F, Params, K, S extends Style> = [keyof F] extends [never] ? unknown : Face<F, Behind<Params, K>, S, Below>

type Procedure<P, Params, K extends keyof P, S extends Style> = S extends 'named'
  ? RemoteNamed<P[K], NamesOf<Params, K>, 'call'>
  : S extends 'describe-named'
    ? RemoteNamed<P[K], NamesOf<Params, K>, 'describe'>
    : Remote<P[K], Exclude<S, 'named' | 'describe-named'>>

/**
 * The procedures as members: by their whole names, and dotted ones also as nested members. Every one
 * keeps its doc comment. Names that a client or a member defines itself are left out.
 *
 * The interface may also declare nested members directly, `user: { create: … }`, with a procedure `user` as `user:
 * ((name: string) => User) & { create: … }`: that takes the compiler no work. Of dotted names all that begin alike make
 * one member, and `K` is their union in its type: one pass over the names sorts them, however many a caller uses.
 */
export type Face<P, Params, S extends Style, Own extends string = OnTop> = Whole<
  P,
  Params,
  S,
  Offered<keyof P, Own>
> & {
  readonly [K in keyof P as K extends `${infer Head}.${string}`
    ? Head extends Own
      ? Slashed<Head>
      : Head
    : never]: Group<P, Params, S, `${HeadOf<K, ''>}.`, K>
}

type Offered<Names, Own extends string> = [Names & Own] extends [never] ? Names : Exclude<Names, Own> | Slashed<Names>

/** Names such as `$/cancelRequest`, which no member of a client has. */
type Slashed<Names> = Extract<Names, `$/${string}`>

type Whole<P, Params, S extends Style, Keys extends keyof P> = { readonly [K in Keys]: Member<P, Params, K, S> }

/** The same for the names after a prefix. */
type Nested<P, Params, S extends Style, Prefix extends string, Keys extends keyof P> = {
  readonly [K in Keys as Exclude<HeadOf<K, Prefix>, Below>]: Group<P, Params, S, `${Prefix}${HeadOf<K, Prefix>}.`, K>
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
  ? Rest extends `${string}.${string}` | Below
    ? never
    : Rest
  : never

/**
 * TypeScript links the members of a mapped type to their declarations, and so to their docs, unless its `as` clause
 * gives them other names. It checks whether the clause, before any type is known, is assignable to the key; what
 * `this` adds later is not considered. So the clause is `any` here and the names come with the interface below.
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
