#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Command, parseArguments, usage } from './arguments.js'
import { findConfig } from './config/find.js'
import { loadConfig } from './config/load.js'
import { withConfig } from './config/merge.js'
import type { Generated } from './index.js'
import { type GenerateOptions, slashes, UsageError } from './options.js'
import { lookOf, showDiagnostic } from './terminal.js'

/** 0 done; 1 errors in the sources, or a stale file under --check; 2 wrong usage. */
type ExitStatus = 0 | 1 | 2

async function main(argv: readonly string[]): Promise<ExitStatus> {
  try {
    const command = parseArguments(argv)
    if (command.help) return print(usage)
    if (command.version) return print(`${ownVersion()}\n`)
    return await run(command)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`rpc-gen: ${error.message}\n`)
    return 2
  }
}

async function run(command: Command): Promise<ExitStatus> {
  const options = await configured(command)
  // Loaded only now: the compiler is half of what a small run costs.
  const { generate } = await import('./index.js')
  const generated = await generate(options)
  if (generated.diagnostics.length > 0) return report(generated, command)
  if (command.model) return print(`${JSON.stringify(generated.model, null, 2)}\n`)
  return command.check ? check(generated) : write(generated)
}

/** The options of the command line over those of the configuration, where there is one. */
async function configured({ options, config }: Command): Promise<GenerateOptions> {
  const path = config === undefined ? findConfig(process.cwd()) : resolve(config)
  if (path === undefined) return options
  return withConfig(options, await loadConfig(path), path)
}

function print(text: string): ExitStatus {
  process.stdout.write(text)
  return 0
}

function report({ diagnostics }: Generated, { json }: Command): ExitStatus {
  const look = lookOf(process.stderr, process.env)
  const lines = diagnostics.map((each) => (json ? JSON.stringify(each) : showDiagnostic(each, look, process.cwd())))
  const count = diagnostics.length === 1 ? '1 error' : `${diagnostics.length} errors`
  process.stderr.write(`${lines.join('\n')}\n${json ? '' : `${count}, nothing was written\n`}`)
  return 1
}

async function check({ files }: Generated): Promise<ExitStatus> {
  const { isCurrent } = await import('./write.js')
  const stale = files.filter((file) => !isCurrent(file))
  for (const { path } of stale) process.stderr.write(`${shown(path)} is stale: run rpc-gen\n`)
  return stale.length > 0 ? 1 : 0
}

async function write({ files, model, sources }: Generated): Promise<ExitStatus> {
  const { checkTargets, writeFiles } = await import('./write.js')
  checkTargets(files)
  const changed = writeFiles(files)
  const outputs = files.map(({ path }) => shown(path)).join(', ')
  const seconds = (performance.now() / 1000).toFixed(2)
  const found = `${counted(model.procedures.length, 'procedure')} in ${counted(sources, 'file')}`
  return print(`${found} → ${outputs}${changed.length === 0 ? ' (unchanged)' : ''}, ${seconds} s\n`)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function shown(path: string): string {
  return slashes(relative(process.cwd(), path))
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return version
}

process.exitCode = await main(process.argv.slice(2))
