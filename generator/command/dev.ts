// `rpc-gen dev -- tsx src/rpc.ts`: generates, then starts a command, and does both again after every change.
// The order is the point of it: a tool that only watches the sources restarts before the module is generated again, and serves a procedure
// with the validators of the version before.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../diagnostics/diagnostic.js'
import { type Command, parseArguments, usage } from './arguments.js'
import { print } from './report.js'
import { createRunner, endingSignals, printReports, type Runner, runUntilStopped } from './watch.js'

/** A process gets this time, in milliseconds, to end after SIGTERM; then it is killed. */
const grace = 3000

/** Signals within this time, in milliseconds, are one. */
const repeated = 500

/** The words of a command that restarts on changes: `tsx watch`, `node --watch`, `bun --hot`, `nodemon`. */
const watchers = /^(?:watch|--watch|--hot|(?:.*\/)?(?:nodemon|ts-node-dev))(?:[-=]|$)/

/**
 * Runs until a signal ends the process, or the end of one of those that `startersOf` returned. Throws UsageError for wrong arguments,
 * if the first run does, and if the command cannot be started at all.
 */
export async function dev(argv: readonly string[], starters: string): Promise<0> {
  const [own, started] = splitArguments(argv)
  const command = parseArguments(own, 'dev')
  if (command.help) {
    process.stdout.write(usage)
    return 0
  }
  const watcher = command.noRestart ? undefined : started.find((each) => watchers.test(each))
  if (watcher) {
    const reason = 'restarts before the module is generated: rpc-gen dev restarts the program itself'
    print('stderr', [`rpc-gen: warning: ${watcher} ${reason}`])
  }
  const server = createServerProcess(started)
  let since = Number.POSITIVE_INFINITY
  // A second signal ends the process at once, and every end of it ends the group. npm passes on a Ctrl-C that the terminal has sent to all.
  const leave = (): void => {
    if (performance.now() > since + repeated) process.exit(1)
  }
  process.once('exit', server.kill)
  try {
    await runUntilStopped(restarting(command, server), command, starters)
  } finally {
    since = performance.now()
    for (const signal of endingSignals) process.on(signal, leave)
    await server.close()
    for (const signal of endingSignals) process.off(signal, leave)
  }
  return 0
}

/** Returns the arguments before the first `--`, and the command behind it. */
function splitArguments(argv: readonly string[]): [own: readonly string[], command: readonly string[]] {
  const at = argv.indexOf('--')
  const own = at === -1 ? argv : argv.slice(0, at)
  const isHelp = own.some((each) => each === '--help' || each === '-h')
  if (isHelp || (at !== -1 && at < argv.length - 1)) return [own, argv.slice(own.length + 1)]
  throw new UsageError('dev needs the command to start, behind --: rpc-gen dev -- tsx src/rpc.ts')
}

/** Returns a runner that starts the command after each run without errors. After a run with errors the running command is kept. */
function restarting(command: Command, server: ServerProcess): Runner {
  const reporter = printReports(command)
  let isDone = false
  const explain = (): void => {
    const outcome = server.isRunning() ? 'keeps running as it is' : 'is started when the errors are corrected'
    print('stderr', [`rpc-gen: ${server.name} ${outcome}`])
  }
  const runner = createRunner(command, {
    diagnostics(...reported) {
      reporter.diagnostics(...reported)
      explain()
    },
    usageError(message) {
      reporter.usageError(message)
      explain()
    },
    done(...reported) {
      isDone = true
      reporter.done(...reported)
    },
  })
  return {
    ...runner,
    async run() {
      // It would read the changed sources with the module of the version before.
      server.pause()
      for (;;) {
        isDone = false
        await runner.run()
        // A change in the meantime can be an error, which keeps the running command.
        if (!runner.isUpToDate()) continue
        if (!isDone || (command.noRestart && server.isRunning())) return server.resume()
        await server.stop()
        if (runner.isUpToDate()) return server.start()
      }
    },
  }
}

/** A command that is started again and again. */
interface ServerProcess {
  /** The command as it was typed. */
  readonly name: string
  /** Resolves when it runs. A start that fails is printed; if it is the first one, it throws UsageError. */
  start(): Promise<void>
  /** Stops the process and all that it started from running, until `resume`. Not on Windows, which has no such signal. */
  pause(): void
  resume(): void
  /** Ends the process and all that it started, paused or not. Resolves when they have ended. */
  stop(): Promise<void>
  /** The same, and `start` has no effect any more. */
  close(): Promise<void>
  /** Kills the process and all that it started. */
  kill(): void
  isRunning(): boolean
}

/** SIGKILL, also of a process that a shell or tsx started, which report it as the status 128 + 9; or the status. */
function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  const [relayed] = Object.entries(constants.signals).find(([, each]) => !isWindows && each + 128 === code) ?? []
  return signal ?? relayed ?? `status ${code}`
}

function createServerProcess([file = '', ...args]: readonly string[]): ServerProcess {
  const name = [file, ...args].join(' ')
  let running: ChildProcess | undefined
  let ending = Promise.resolve()
  let [isClosed, isStartable] = [false, false]

  function ended(child: ChildProcess, how: string): void {
    if (running !== child) return
    running = undefined
    signalGroup(child, 'SIGKILL')
    print('stderr', [`rpc-gen: ${name} ${how}; the next change starts it again`])
  }

  function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    if (running && !isWindows) signalGroup(running, name)
  }

  function stop(): Promise<void> {
    if (running) ending = endGroup(name, running)
    running = undefined
    return ending
  }

  return {
    name,
    async start() {
      if (isClosed) return
      const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'], env: childEnv(), ...platformOptions })
      running = child
      child.once('exit', (code, signal) => ended(child, `ended with ${endOf(code, signal)}`))
      const failure = await startFailure(child, file)
      isStartable ||= !failure
      if (!failure) return
      if (isStartable) return ended(child, failure)
      running = undefined
      throw new UsageError(`${file} ${failure}`)
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    stop,
    close() {
      isClosed = true
      return stop()
    },
    kill() {
      if (running) signalGroup(running, 'SIGKILL')
    },
    isRunning: () => running !== undefined,
  }
}

/** Resolves to undefined when a process runs, or to the reason if it was not started. */
function startFailure(child: ChildProcess, file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(undefined))
    child.once('error', (error) => resolve(`cannot be started: ${reasonOf(error, file)}`))
  })
}

/** Returns why a command is not started. */
function reasonOf({ code, message }: NodeJS.ErrnoException, file: string): string {
  if (code === 'EACCES') return 'it is not executable'
  if (code !== 'ENOENT') return message
  return /[\\/]/.test(file) ? 'there is no such file' : 'there is no such command in PATH'
}

/** Ends a process and all that it started; kills them if they take too long. */
async function endGroup(name: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + grace
  signalGroup(child, 'SIGTERM')
  // A paused process receives no other signal.
  if (!isWindows) signalGroup(child, 'SIGCONT')
  while (signalGroup(child, 0)) {
    if (performance.now() > until) {
      print('stderr', [`rpc-gen: ${name} did not end within ${grace / 1000} s and is killed`])
      signalGroup(child, 'SIGKILL')
      return
    }
    await sleep(10)
  }
}

const isWindows = process.platform === 'win32'

/** The variable changes the warning of a generated module that is older than its sources. */
function childEnv(): NodeJS.ProcessEnv {
  return { ...process.env, RPC_GEN_DEV: '1' }
}

/**
 * The process leads a group, which ends with it. Such a group cannot read from the terminal. On Windows there are no groups, and the
 * commands of packages are batch files, which need a shell.
 */
const platformOptions = isWindows ? { shell: true } : { detached: true }

/** Sends a signal to a process and to all that it started, 0 to none. Returns false if none of them is running. */
function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  if (isWindows) {
    if (signal !== 0) spawnSync('taskkill', ['/pid', `${pid}`, '/T', '/F'])
    return exitCode === null && signalCode === null
  }
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
