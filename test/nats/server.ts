import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RpcContext, RpcServer } from 'rpc-gen'
import type { NatsEnv } from 'rpc-gen/nats'

/** What the programs of docs/guide/nats.md serve in the tests. */
export const server = new RpcServer({ onError: () => {} })

function add(a: number, b: number): number {
  return a + b
}

/** Notes in a file that a call has begun, and returns after some time. */
async function work(key: string, ms: number): Promise<readonly [key: string, pid: number]> {
  const log = process.env['WORK_LOG']
  if (log) appendFileSync(log, `${key}\n`)
  await sleep(ms)
  return [key, process.pid]
}

/** Uses the processor for some time. */
function burn(ms: number): number {
  const end = performance.now() + ms
  while (performance.now() < end);
  return ms
}

function where({ request, env, transport }: RpcContext<NatsEnv>): object {
  return { header: request.headers.get('X-Test'), subject: env?.message.subject, transport }
}

function repeat(text: string, times: number): string {
  return text.repeat(times)
}

for (const [name, fn] of Object.entries({ add, work, burn, repeat })) {
  server.registerProcedure(fn as () => unknown, { name, unchecked: true })
}
server.registerProcedure(where as () => unknown, { name: 'where', unchecked: true, contextTarget: 0 })
server.registerProcedure(() => 'open', {
  name: 'secret',
  unchecked: true,
  auth: (request) => request.headers.get('Authorization') === 'Bearer sesame',
})
