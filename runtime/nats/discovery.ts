import type { CompleteNatsOptions, NatsConnection, NatsMessage, NatsSubscription } from './options.js'

/** The statistics of an endpoint. */
export interface EndpointStats {
  requests: number
  errors: number
  lastError: string
  milliseconds: number
}

/**
 * Subscribes to the subjects by which NATS services are found and watched (NATS ADR-32): `$SRV.PING`, `$SRV.INFO` and
 * `$SRV.STATS`, each alone, with the name, and with name and id. Every process responds: there is no queue group.
 */
export function subscribeToDiscovery(
  connection: NatsConnection,
  id: string,
  options: CompleteNatsOptions,
  stats: EndpointStats,
): NatsSubscription[] {
  const { name, version, description, metadata, subject, queue } = options
  const identity = { name, id, version, metadata }
  const endpoint = { name: 'rpc', subject, queue_group: queue }
  const started = new Date().toISOString()
  const responses: Readonly<Record<string, () => object>> = {
    PING: () => ({ type: 'io.nats.micro.v1.ping_response', ...identity }),
    INFO: () => ({
      type: 'io.nats.micro.v1.info_response',
      ...identity,
      description,
      endpoints: [{ ...endpoint, metadata: { protocol: 'JSON-RPC 2.0' } }],
    }),
    STATS: () => ({
      type: 'io.nats.micro.v1.stats_response',
      ...identity,
      started,
      endpoints: [{ ...endpoint, ...describe(stats) }],
    }),
  }
  return Object.entries(responses).flatMap(([verb, respond]) => {
    const callback = (error: Error | null, message: NatsMessage) => {
      if (!error) message.respond(JSON.stringify(respond()))
    }
    const subjects = [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${id}`]
    return subjects.map((each) => connection.subscribe(each, { callback }))
  })
}

/** Times are in nanoseconds. */
function describe({ requests, errors, lastError, milliseconds }: EndpointStats): object {
  const time = Math.round(milliseconds * 1e6)
  return {
    num_requests: requests,
    num_errors: errors,
    last_error: lastError,
    processing_time: time,
    average_processing_time: requests === 0 ? 0 : Math.round(time / requests),
  }
}
