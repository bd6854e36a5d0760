import { Hono } from 'hono'
import { RpcServer, type RpcServerOptions } from 'rpc-gen'
import { procedures } from '../../fixtures/wire/procedures.gen.js'

export const json = '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}'
export const jsonText = '{"jsonrpc":"2.0","result":3,"id":1}'
export const notification = '{"jsonrpc":"2.0","method":"sum","params":[1,2]}'

const param = (content: string) => `<param><value>${content}</value></param>`
export const xml = callXml('sum', '<int>3</int>')
export const xmlText = `<?xml version="1.0" encoding="UTF-8"?><methodResponse><params>${param('<int>3</int>')}</params></methodResponse>`

/** `params` and `values` are JSON and XML. */
export function callJson(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":${params},"id":1}`
}

export function callXml(method: string, ...values: readonly string[]): string {
  return `<methodCall><methodName>${method}</methodName><params>${values.map(param).join('')}</params></methodCall>`
}

/** The wire fixtures' procedures, whose errors are not printed. */
export function serverOf(options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, onError: () => {}, ...options })
}

export function appOf(options: RpcServerOptions = {}): Hono {
  return new Hono().route('/rpc', serverOf(options).router())
}

type Init = NonNullable<ConstructorParameters<typeof Request>[1]>

/** A POST of bytes, for which no default Content-Type is set as for a text. */
export function post(body: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}): Init {
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
  // `duplex` is what fetch's standard wants beside a stream.
  return { method: 'POST', headers, body: sent, duplex: 'half' } as Init
}

/** The compared parts of a response. */
export interface ResponseParts {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

export async function request(app: Hono, init: Init, path = '/rpc'): Promise<ResponseParts> {
  const response = await app.request(path, init)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const plain = 'text/plain; charset=UTF-8'
export const jsonResponse: ResponseParts = { status: 200, type: 'application/json', text: jsonText }
export const xmlResponse: ResponseParts = { status: 200, type: 'text/xml; charset=utf-8', text: xmlText }
export const rejected = (text: string, status = 415): ResponseParts => ({ status, type: plain, text })

/** UTF-16, little endian. */
export function utf16(text: string): Uint8Array {
  const units = Uint16Array.from(text, (char) => char.charCodeAt(0))
  return new Uint8Array(units.buffer)
}
