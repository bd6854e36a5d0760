import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RpcConfig } from '../../runtime/config.js'
import { UsageError } from '../options.js'
import { checkConfig } from './check.js'

/** Reads a configuration file. Throws UsageError that names the file and what is wrong in it. */
export async function loadConfig(path: string): Promise<RpcConfig> {
  return checkConfig(await readConfig(path), path)
}

async function readConfig(path: string): Promise<unknown> {
  try {
    if (basename(path) === 'package.json') return readJson(path)['rpc-gen']
    if (path.endsWith('.json')) return readJson(path)
    return path.endsWith('.ts') ? await importTypeScript(path) : await importDefault(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Each run reads it anew: a watching process would be given the first version for ever. */
async function importDefault(path: string): Promise<unknown> {
  const module = await import(`${pathToFileURL(path).href}?${Date.now()}`)
  return module.default
}

/** Node 20 cannot run TypeScript: its types are taken off into a file beside it, so that its own imports still resolve. */
async function importTypeScript(path: string): Promise<unknown> {
  const { stripTypes } = await import('../source/strip.js')
  const plain = join(dirname(path), `.${basename(path)}.${process.pid}.mjs`)
  writeFileSync(plain, stripTypes(readFileSync(path, 'utf8')))
  try {
    return await importDefault(plain)
  } finally {
    rmSync(plain, { force: true })
  }
}
