// What a definition has to know besides the value: a wire, which is a direction and the scalars of a protocol.
//
//   date('2026-01-31T12:00:00Z', jsonWires.decode)  →  Date
import type { ValueKeys } from './constraints.js'
import type { BytesClass, Keys, WireType } from './types.js'

/**
 * How one protocol represents the scalars that it has no native form for. `read…` converts from the wire to TypeScript, `write…`
 * the other way. Both return a value that they cannot convert unchanged: the definition of the type then rejects it.
 */
export interface WireScalars {
  readDate(value: unknown): unknown
  readBytes(value: unknown, as: BytesClass): unknown
  readBigint(value: unknown): unknown
  writeDate(value: unknown): unknown
  writeBytes(value: unknown): unknown
  writeBigint(value: unknown): unknown
  /**
   * Adds to a value of a union the type by which it was encoded, one of `among`. Absent if a protocol does not write values by their types.
   */
  markType?(value: unknown, type: WireType, among: readonly WireType[]): unknown
}

/** The conversion of types that have the same form on the wire. */
export function identity(value: unknown): unknown {
  return value
}

/** Calls from the same process pass TypeScript values. */
export const localScalars: WireScalars = {
  readDate: identity,
  readBytes: identity,
  readBigint: identity,
  writeDate: identity,
  writeBytes: identity,
  writeBigint: identity,
}

// biome-ignore lint/suspicious/noExplicitAny: a definition accepts any value, and checks it
export type Value = any

/**
 * The definition of a type. It checks one value and returns what the value becomes on a wire: the TypeScript value, the value of the protocol, or
 * a copy. Throws INVALID if the value is not of the type. Generated modules import it as `Type`.
 */
export type Definition<T = Value> = (value: Value, wire: Wire) => T

/**
 * `decode`: from a protocol to TypeScript; `encode`: the other way; `local`: TypeScript values are checked and copied, as the
 * arguments or as the result (`localResult`) of a call from the same process.
 */
export type Direction = 'decode' | 'encode' | 'local' | 'localResult'

/** What a wire does differently when types are described: definitions are recorded, and not called. */
interface Describer {
  /** Represents an omitted member. */
  readonly omitted: unknown
  /** Called for each index signature. */
  readonly onIndex: (type: Definition, keys: Keys | undefined) => void
}

/** What the definitions inside of a value share. */
interface SharedState {
  readonly describer?: Describer
  readonly matcher?: TypeMatcher | undefined
  readonly keys?: ValueKeys | undefined
  readonly steps?: StepLimit | undefined
}

/** Steps for the values of one request, or in a client for one value: about a second of work. */
export const MAX_STEPS = 10_000_000

/** How many steps it is to make a Set or a Map: even an empty one takes 200 bytes. */
export const COLLECTION_STEPS = 8

/** Limits the work for the values of one request. */
export interface StepLimit {
  /** Called with the number of steps that something takes. @throws after too many of them */
  take(count: number): void
}

/** What decides for a union which branches a value matches, as definitions inside of the union see it. */
export interface TypeMatcher {
  /** Returns what a definition makes of a value, which is converted once; throws INVALID if it rejects it. */
  convertOnce<T>(type: Definition<T>, value: Value): T
}

/**
 * The direction and the protocol for which definitions convert. It has also what the definitions inside of one value share. All wires have one class,
 * so that engines see one shape:
 *
 * | members | set for | read by |
 * | --- | --- | --- |
 * | `scalars`, `decodes`, `encodes` | every wire | definitions |
 * | `omitted`, `omittedOrNull` | every wire | functions of structs (`struct-types.ts`) |
 * | `serializes` | every wire | `any` and custom scalars |
 * | `markType` | results over a protocol that writes values by their types | unions |
 * | `matcher`, `keys` | values in a union that compares them, and in a list without equal elements | unions, custom scalars, constrained lists |
 * | `steps` | parameters of a large request | unions, equal elements |
 * | `describer` | functions of structs that are described | `struct-types.ts` |
 */
export class Wire {
  readonly scalars: WireScalars
  readonly direction: Direction
  readonly decodes: boolean
  readonly encodes: boolean
  /** True if a value of type `any` has to be serialisable. */
  readonly serializes: boolean
  /** How an omitted member is represented, besides undefined: null on the way in. */
  readonly omitted: unknown
  /** The same for a member whose type includes null. */
  readonly omittedOrNull: unknown
  readonly markType: WireScalars['markType'] | undefined
  readonly describer: Describer | undefined
  readonly matcher: TypeMatcher | undefined
  readonly keys: ValueKeys | undefined
  readonly steps: StepLimit | undefined

  constructor(scalars: WireScalars, direction: Direction, shared: SharedState = {}) {
    const { describer, matcher, keys, steps } = shared
    this.direction = direction
    this.scalars = scalars
    this.decodes = direction === 'decode'
    this.encodes = direction === 'encode'
    this.serializes = direction === 'encode' || direction === 'localResult'
    this.omitted = describer?.omitted ?? (direction === 'decode' ? null : undefined)
    this.omittedOrNull = describer?.omitted
    this.markType = direction === 'encode' ? scalars.markType : undefined
    this.describer = describer
    this.matcher = matcher
    this.keys = keys
    this.steps = steps
  }

  /** Returns the same wire for what is inside of a value. */
  with(shared: SharedState): Wire {
    return new Wire(this.scalars, this.direction, {
      matcher: this.matcher,
      keys: this.keys,
      steps: this.steps,
      ...shared,
    })
  }
}

/** The wire of arguments from the same process. */
export const localWire: Wire = /* @__PURE__ */ new Wire(localScalars, 'local')

/** The wire of results for the same process. */
export const localResultWire: Wire = /* @__PURE__ */ new Wire(localScalars, 'localResult')

/** The wires of one protocol. */
export interface Wires {
  readonly decode: Wire
  readonly encode: Wire
}

/** Returns the wires of a protocol. */
export function wiresOf(scalars: WireScalars): Wires {
  return { decode: new Wire(scalars, 'decode'), encode: new Wire(scalars, 'encode') }
}
