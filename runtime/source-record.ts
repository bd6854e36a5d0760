// What a run of the generator has read for a module: so that a server in development notices that its module is older than its sources.
// The record is in the user's cache folder, because it has hashes and paths of this machine. The generator writes it after each run, and
// `codegen-node.ts` reads it. This file is in no bundle for browsers or Workers.

/** The sources of a generated module, as its last run has read them. */
export interface SourceRecord {
  /** The hash of the module, SHA-256 as base64. If it has another one, for instance after a checkout, the record does not apply. */
  readonly module: string
  /** The sources, what they import, and their hashes. */
  readonly files: Readonly<Record<string, string>>
  /** The folders that contain the sources, and the names of the modules in them. */
  readonly folders: Readonly<Record<string, readonly string[]>>
}

/** What is used of Node: the runtime is compiled without its types. */
interface NodeProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  getBuiltinModule?(name: 'node:fs'): {
    readFileSync(path: string): Uint8Array
    readdirSync(path: string): string[]
  }
  getBuiltinModule?(name: 'node:crypto'): {
    createHash(name: string): {
      update(data: Uint8Array | string): { digest(encoding: 'base64' | 'base64url'): string }
    }
  }
  getBuiltinModule?(name: 'node:os'): { homedir(): string }
  getBuiltinModule?(name: 'node:path'): { isAbsolute(path: string): boolean; join(...paths: string[]): string }
}

/** Undefined where there is no Node. */
const node = (globalThis as { readonly process?: NodeProcess }).process

/** Returns the cache folder of rpc-gen: below `XDG_CACHE_HOME`, else below the default of the platform. Undefined without a home folder. */
export function cacheFolder(): string | undefined {
  const [os, path] = [node?.getBuiltinModule?.('node:os'), node?.getBuiltinModule?.('node:path')]
  if (!node || !os || !path) return undefined
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = node.env
  const base = path.isAbsolute(xdg) || node.platform !== 'win32' ? xdg : local
  if (path.isAbsolute(base)) return path.join(base, 'rpc-gen')
  try {
    return path.join(os.homedir(), node.platform === 'darwin' ? 'Library/Caches' : '.cache', 'rpc-gen')
  } catch {
    return undefined
  }
}

/** True if the environment variable `CI` is set: there is no cache then. */
export function isContinuousIntegration(): boolean {
  return !['', '0', 'false'].includes(node?.env['CI'] ?? '')
}

/** Returns the path of the record of a module. Undefined if there is none on this machine. */
export function recordPath(module: string): string | undefined {
  const folder = isContinuousIntegration() ? undefined : cacheFolder()
  return folder && `${folder}/${hashOf(module.replaceAll('\\', '/'), 'base64url').slice(0, 24)}.sources.json`
}

function hashOf(content: Uint8Array | string, encoding: 'base64' | 'base64url' = 'base64'): string {
  return node?.getBuiltinModule?.('node:crypto').createHash('sha256').update(content).digest(encoding) ?? ''
}

/** True for the name of a file that a folder of sources includes: a module that is not a test, a declaration or generated. */
export function isSource(name: string): boolean {
  return /\.[mc]?[jt]sx?$/.test(name) && !/^\.|\.(?:test|spec|gen|d)\./.test(name)
}

/**
 * Returns the path of the first source that has changed since the module was generated; undefined if there is none, or if it is not known
 * what the module was generated from: it was generated elsewhere, or bundled.
 */
export function newerSource(module: string): string | undefined {
  const path = recordPath(module)
  const fs = node?.getBuiltinModule?.('node:fs')
  if (!path || !fs) return undefined
  const hashAt = (file: string) => hashOf(fs.readFileSync(file))
  try {
    const record: SourceRecord = JSON.parse(new TextDecoder().decode(fs.readFileSync(path)))
    if (hashAt(module) !== record.module) return undefined
    for (const [file, hash] of Object.entries(record.files)) if (hashAt(file) !== hash) return file
    for (const [folder, known] of Object.entries(record.folders)) {
      const added = fs.readdirSync(folder).find((name) => isSource(name) && !known.includes(name))
      if (added) return `${folder}/${added}`
    }
  } catch {
    // There is no record, or a source was moved: what loads it fails by itself.
  }
  return undefined
}
