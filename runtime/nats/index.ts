/**
 * Serves JSON-RPC as a NATS service, whose processes share the messages of a queue group.
 *
 * @module
 */
import type { Codec } from '../call/types.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import { checkOption, type OptionRow } from '../option-table.js'
import { type RpcServer, settingsOf } from '../server/server.js'
import { isObject } from '../values/predicates.js'
import { subscribeToDiscovery } from './discovery.js'
import {
  completeNatsOptions,
  type NatsConnection,
  type NatsMessage,
  type NatsOptions,
  type NatsSubscription,
} from './options.js'
import { MessageHandler } from './service.js'

export type {
  NatsConnection,
  NatsHeaders,
  NatsMessage,
  NatsOptions,
  NatsSubscription,
  SubscribeOptions,
} from './options.js'

/** The Env of procedures that read the message: `RpcContext<NatsEnv>`, `context.env?.message.subject`. */
export interface NatsEnv {
  Bindings: { readonly message: NatsMessage }
}

/** One process of a NATS service. */
export interface NatsService {
  /** Its id among the processes of the service. */
  readonly id: string
  /**
   * Leaves the queue group, and resolves when every message that was delivered has been handled and its response sent; while the NATS
   * server cannot be reached, responses are not waited for. The connection stays open.
   */
  stop(): Promise<void>
}

/**
 * Serves JSON-RPC 2.0 on a subject, and the requests of NATS tools: ping, info and stats. Each message is a request, a
 * notification or a batch; the response is sent to its reply subject. Resolves when the NATS server has accepted the subscriptions.
 *
 * `context.request` has the headers of the message, `context.env.message` is the message, and `context.transport` is `'nats'`.
 *
 * @example
 * const connection = await connect({ servers: '127.0.0.1:4222' })
 * const service = await serveNats(server, connection, { name: 'tools', version: '1.0.0' })
 * process.once('SIGTERM', async () => {
 *   await service.stop()
 *   await connection.close()
 * })
 * @throws TypeError if the server does not accept JSON-RPC, or for a connection or an option with a wrong value
 * @throws RangeError if `maxMessages` is not a positive integer
 * @throws Error if the registrations of the server conflict, or the NATS server does not permit the subscriptions or cannot be reached; nothing
 * is served then
 */
export async function serveNats(
  server: RpcServer,
  connection: NatsConnection,
  options: NatsOptions,
): Promise<NatsService> {
  const complete = completeNatsOptions(options)
  if (!settingsOf(server).protocols.includes('json-rpc')) {
    throw new TypeError('serveNats: the server does not accept JSON-RPC, the only protocol over NATS')
  }
  checkOption(connection, 'serveNats: the connection', connectionRow)
  const { subject, queue, maxMessages } = complete
  const id = crypto.randomUUID()
  const codec = await codecOf(server)
  const handler = new MessageHandler(connection, () => settingsOf(server), maxMessages, codec)
  const subscriptions: NatsSubscription[] = []
  let denied: Error | undefined
  let isStarted = false
  try {
    const endpoint = connection.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (!error) handler.handle(message)
        else if (isStarted) handler.reportEnd(subject, error)
        else denied = error
      },
    })
    subscriptions.push(endpoint, ...subscribeToDiscovery(connection, id, complete, handler.stats))
    await connection.flush()
    if (denied) throw denied
    isStarted = true
  } catch (error) {
    await stop(connection, subscriptions, handler)
    throw new Error(`serveNats: cannot subscribe to ${subject}: ${(error as Error).message}`, { cause: error })
  }
  return { id, stop: () => stop(connection, subscriptions, handler) }
}

const connectionRow: OptionRow<NatsConnection> = {
  expected: 'a connection of NATS, such as await connect(…)',
  isRequired: true,
  accepts: (value) => isObject(value) && functionNames.every((name) => typeof value[name] === 'function'),
}

const functionNames = ['subscribe', 'flush', 'isClosed', 'closed'] as const

/** Returns the codec of JSON-RPC 2.0, with the only switch that applies to NATS. */
async function codecOf(server: RpcServer): Promise<Codec> {
  const { nullParams } = settingsOf(server).compatibility
  if (!nullParams) return jsonrpc
  const { compatibleJsonrpc } = await import('../compatibility/index.js')
  return compatibleJsonrpc({ jsonRpc1: false, lenientVersion: false, jsonMulticall: false, nullParams })
}

async function stop(
  connection: NatsConnection,
  subscriptions: readonly NatsSubscription[],
  handler: MessageHandler,
): Promise<void> {
  if (!connection.isClosed()) await Promise.allSettled(subscriptions.map((each) => each.drain()))
  await handler.whenIdle()
  // It rejects if the NATS server cannot be reached: nothing more can be sent.
  if (!connection.isClosed()) await connection.flush().catch(() => {})
}
