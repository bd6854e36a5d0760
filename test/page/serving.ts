import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { generate } from 'rpc-gen/generator'
import type { Manifest } from '../../runtime/manifest.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const compilerOptions = {
  target: 'ES2023',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  typeRoots: [at('../../node_modules/@types')],
  types: ['node'],
  paths: {
    'rpc-gen': [at('../../runtime/index.ts')],
    'rpc-gen/client': [at('../../runtime/client/index.ts')],
    'rpc-gen/codegen/v1': [at('../../runtime/codegen.ts')],
  },
}

/** Compiles api.ts, in a folder that is gone again. */
export async function compileApi(): Promise<Manifest> {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-page-'))
  try {
    return await compileIn(folder, 'api.ts')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Compiles a file of this folder in another one, where what was generated stays: `rpc.gen.ts` and `client.gen.ts`. */
export async function compileIn(folder: string, name: string): Promise<Manifest> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(folder, name), readFileSync(at(name), 'utf8'))
  const paths = { paths: [name], out: 'rpc.gen.ts', client: 'client.gen.ts' }
  const { files, diagnostics } = await generate({ cwd: folder, ...paths })
  const [file] = files
  if (!file) throw new Error(JSON.stringify(diagnostics))
  for (const { path, text } of files) writeFileSync(path, text)
  const generated: { procedures: Manifest } = await import(join(folder, 'rpc.gen.ts'))
  return generated.procedures
}

/** An app on a port of its own. */
export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** Serves it. */
export function startApp(app: Hono): Promise<Served> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }: AddressInfo) => {
      const stop = () => new Promise<void>((done) => server.close(() => done()))
      resolve({ url: `http://127.0.0.1:${port}`, stop })
    })
  })
}
