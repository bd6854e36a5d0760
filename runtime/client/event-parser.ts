/** The fields of one event that are used (WHATWG HTML section 9.2.6). */
export interface ServerSentEvent {
  /** The lines of its data; undefined if it has none, and is no event. */
  readonly data: string | undefined
  /** The id; undefined if it has none. An empty one resets that of earlier events. */
  readonly id: string | undefined
  /** The milliseconds after which the server wants to be connected to again; undefined if it does not specify it. */
  readonly retryMs: number | undefined
}

/** The most characters of an id: it is sent as a header. A longer one is ignored. */
const MAX_ID = 1024

/** Parses a stream of events, however it is cut into pieces. Its TextDecoder has removed a byte order mark. */
export class EventParser {
  #text = ''
  /** True if the text began after a carriage return, which a line feed may still belong to. */
  #skipsLineFeed = false
  #data: string[] = []
  #characters = 0
  #id: string | undefined
  #retryMs: number | undefined

  /** The characters of the event that is not complete. */
  get pending(): number {
    return this.#text.length + this.#characters
  }

  /** Returns the events that are complete with a further piece of text. */
  push(piece: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = []
    let text = piece
    if (this.#skipsLineFeed && text !== '') {
      this.#skipsLineFeed = false
      if (text.startsWith('\n')) text = text.slice(1)
    }
    let start = 0
    for (const { 0: lineEnd, index } of text.matchAll(/\r\n|\r|\n/g)) {
      const line = start === 0 ? this.#text + text.slice(0, index) : text.slice(start, index)
      start = index + lineEnd.length
      this.#text = ''
      if (line === '') events.push(this.#dispatch())
      else this.#readLine(line)
    }
    this.#text += text.slice(start)
    if (text.endsWith('\r')) this.#skipsLineFeed = true
    return events
  }

  #dispatch(): ServerSentEvent {
    const event = {
      data: this.#data.length > 0 ? this.#data.join('\n') : undefined,
      id: this.#id,
      retryMs: this.#retryMs,
    }
    this.#data = []
    this.#characters = 0
    this.#id = this.#retryMs = undefined
    return event
  }

  #readLine(line: string): void {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as unknown as [string, string, string?]
    if (field === 'data') {
      this.#data.push(value)
      // A line takes memory without a value, too.
      this.#characters += line.length + 1
    } else if (field === 'id') {
      if (!value.includes('\0') && value.length <= MAX_ID) this.#id = value
    } else if (field === 'retry' && /^\d{1,9}$/.test(value)) {
      this.#retryMs = Number(value)
    }
  }
}
