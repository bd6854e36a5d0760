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
 * @throws TypeError for an id that a header cannot contain
 */
export function withEventId<T>(id: string | number | bigint, item: T): T {
  const text = String(id)
  if (!allowed.test(text)) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
    throw new TypeError(`withEventId: ${JSON.stringify(shown)} is not an id: expected 1 to 1024 characters of ASCII`)
  }
  return new ItemWithId(text, item) as T
}
