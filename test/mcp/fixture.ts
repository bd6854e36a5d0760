import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { RpcServer, type RpcServerOptions } from 'rpc-gen'
import type { Manifest } from '../../runtime/call/types.js'
import { compileModule } from '../support/compile-module.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Where procedures.ts of this directory is compiled, and its procedures. */
export interface Fixture {
  readonly folder: string
  readonly procedures: Manifest
}

/** Compiles procedures.ts, or another text, in a separate folder. */
export async function compileFixture(
  text = readFileSync(join(import.meta.dirname, 'procedures.ts'), 'utf8'),
): Promise<Fixture> {
  const folder = temporaryFolder('mcp')
  return { folder, procedures: await compileModule(folder, 'procedures.ts', text) }
}

export const info = { title: 'Fixture', version: '1.2.3', description: 'Ask before you place an order.' }

export function createServer({ procedures }: Fixture, options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, info, ...options })
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
    nodePaths: [join(root, 'node_modules')],
    tsconfig: join(root, 'tsconfig.json'),
    alias: {
      'rpc-gen': join(root, 'runtime/index.ts'),
      'rpc-gen/mcp': join(root, 'runtime/mcp/index.ts'),
      'rpc-gen/codegen/v1': join(root, 'runtime/codegen.ts'),
    },
  })
  return program
}
