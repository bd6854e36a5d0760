#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { cacheOf, type Manifest, readCached, revalidate } from '../build/cache/fresh.js'
import { exitOnOutputError } from './output-error.js'

// The build bundles this file, fresh.js and output-error.js into one CommonJS file, because Node starts that in less time. So only node
// built-ins and what fresh.js imports may be imported here, and there is no top-level await.

/** Prints that the outputs are unchanged, if they are, and returns true. Only node built-ins are loaded then, and store.js if stamps were renewed. */
async function isDone(argv: readonly string[], cwd: string): Promise<boolean> {
  const cache = cacheOf(cwd, argv)
  const manifest = cache && readCached<Manifest>(cache, 'manifest')
  const valid = manifest && revalidate(manifest)
  if (!cache || !valid) return false
  const seconds = (performance.now() / 1000).toFixed(2)
  write(argv.includes('--json') ? 2 : 1, `${valid.line} (unchanged), ${seconds} s\n`)
  if (valid !== manifest) (await import('../build/cache/store.js')).store(cache, 'manifest', valid)
  return true
}

/** Prints a text. Creating the stream of stdout costs more than checking a hundred files. */
function write(to: 1 | 2, text: string): void {
  try {
    writeSync(to, text)
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    if (failure.code !== 'EAGAIN') exitOnOutputError(failure)
    // A pipe that is full for now.
    const stream = process[to === 1 ? 'stdout' : 'stderr']
    stream.on('error', exitOnOutputError)
    stream.write(text)
  }
}

/**
 * When V8 optimises a function, by V8's major version. With its defaults, which are for servers, a third of a run is spent on optimising
 * code that the run hardly needs any more. Other versions keep their defaults: V8 prints an error if it does not know a flag.
 */
const optimising: Readonly<Record<string, string>> = {
  '11': '--interrupt-budget=500000',
  '12': '--invocation-count-for-turbofan=100000',
  '13': '--invocation-count-for-turbofan=100000',
  '14': '--invocation-count-for-turbofan=100000',
}

async function start(argv: readonly string[]): Promise<void> {
  if (await isDone(argv, process.cwd())) return
  const flag = optimising[Number.parseInt(process.versions.v8, 10)]
  if (flag) process.getBuiltinModule('node:v8').setFlagsFromString(flag)
  // Node 20 does not have the compile cache. Loading the compiler takes half of a small run.
  const loading = process.getBuiltinModule('node:module') as object as { enableCompileCache?(): unknown }
  loading.enableCompileCache?.()
  const { main } = await import('./main.js')
  process.exitCode = await main(argv)
}

void start(process.argv.slice(2))
