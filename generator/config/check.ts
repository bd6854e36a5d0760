import type { ApiInfo } from '../../runtime/openrpc/info.js'
import type { RpcConfig } from '../../runtime/server/config.js'
import { UsageError } from '../options.js'

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText))

function isInfo(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { title, version, description, servers = [] } = value as Partial<Record<keyof ApiInfo, unknown>>
  const isServer = (each: unknown) => isText((each as { url?: unknown } | null)?.url)
  const isDescribed = description === undefined || isText(description)
  return isText(title) && isText(version) && isDescribed && Array.isArray(servers) && servers.every(isServer)
}

/** Every key, what it must be, and whether it is. */
const keys: Readonly<Record<keyof RpcConfig, readonly [expected: string, is: (value: unknown) => boolean]>> = {
  paths: ['a string or a list of strings', isList],
  out: ['a string', isText],
  project: ['a string', isText],
  importExt: ['js, ts or none', (value) => ['js', 'ts', 'none'].includes(value as string)],
  requireAuth: ['true or false', (value) => typeof value === 'boolean'],
  jsonSchema: ['a string', isText],
  openrpc: ['a string', isText],
  client: ['a string', isText],
  lock: ['true, false or a string', (value) => typeof value === 'boolean' || isText(value)],
  info: ['an object with title and version, which are strings', isInfo],
  strictDocs: ['true or false', (value) => typeof value === 'boolean'],
  RPC_METHODS_MODULES: ['a string or a list of strings', isList],
}

/** Answers the value when it is a configuration; throws UsageError that names the key which is wrong. */
export function checkConfig(value: unknown, path: string): RpcConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} holds no configuration: export an object as its default`)
  }
  for (const [name, each] of Object.entries(value)) {
    const key = Object.hasOwn(keys, name) ? keys[name as keyof RpcConfig] : undefined
    if (!key)
      throw new UsageError(`${path}: there is no option ${name}: the options are ${Object.keys(keys).join(', ')}`)
    if (!key[1](each)) throw new UsageError(`${path}: ${name} is ${key[0]}`)
  }
  return value
}
