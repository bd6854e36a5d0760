/** What a codec adds to the JSON Schema of its wire type. */
export interface ScalarSchema {
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly contentEncoding?: string
}

/** Converts the values of a type `T` from and to a type `Wire`, which both protocols send. */
export interface ScalarCodec<T, Wire> {
  /**
   * Returns the value for what a caller sent, which is a `Wire`. If it throws, the parameter is rejected with -32602 (Invalid params);
   * callers do not receive the error. It may be called several times for one value.
   */
  readonly decode: (sent: Wire) => T
  /** Returns what is sent for a value. If it throws, a call that returns the value fails with -32603, and `onError` receives the error. */
  readonly encode: (value: T) => Wire
  /** True if a value is a `T`. Default: any object. Required where `T` is not an object, or is in a union with other objects. */
  readonly is?: (value: unknown) => boolean
  /**
   * Further keywords for the JSON Schema of the wire type. They are not checked: constraints are part of the wire type, and `decode`
   * throws for other values. The command reads them from the source, so they are written as a literal.
   */
  readonly schema?: ScalarSchema
}

/** A codec that `scalars` of the configuration can name. */
export interface Scalar<T, Wire> extends ScalarCodec<T, Wire> {}

/**
 * Returns a codec for a type that neither protocol has: a class of a package, or of your own. `scalars` of the configuration names it.
 *
 * @example
 * export const decimal = defineScalar<Decimal, string>({
 *   decode: (text) => new Decimal(text),
 *   encode: (value) => value.toString(),
 * })
 */
export function defineScalar<T, Wire>(codec: ScalarCodec<T, Wire>): Scalar<T, Wire> {
  return codec
}

/** A codec of any types. */
export interface AnyCodec {
  readonly decode: (sent: never) => unknown
  readonly encode: (value: never) => unknown
  readonly is?: (value: unknown) => boolean
}

/** The type of the values that a codec converts. */
export type Decoded<Codec extends AnyCodec> = ReturnType<Codec['decode']>
