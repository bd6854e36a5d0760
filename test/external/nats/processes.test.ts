import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Connection, connect, discover, noNats, startNats, startService, writePrograms } from '../../nats/start.js'
import type { Started } from '../../support/process.js'
import { skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

// Three processes of the program of docs/guide/nats.md, one of which ends under load.

interface Api {
  work: (key: string, ms: number) => [key: string, pid: number]
}

/** Calls in flight at any time. */
const LOAD = 60

/** Milliseconds that a call takes: varied, so that calls are in flight at any time. */
const durationOf = (key: string) => 10 + ((Number(key) * 7) % 40)

describe.skipIf(skipped('rpc-gen/nats in several processes', noNats))('three processes', () => {
  let url: string
  let stopNats: () => Promise<void>
  let caller: Connection
  let folder: string
  let log: string
  let processes: readonly Started[]

  beforeAll(async () => {
    await writePrograms()
    const running = await startNats()
    url = running.url
    stopNats = running.stop
    caller = await connect(url)
    folder = temporaryFolder('nats-log')
  })

  afterAll(async () => {
    await caller?.close()
    await stopNats?.()
  })

  async function startThree(name: string): Promise<void> {
    log = join(folder, name)
    processes = await Promise.all([0, 1, 2].map(() => startService(url, log)))
    onTestFinished(async () => {
      for (const each of processes) each.kill('SIGKILL')
      await Promise.all(processes.map(({ ended }) => ended))
    })
    await expect.poll(countProcesses, { timeout: 30_000, interval: 200 }).toBe(3)
  }

  async function countProcesses(): Promise<number> {
    let count = 0
    try {
      for await (const _ of await discover(caller).ping('tools')) count += 1
    } catch {
      // No responder yet.
    }
    return count
  }

  /** Keeps calls in flight, and ends one process after 500 ms; the results are in the order of the keys. */
  async function endOneUnderLoad(
    signal: 'SIGKILL' | 'SIGTERM',
    call: (key: string) => Promise<[key: string, pid: number]>,
  ): Promise<PromiseSettledResult<[key: string, pid: number]>[]> {
    const outcomes: Promise<PromiseSettledResult<[string, number]>[]>[] = []
    const until = performance.now() + 1500
    let next = 0
    const worker = async () => {
      while (performance.now() < until) {
        const key = `${next++}`
        const outcome = Promise.allSettled([call(key)])
        outcomes[Number(key)] = outcome
        await outcome
      }
    }
    const workers = Array.from({ length: LOAD }, worker)
    await sleep(500)
    processes[0]?.kill(signal)
    await Promise.all(workers)
    return (await Promise.all(outcomes)).flat()
  }

  /** How often each call has begun, by its key. */
  function timesBegun(): ReadonlyMap<string, number> {
    const times = new Map<string, number>()
    for (const key of readFileSync(log, 'utf8').trim().split('\n')) times.set(key, (times.get(key) ?? 0) + 1)
    return times
  }

  function expectOwnResults(outcomes: readonly PromiseSettledResult<[string, number]>[]): void {
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') expect(outcome.value[0]).toBe(`${i}`)
    }
  }

  test('all of them work', async () => {
    await startThree('all')
    const client = createClient<Api>('nats:tools', { transport: nats(caller), timeoutMs: 5000 })
    const results = await Promise.all(Array.from({ length: 200 }, (_, i) => client.work(`${i}`, 1)))
    expect(new Set(results.map(([, pid]) => pid))).toEqual(new Set(processes.map(({ pid }) => pid)))
  })

  test('SIGTERM: every call has its result and has run once, and the process ends', async () => {
    await startThree('term')
    const client = createClient<Api>('nats:tools', { transport: nats(caller), timeoutMs: 5000 })
    const outcomes = await endOneUnderLoad('SIGTERM', (key) => client.work(key, durationOf(key)))
    expect(await processes[0]?.ended).toBe(0)
    expect(outcomes.length).toBeGreaterThan(LOAD)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    expectOwnResults(outcomes)
    expect([...timesBegun().values()].filter((times) => times !== 1)).toEqual([])
  })

  test('SIGKILL: calls of the process reject with a TimeoutError, and no call has run twice', async () => {
    await startThree('kill')
    const client = createClient<Api>('nats:tools', { transport: nats(caller), timeoutMs: 1000 })
    const outcomes = await endOneUnderLoad('SIGKILL', (key) => client.work(key, durationOf(key)))
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(rejected.length).toBeGreaterThan(0)
    // At most those that were in flight.
    expect(rejected.length).toBeLessThanOrEqual(LOAD)
    expect(rejected.filter(({ name }) => name !== 'TimeoutError')).toEqual([])
    expectOwnResults(outcomes)
    expect([...timesBegun().values()].filter((times) => times !== 1)).toEqual([])
  })

  test('SIGKILL: an idempotent call is sent again, and has its result', async () => {
    await startThree('idempotent')
    let requests = 0
    const counting: Connection = Object.create(caller, {
      request: {
        value: (...params: Parameters<Connection['request']>) => {
          requests += 1
          return caller.request(...params)
        },
      },
    })
    const client = createClient<Api>('nats:tools', {
      transport: nats(counting),
      timeoutMs: 1000,
      idempotent: ['work'],
    })
    const outcomes = await endOneUnderLoad('SIGKILL', (key) => client.work(key, durationOf(key)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    expectOwnResults(outcomes)
    expect(requests).toBeGreaterThan(outcomes.length)
  })

  test('the last process ends and another one starts: an idempotent call waits for it', async () => {
    await startThree('none')
    for (const each of processes) each.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    const client = createClient<Api>('nats:tools', {
      transport: nats(caller),
      timeoutMs: 5000,
      idempotent: ['work'],
      retries: { attempts: 20, baseMs: 200, maxMs: 500 },
    })
    const call = client.work('late', 1)
    await expect(client.$with({ retries: 0 }).work('never', 1)).rejects.toThrow('no service listens on the subject')
    processes = [await startService(url, log)]
    expect(await call).toEqual(['late', processes[0]?.pid])
    expect(timesBegun()).toEqual(new Map([['late', 1]]))
  })
})
