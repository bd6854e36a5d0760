import { type ClientOptions, createClient, RpcError, RpcTransportError, tableCodec, xmlRpc } from 'rpc-gen/client'

// The calls that a runtime makes with the client; bundled, because not every runtime reads TypeScript.

interface Procedures {
  subtract: (a: number, b: number) => number
  sum: (...numbers: number[]) => number
  'echo.string': (value: string) => string
  'echo.date': (value: Date) => Date
  'echo.bytes': (value: Uint8Array) => Uint8Array
  fail: (code: number, message: string) => null
}

const both = (type: 'date' | 'bytes') => ({ params: { value: type }, result: type })
const codec = tableCodec({ methods: { 'echo.date': both('date'), 'echo.bytes': both('bytes') } })

/** Calls the server in every way; returns the results. */
export async function callEverything(url: string): Promise<unknown> {
  const connect = (options: ClientOptions = {}) => createClient<Procedures>(url, options)
  const json = connect({ codec, timeoutMs: 10_000, headers: async () => ({ 'X-Client': 'rpc-gen' }) })
  const xml = connect({ transport: xmlRpc() })
  const batching = connect({ batch: true })
  const date = new Date(1_720_614_896_000)
  const controller = new AbortController()
  const call = json.$with({ signal: controller.signal }).sum(1)
  const aborted = call.catch((reason) => reason)
  controller.abort('enough')
  return {
    call: await json.subtract(42, 23),
    text: await json.echo.string('é😀'),
    values: [await json.echo.date(date), [...(await json.echo.bytes(Uint8Array.of(0, 255)))]],
    named: await json.$named.subtract({ a: 1 }).catch((error) => error instanceof RpcError && error.code),
    notify: (await json.$notify.sum(1)) === undefined,
    batch: await json.$batch([json.$request.sum(1, 2), json.$request.subtract(3, 1)]),
    automatic: await Promise.all([batching.sum(1), batching.sum(2)]),
    error: await json.fail(7, 'no').catch((error) => [error instanceof RpcError, error.code, error.message]),
    nowhere: await createClient<Procedures>(`${url}/nowhere`)
      .sum()
      .catch((error) => [error instanceof RpcTransportError, error.status]),
    unreachable: await createClient<Procedures>('http://127.0.0.1:9/')
      .sum()
      .catch((error) => [error instanceof RpcTransportError, error.status ?? null]),
    aborted: await aborted,
    xml: [await xml.subtract(42, 23), await xml.echo.date(date), [...(await xml.echo.bytes(Uint8Array.of(0, 255)))]],
    multicall: await xml.$batch([xml.$request.sum(1, 2), xml.$request.echo.string('é')]),
  }
}
