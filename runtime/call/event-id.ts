/** An item of a stream with the id of its event. */
export class ItemWithId {
  readonly id: string
  readonly item: unknown

  constructor(id: string, item: unknown) {
    this.id = id
    this.item = item
  }
}

/** What a header contains unchanged: visible ASCII, and spaces between. */
const allowed = /^[!-~](?:[ -~]{0,1022}[!-~])?$/

/**
 * Gives an item of a stream an id, for `yield` alone: over HTTP the event has the id, and a client that was disconnected calls again with
 * the last one, which the procedure reads from `context.lastEventId`. Over other transports the item is sent without it.
 *
 * @param id at most 1024 characters of ASCII without control characters, not beginning or ending with a space; a number as text
 * @example
 * for await (const tick of exchange.ticksAfter(context.lastEventId)) yield withEventId(tick.sequence, tick)
 * @throws TypeError for an id that is of another type, not finite, or that a header cannot contain
 */
export function withEventId<T>(id: string | number | bigint, item: T): T {
  const isId = typeof id === 'string' || typeof id === 'bigint' || Number.isFinite(id)
  const text = isId ? `${id}` : ''
  if (!allowed.test(text)) {
    const isPrintable = typeof id === 'number' || id == null
    const received = typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : isPrintable ? id : typeof id
    throw new TypeError(
      `withEventId: expected 1 to 1024 characters of ASCII, a finite number or a bigint, got ${received}`,
    )
  }
  return new ItemWithId(text, item) as T
}
