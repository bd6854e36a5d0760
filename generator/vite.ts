/**
 * A Vite plugin that generates when the dev server or a build starts, and on every change.
 *
 * @module
 */
import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import type { RpcConfig } from '../runtime/config.js'
import type { Command } from './command/arguments.js'
import type { Loop, Runner } from './command/watch.js'
import { type Diagnostic, formatDiagnostic } from './diagnostics/diagnostic.js'
import type { ReadFile, Seen } from './disk/disk.js'
import { stampAt } from './disk/stamps.js'
import { buildOptionsOf, checkTarget } from './options/options.js'

/** Options of `rpcGen`: those of `rpc.config.ts`, which they override, and the configuration file itself. */
export interface RpcGenOptions extends Omit<RpcConfig, 'name'> {
  /** The configuration file. Default: the nearest `rpc.config.*`, as for the command. */
  readonly config?: string
  /** The targets of the configuration to generate. Default: all. */
  readonly targets?: readonly string[]
}

/**
 * Returns a plugin that runs `rpc-gen` in the working directory: before the dev server responds, before a build, and
 * again when a source, a type or the configuration changes.
 *
 * The dev server responds to no request between a change and its generation. Errors in the sources are shown in the browser's
 * overlay until they are corrected, and importing the generated module throws them; a build throws them. No output is written then.
 *
 * @example
 * export default defineConfig({ plugins: [rpcGen()] })
 * @throws UsageError for an option that does not exist or has an invalid value; at the start if a named file or target does not exist
 */
export function rpcGen(options: RpcGenOptions = {}): Plugin {
  const generation = new Generation(options)
  return {
    name: 'rpc-gen',
    enforce: 'pre',
    configResolved({ logger }) {
      generation.logger = logger
    },
    configureServer(server) {
      generation.server = server
      server.ws.on('connection', () => generation.sendFailure())
      // Otherwise a request could load a changed source with the module of the version before.
      server.middlewares.use((_request, _response, next) => void generation.caughtUp().then(() => next(), next))
    },
    async buildStart() {
      const { sources, failure } = await generation.run()
      for (const file of sources) this.addWatchFile(file)
      const { server } = generation
      if (failure && !server) this.error(failure)
      if (server && server.config.server.watch !== null) await generation.watch()
    },
    // Vite waits for it before it loads the file again.
    watchChange: () => generation.notice(),
    load(id) {
      const failure = generation.failureOf(id)
      if (failure) this.error(failure)
    },
    closeBundle() {
      generation.close()
    },
  }
}

/** The runs of a plugin for one dev server or build. */
class Generation {
  readonly #command: Command
  logger: Pick<ResolvedConfig['logger'], 'info' | 'error'> = console
  server: ViteDevServer | undefined
  #runner: Runner | undefined
  #watching: Loop | undefined
  #failure: Failure | undefined
  /** What the last run without errors has read. */
  #read: Seen['files'] = new Map()
  /** The generated modules. */
  #modules: readonly string[] = []
  /** The last noticed stamps of files, which a run does not read again if only their times have changed. */
  readonly #noticed = new Map<string, string | undefined>()

  constructor(options: RpcGenOptions) {
    this.#command = commandOf(options)
  }

  /** Generates unless nothing has changed since the last run; returns the sources and their error, if any. */
  async run(): Promise<{ readonly sources: readonly string[]; readonly failure: Failure | undefined }> {
    // The compiler is loaded on demand.
    const [{ createRunner }, { doneLine }] = await Promise.all([
      import('./command/watch.js'),
      import('./command/report.js'),
    ])
    this.#runner ??= createRunner(this.#command, {
      diagnostics: (found, targets) => {
        this.#modules = targets.map(({ options }) => options.out)
        this.#setFailure(failureOf(found))
      },
      usageError: (message) => this.#setFailure({ message: `rpc-gen: ${message}` }),
      done: (targets, changed) => {
        this.#modules = targets.map(({ options }) => options.out)
        this.#setFailure(undefined)
        // Vite notices them too, but perhaps after the next request, and not all at once.
        this.#invalidate([...changed.map(({ path }) => path), ...this.#changedSources()])
        if (changed.length > 0) this.logger.info(`rpc-gen: ${doneLine(targets)}`)
      },
    })
    // A build may start several times, once for each environment.
    if (!this.#runner.isUpToDate()) await this.#runner.run()
    return { sources: this.#sources().map(([path]) => path), failure: this.#failure }
  }

  /** The files of the project that the last run has read. */
  #sources(): readonly (readonly [path: string, file: ReadFile])[] {
    return [...(this.#runner?.seen().files ?? [])].filter(([path]) => !path.includes('/node_modules/'))
  }

  async watch(): Promise<void> {
    const { runOnChange } = await import('./command/watch.js')
    if (!this.#runner || this.#watching) return
    this.#watching = runOnChange(this.#runner, (error) => {
      this.#setFailure({ message: `rpc-gen: ${(error as Error).stack}` })
    })
  }

  /** Takes note of a change that Vite has noticed; resolves when it is generated. */
  async notice(): Promise<void> {
    this.#watching?.notice()
    await this.#watching?.settled()
  }

  /** Resolves when every change of a source is generated, also one that nothing has noticed yet: a request may be faster than an event. */
  async caughtUp(): Promise<void> {
    if (!this.#watching) return
    for (const [path, { stamp }] of this.#sources()) {
      const found = stampAt(path)
      if (found === (this.#noticed.get(path) ?? stamp)) continue
      this.#noticed.set(path, found)
      this.#watching.notice()
    }
    await this.#watching.settled()
  }

  /** The error of the sources, for a generated module. */
  failureOf(id: string): Failure | undefined {
    return this.#modules.includes(id) ? this.#failure : undefined
  }

  close(): void {
    this.#watching?.close()
    this.#watching = undefined
  }

  /** Shows the error, if any, in every open page. */
  sendFailure(): void {
    if (this.#failure) this.server?.ws.send({ type: 'error', err: { ...this.#failure, plugin: 'rpc-gen' } })
  }

  #setFailure(failure: Omit<Failure, 'stack'> | undefined): void {
    const previous = this.#failure
    this.#failure = failure && { ...failure, stack: '' }
    if (failure || previous) this.#invalidate(this.#modules)
    if (failure) {
      // Of a build Vite shows the error that ends it.
      if (this.server) this.logger.error(failure.message)
      this.sendFailure()
    } else if (previous) {
      // Only an update closes the overlay, and the generated files may be the same as before the error.
      this.server?.ws.send({ type: 'full-reload' })
    }
  }

  /** Returns the files that have changed since the last run without errors. */
  #changedSources(): readonly string[] {
    const before = this.#read
    this.#read = this.#runner?.seen().files ?? before
    return [...this.#read].filter(([path, { hash }]) => before.get(path)?.hash !== hash).map(([path]) => path)
  }

  /** Lets the server load files again. */
  #invalidate(files: readonly string[]): void {
    if (!this.server) return
    // Vite 5 has one graph.
    const { environments = { server: this.server } } = this.server as Partial<ViteDevServer>
    for (const { moduleGraph } of Object.values(environments)) for (const file of files) moduleGraph.onFileChange(file)
  }
}

/** An error as Vite shows it, without the stack of the plugin; line and column are of the first diagnostic that has them. */
interface Failure {
  readonly message: string
  readonly stack: ''
  readonly id?: string
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number }
}

function failureOf(diagnostics: readonly Diagnostic[]): Omit<Failure, 'stack'> {
  const message = diagnostics.map(formatDiagnostic).join('\n')
  const position = diagnostics.find((each) => each.position)?.position
  if (!position) return { message }
  const file = resolve(position.file)
  return { message, id: file, loc: { ...position, file } }
}

function commandOf(given: RpcGenOptions): Command {
  const further = { config: 'file', targets: 'texts' } as const
  const { config, targets, ...options } = checkTarget<RpcGenOptions>(given, 'rpcGen()', further)
  return { options: buildOptionsOf(options), config, target: targets }
}
