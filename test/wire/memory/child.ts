import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { compileRuntime } from './compile.mjs'

/** A server in a separate process, which reports its memory. */
export interface Child {
  readonly port: number
  query(what: 'memory' | 'connections' | 'keep'): Promise<number>
  /** A connection to it; errors are of no interest. */
  connect(): Promise<Socket>
  stop(): void
}

interface ChildMessage {
  readonly port?: number
  readonly id?: number
  readonly result?: number
}

export async function startChild(): Promise<Child> {
  const folder = compileRuntime()
  const script = join(import.meta.dirname, 'server.mjs')
  const child = fork(script, [folder], { execArgv: ['--expose-gc'] })
  const waiting = new Map<number, (result: number) => void>()
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    child.on('message', ({ port, id = 0, result = 0 }: ChildMessage) => {
      if (port === undefined) waiting.get(id)?.(result)
      else resolve(port)
    })
  })
  return {
    port,
    query(what) {
      return new Promise((resolve) => {
        waiting.set(waiting.size, resolve)
        child.send({ id: waiting.size - 1, query: what })
      })
    },
    connect() {
      return new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket))
        socket.on('error', () => {})
      })
    },
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
