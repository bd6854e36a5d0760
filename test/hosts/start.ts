import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, transformSync } from 'esbuild'
import { root } from '../support/paths.js'
import { freePort, isListening, startProcess } from '../support/process.js'
import { requireBuild } from '../support/project.js'
import { shown } from './pages.js'

const here = join(root, 'test/hosts')

/**
 * Writes the programs of the pages and of test/hosts/programs in JavaScript, beside the server that they mount; `rpc-gen`
 * there is dist/. Returns their folder, which has the name of the test.
 *
 * @param change what is written for the text of a page
 */
export async function writePrograms(name: string, change = (text: string) => text): Promise<string> {
  requireBuild()
  const programs = join(here, 'dist', name)
  rmSync(programs, { recursive: true, force: true })
  mkdirSync(join(programs, 'node_modules'), { recursive: true })
  symlinkSync(root, join(programs, 'node_modules/rpc-gen'))
  // Bun would find that of the project, whose paths are the sources.
  writeFileSync(join(programs, 'tsconfig.json'), '{}\n')
  cpSync(join(here, 'programs'), programs, { recursive: true })
  for (const { file, text } of shown) {
    // That of test/hosts/programs needs no NATS server and no database.
    if (file === 'resources.ts') continue
    const path = join(programs, file.replace(/ts$/, 'js'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, transformSync(change(text), { loader: 'ts' }).code)
  }
  await build({
    entryPoints: [join(here, 'server.ts')],
    outdir: programs,
    bundle: true,
    packages: 'external',
    format: 'esm',
    // The project's configuration resolves `rpc-gen` to the sources.
    tsconfigRaw: {},
  })
  return programs
}

export interface Running {
  readonly origin: string
  /** Sends SIGTERM to the process. */
  terminate(): void
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>
  stop(): Promise<unknown>
  /** What it has written so far. */
  log(): string
}

/** What runs a program, and why it cannot be run here. */
export interface Runtime {
  readonly skipReason: string | undefined
  command(program: string, port: number): readonly string[] | Promise<readonly string[]>
}

export const node: Runtime = { skipReason: undefined, command: (program) => [process.execPath, program] }

/** Starts a program on a free port and waits until it listens. */
export async function start(runtime: Runtime, programs: string, file: string): Promise<Running> {
  const port = await freePort()
  const command = await runtime.command(join(programs, file.replace(/ts$/, 'js')), port)
  const env = { ...process.env, PORT: String(port), DENO_DIR: join(programs, 'deno'), DENO_NO_UPDATE_CHECK: '1' }
  const { ended, kill, stop, log } = await startProcess(command, {
    cwd: programs,
    env,
    isReady: () => isListening(port),
  })
  return { origin: `http://127.0.0.1:${port}`, ended, stop, log, terminate: () => kill('SIGTERM') }
}
