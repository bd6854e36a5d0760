import { LazyOrigin, type Origin } from '../call/scope.js'
import type { LocalContext } from '../call/types.js'

/** The request that opened a connection, as its calls get it. */
export class Upgrade {
  readonly #context: LocalContext & { readonly request: Request }
  readonly #renewMs: number
  #origin: Origin
  #made = performance.now()

  /** @param renewMs after how many milliseconds calls get another Request object; 0 for never */
  constructor(context: LocalContext & { readonly request: Request }, renewMs: number) {
    this.#context = context
    this.#renewMs = renewMs
    this.#origin = new LazyOrigin(context)
  }

  /** The origin of a call that begins now. */
  get origin(): Origin {
    return this.#renewMs > 0 && performance.now() - this.#made >= this.#renewMs ? this.renew() : this.#origin
  }

  /** Makes another Request object, for which `oncePerRequest` calls its predicate again. */
  renew(): Origin {
    const { url, headers, signal } = this.#context.request
    this.#made = performance.now()
    this.#origin = new LazyOrigin({ ...this.#context, request: new Request(url, { headers, signal }) })
    return this.#origin
  }
}
