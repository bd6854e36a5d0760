import type { RpcServer } from 'rpc-gen'

/** One event: what is before `data`, and its message. */
export interface Event {
  readonly id?: string
  readonly data: unknown
}

/** The events of a response, one by one; comments are counted. */
export class Events {
  readonly response: Response
  comments = 0
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(response: Response) {
    this.response = response
  }

  get #body(): ReadableStreamDefaultReader<Uint8Array> {
    this.#reader ??= (this.response.body as ReadableStream<Uint8Array>).getReader()
    return this.#reader
  }

  /** Returns the next block of lines; undefined at the end. */
  async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end !== -1) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return block
      }
      const { done, value } = await this.#body.read()
      if (done) return undefined
      this.#text += this.#decoder.decode(value, { stream: true })
    }
  }

  /** Returns the next event; undefined at the end. */
  async next(): Promise<Event | undefined> {
    for (let block = await this.block(); block !== undefined; block = await this.block()) {
      if (block.startsWith(':')) {
        this.comments += 1
        continue
      }
      const fields = Object.fromEntries(
        block.split('\n').map((line) => /^(\w+): (.*)$/s.exec(line)?.slice(1) as [string, string]),
      )
      const { data, ...rest } = fields
      return { ...rest, data: JSON.parse(data as string) }
    }
    return undefined
  }

  async rest(): Promise<Event[]> {
    const events: Event[] = []
    for (let event = await this.next(); event; event = await this.next()) events.push(event)
    return events
  }

  cancel(): Promise<void> {
    return this.#body.cancel()
  }
}

/** The init of a call that accepts a stream. */
export function callOf(method: string, params: unknown = [], more: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...more },
    body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }),
  }
}

/** Calls a server by its fetch. */
export async function call(
  server: RpcServer,
  method: string,
  params: unknown = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Events> {
  return new Events(await server.fetch(new Request('http://localhost/rpc', callOf(method, params, more))))
}

/** The message of an item. */
export const itemOf = (method: string, result: unknown, subscription: unknown = 1) => ({
  data: { jsonrpc: '2.0', method, params: { subscription, result } },
})

/** The last message. */
export const end = { data: { jsonrpc: '2.0', result: null, id: 1 } }
