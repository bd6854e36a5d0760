import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServerType, serve } from '@hono/node-server'
import { build } from 'esbuild'
import type { Hono } from 'hono'
import { RpcServer, type RpcServerOptions } from 'rpc-gen'
import type { Manifest } from '../../runtime/call/types.js'
import { compileModule } from '../support/compile-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where procedures.ts of this directory is compiled, and its procedures. */
export interface Fixture {
  readonly folder: string
  readonly procedures: Manifest
}

/** Compiles procedures.ts, or another text, in a separate folder. */
export async function compileFixture(text = readFileSync(at('procedures.ts'), 'utf8')): Promise<Fixture> {
  const folder = temporaryFolder('mcp')
  return { folder, procedures: await compileModule(folder, 'procedures.ts', text) }
}

export const info = { title: 'Fixture', version: '1.2.3', description: 'Ask before you place an order.' }

export function createServer({ procedures }: Fixture, options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, info, ...options })
}

/** Serves an app on a free port of this machine. */
export async function listen(app: Hono): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server: ServerType = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Writes the program that serves the fixture over stdio, in one file of JavaScript. Returns its path. */
export async function writeStdioProgram({ folder }: Fixture): Promise<string> {
  const program = join(folder, 'stdio.mjs')
  const contents = `import { serveStdio } from 'rpc-gen/mcp'
import { server } from './rpc.gen.js'

await serveStdio(server)
`
  await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    nodePaths: [at('../../node_modules')],
    tsconfig: at('../../tsconfig.json'),
    alias: {
      'rpc-gen': at('../../runtime/index.ts'),
      'rpc-gen/mcp': at('../../runtime/mcp/index.ts'),
      'rpc-gen/codegen/v1': at('../../runtime/codegen.ts'),
    },
  })
  return program
}
