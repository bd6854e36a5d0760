/**
 * Options of TanStack Query 5 for the procedures of a client, for React, Vue, Solid, Svelte and Angular. It imports nothing of TanStack Query.
 *
 * @module
 */

import type { FunctionSignature, SignaturesOf } from '../types/signatures.js'
import type { RpcParams } from '../values/types.js'
import type { DeclaredErrors } from './client.js'
import { type RpcRequest, remoteMembers } from './members.js'
import type { CallOptions } from './options.js'

/** The members of a client that queries use. */
export interface QueryingClient {
  /** The calls by name; for their types only. */
  readonly $named: unknown
  /** Returns the parameters of a request as JSON has them: the key of a query. */
  $params(request: RpcRequest): RpcParams
  /** Returns a client with the signal of a query. */
  $with(options: CallOptions): { $call(method: string, params?: RpcParams): Promise<unknown> }
}

/** The options of `tanstackQuery`. */
export interface TanstackQueryOptions {
  /** The first element of all keys, for pages with more than one API. Default: none. */
  readonly prefix?: string
}

/** The segments of a name, and what distinguishes the queries of a procedure. */
export type QueryKey = readonly [path: readonly string[], query?: { readonly type: string; readonly params: unknown }]

/** Retries as TanStack Query has them; the member exists for the type of the error only. */
type Retry<Failure> = boolean | number | ((failureCount: number, error: Failure) => boolean)

interface Typed<Failure> {
  readonly retry?: Retry<Failure>
}

/** For `useQuery`, `prefetchQuery` and others. */
export interface QueryOptions<Data, Failure> extends Typed<Failure> {
  /** The name of the procedure, and the parameters. */
  readonly queryKey: QueryKey
  /** Calls the procedure. It is `skipToken` at run time if that was given instead of parameters. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/** The `skipToken` of TanStack Query: the query does not run. TypeScript widens its type where it is one of two values. */
export type SkipToken = symbol

/** For `useInfiniteQuery`, with a `getNextPageParam` of yours. */
export interface InfiniteOptions<Data, Failure, Page> extends Typed<Failure> {
  /** The name of the procedure, and the parameters for the first page. */
  readonly queryKey: QueryKey
  /** Calls the procedure for a page. */
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Page }) => Promise<Data>
  /** The value that represents the first page. */
  readonly initialPageParam: Page
}

/** For `useMutation`: the variables are the parameters. */
export interface MutationOptions<Data, Failure, Variables> extends Typed<Failure> {
  /** The name of the procedure. */
  readonly mutationKey: QueryKey
  /** Calls the procedure. */
  readonly mutationFn: (variables: Variables) => Promise<Data>
}

/** What every namespace and every procedure has. */
export interface Keyed {
  /** The key that all queries and mutations below the name have in common: `invalidateQueries({ queryKey: rpc.user.pathKey() })`. */
  pathKey(): QueryKey
}

/** The options for one procedure. `Args` are the parameters by position, `Named` those by name. */
export interface ProcedureQueries<Args extends readonly unknown[], Named, Data, Failure> extends Keyed {
  /**
   * A query: `useQuery(rpc.user.find.queryOptions(['Ada']))`, or by name `queryOptions({ name: 'Ada' })`; with parameters that may not be
   * known yet, `queryOptions(name ? [name] : skipToken)`.
   */
  queryOptions(...params: Given<Args, Readonly<Args> | Named | SkipToken>): QueryOptions<Data, Failure>
  /** A query of pages; `paramsOf` returns the parameters for a page. */
  infiniteOptions<Page>(
    paramsOf: (page: Page) => Readonly<Args> | Named,
    initialPageParam: Later<Page>,
  ): InfiniteOptions<Data, Failure, Page>
  /** A mutation: `useMutation(rpc.user.create.mutationOptions())`, then `mutate(['Ada'])` or `mutate({ name: 'Ada' })`. */
  mutationOptions(): MutationOptions<Data, Failure, Readonly<Args> | Named | OrNothing<Args>>
}

type Given<Args, Params> = [] extends Args ? [params?: Params] : [params: Params]
// biome-ignore lint/suspicious/noConfusingVoidType: the variables of a mutation that may be omitted
type OrNothing<Args> = [] extends Args ? void : never

/** The type is inferred from other parameters. */
type Later<T> = [T][T extends unknown ? 0 : never]

/** TanStack Query has no undefined data. */
// biome-ignore lint/suspicious/noConfusingVoidType: the result of a function that returns nothing
type Cached<Data> = Data extends undefined | void ? null : Data

/** The procedures of a client with their options, under their names; `pathKey` of the whole has all. */
export type TanstackQuery<C extends QueryingClient> = Members<C, C['$named'], ErrorsOf<C>, ''>

type ErrorsOf<C> = C extends DeclaredErrors<infer Errors> ? NonNullable<Errors> : unknown

type Reserved = keyof ProcedureQueries<[], never, never, never> | 'apply' | 'bind' | 'call'

type Members<C, Named, Errors, Path extends string> = Keyed & {
  readonly [K in keyof C as K extends Reserved | (Path extends '' ? `$${string}` : never) ? never : K]: Member<
    C[K],
    K extends keyof Named ? Named[K] : unknown,
    Errors,
    `${Path}${K & string}`
  >
}

type Member<F, Named, Errors, Name extends string> = F extends (...params: never) => unknown
  ? Procedure<SignaturesOf<F>, Named, FailureOf<Errors, Name>> & Members<F, Named, Errors, `${Name}.`>
  : Members<F, Named, Errors, `${Name}.`>

type FailureOf<Errors, Name> = Name extends keyof Errors ? Errors[Name] | Error : Error

/** A subscription has no result to keep. */
type Procedure<Signatures, Named, Failure> = Signatures extends FunctionSignature[]
  ? Signatures[number][1] extends AsyncIterable<unknown>
    ? unknown
    : ProcedureQueries<Signatures[number][0], NamedOf<Named>, Cached<Awaited<Signatures[number][1]>>, Failure>
  : unknown

type NamedOf<Named> = Named extends (params: infer Params) => unknown ? Readonly<NonNullable<Params>> : never

/**
 * Returns the procedures of a client with options for TanStack Query 5. Results are cached by the name of the procedure and its
 * parameters as JSON has them; a query that is not needed any more aborts its request.
 *
 * @example
 * const rpc = tanstackQuery(client)
 * const user = useQuery(rpc.user.find.queryOptions(['Ada']))
 * const create = useMutation({
 *   ...rpc.user.create.mutationOptions(),
 *   onSuccess: () => queryClient.invalidateQueries({ queryKey: rpc.user.pathKey() }),
 * })
 */
export function tanstackQuery<C extends QueryingClient>(
  client: C,
  { prefix }: TanstackQueryOptions = {},
): TanstackQuery<C> {
  return remoteMembers((name, [first, second]) => {
    const end = name.lastIndexOf('.')
    const method = name.slice(0, Math.max(end, 0))
    const path = [...(prefix === undefined ? [] : [prefix]), ...(method ? method.split('.') : [])]
    const keyOf = (type: string, params: RpcParams) => [path, { type, params: jsonOf({ method, params }) }]
    const jsonOf = (request: RpcRequest): unknown => {
      try {
        return client.$params(request)
      } catch (error) {
        // The call rejects with it: a component need not catch it while it renders.
        return `${error}`
      }
    }
    const call = async (params: RpcParams | undefined, options: CallOptions = {}) => {
      return client.$with(options).$call(method, params)
    }
    const fetch = async (params: RpcParams, signal: AbortSignal) => (await call(params, { signal })) ?? null
    switch (method || name === 'pathKey' ? name.slice(end + 1) : '') {
      case 'pathKey':
        return [path]
      case 'queryOptions': {
        const params = (typeof first === 'symbol' ? [] : (first ?? [])) as RpcParams
        const queryFn = typeof first === 'symbol' ? first : (context: QueryContext) => fetch(params, context.signal)
        return { queryKey: typeof first === 'symbol' ? [path, { type: 'skipped' }] : keyOf('query', params), queryFn }
      }
      case 'infiniteOptions': {
        const paramsOf = first as (page: unknown) => RpcParams
        return {
          queryKey: keyOf('infinite', paramsOf(second)),
          queryFn: ({ signal, pageParam }: QueryContext) => fetch(paramsOf(pageParam), signal),
          initialPageParam: second,
        }
      }
      case 'mutationOptions':
        return { mutationKey: [path], mutationFn: (variables: RpcParams | undefined) => call(variables) }
    }
    throw new TypeError(`${name} is not queryOptions, infiniteOptions, mutationOptions or pathKey of a procedure`)
  }) as TanstackQuery<C>
}

interface QueryContext {
  readonly signal: AbortSignal
  readonly pageParam?: unknown
}
