/**
 * A Vite plugin that generates when the dev server or a build starts, and on every change.
 *
 * @module
 */
import { isAbsolute, resolve } from 'node:path'
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import type { RpcConfig } from '../runtime/server/config.js'
import type { Command } from './arguments.js'
import { type Diagnostic, formatDiagnostic } from './diagnostic.js'
import type { Runner } from './watch.js'

/** Options of `rpcGen`: those of `rpc.config.ts`, which they override, and which configuration is meant. */
export interface RpcGenOptions extends Omit<RpcConfig, 'name' | 'RPC_METHODS_MODULES'> {
  /** The configuration file. Default: the nearest `rpc.config.*`, as for the command. */
  readonly config?: string
  /** The targets of the configuration to generate. Default: all. */
  readonly targets?: readonly string[]
}

/**
 * Returns a plugin that does what `rpc-gen` does in the working directory: before the dev server responds, before a build, and
 * again when a source, a type or the configuration changes.
 *
 * An error in the sources is shown in the browser's overlay while the dev server runs, until it is corrected; it ends a build.
 * Nothing is written then.
 *
 * @example
 * export default defineConfig({ plugins: [rpcGen()] })
 * @throws Error (at the start) for wrong options, with the text that the command prints
 */
export function rpcGen(options: RpcGenOptions = {}): Plugin {
  let logger: ResolvedConfig['logger'] = console as unknown as ResolvedConfig['logger']
  let server: ViteDevServer | undefined
  let runner: Runner | undefined
  let watching: { close(): void } | undefined
  let failure: Failure | undefined

  const setFailure = (next: Failure | undefined): void => {
    const previous = failure
    failure = next
    if (next) {
      logger.error(next.message)
      server?.ws.send(overlayOf(next))
    } else if (previous) {
      // The overlay is closed by an update only, and what was generated may be the same as before the error.
      server?.ws.send({ type: 'full-reload' })
    }
  }
  const createRunner = async (): Promise<Runner> => {
    // The compiler is loaded when it is needed.
    const { createRunner: create } = await import('./watch.js')
    const { doneLine } = await import('./report.js')
    return create(commandOf(options), undefined, {
      diagnostics: (found) => setFailure(failureOf(found)),
      usageError: (message) => setFailure({ message: `rpc-gen: ${message}` }),
      done(targets, changed) {
        setFailure(undefined)
        if (changed.length > 0) logger.info(`rpc-gen: ${doneLine(targets)}`)
      },
    })
  }
  return {
    name: 'rpc-gen',
    enforce: 'pre',
    configResolved(config) {
      logger = config.logger
    },
    async buildStart() {
      runner ??= await createRunner()
      // Builds of several environments, and repeated ones, begin anew.
      if (!runner.isHeld()) await runner.run()
      for (const file of runner.seen().files.keys()) {
        if (!file.includes('/node_modules/')) this.addWatchFile(file)
      }
      if (failure && !server) this.error(failure)
      if (server && server.config.server.watch !== null) await watch()
    },
    configureServer(created) {
      server = created
      server.ws.on('connection', () => {
        if (failure) server?.ws.send(overlayOf(failure))
      })
    },
    closeBundle() {
      watching?.close()
      watching = undefined
    },
  }

  async function watch(): Promise<void> {
    const { runOnChange } = await import('./watch.js')
    if (!runner || watching) return
    watching = runOnChange(runner, (error) => setFailure({ message: `rpc-gen: ${(error as Error).stack}` }))
  }
}

/** An error as Vite shows it; line and column are of the first diagnostic that has them. */
interface Failure {
  readonly message: string
  readonly id?: string
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number }
}

function failureOf(diagnostics: readonly Diagnostic[]): Failure {
  const message = diagnostics.map(formatDiagnostic).join('\n')
  const position = diagnostics.find((each) => each.position)?.position
  if (!position) return { message }
  const file = isAbsolute(position.file) ? position.file : resolve(position.file)
  return { message, id: file, loc: { ...position, file } }
}

function overlayOf(failure: Failure) {
  return { type: 'error' as const, err: { ...failure, stack: '', plugin: 'rpc-gen' } }
}

function commandOf({ config, targets, paths = [], ...options }: RpcGenOptions): Command {
  return {
    options: { ...options, paths: typeof paths === 'string' ? [paths] : paths },
    config,
    targets,
    check: false,
    watch: true,
    model: false,
    json: false,
    help: false,
    version: false,
  }
}
