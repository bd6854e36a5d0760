import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { stampOf } from '../../disk/stamps.js'
import { type Cache, isPrivateFolder, nameOf } from './fresh.js'
import { storeFile } from './store.js'

let folder: string | undefined

/**
 * Caches the compiled code of the compiler in the cache folder: reading it takes a tenth less of a run. For Node 20 only: later
 * versions have `module.enableCompileCache`, with which the command starts.
 */
export function cacheCode(cache: Cache): void {
  if (!('enableCompileCache' in process.getBuiltinModule('node:module'))) folder = cache.folder
}

/** The function that the content of a CommonJS module is the body of. */
const wrapper = {
  head: Buffer.from('(function (exports, require, module, __filename, __dirname) {'),
  end: Buffer.from('\n})'),
}

/** Loads a CommonJS module as `require` does, so that a later `require` returns it, with cached code if there is any. */
export function loadWithCode(file: string): void {
  if (folder === undefined) return
  const key = JSON.stringify([file, stampOf(statSync(file)), process.version, process.arch])
  const path = join(folder, `${nameOf(key)}.code`)
  // Bytes are joined, not strings: the compiler's 9 MB would be in memory twice.
  const source = Buffer.concat([wrapper.head, readFileSync(file), wrapper.end])
  const cachedData = readCode(path, key)
  const script = new Script(source.toString(), { filename: file, ...(cachedData && { cachedData }) })
  const require = createRequire(file)
  const module = { id: file, filename: file, exports: {}, loaded: true, children: [], paths: [] }
  script.runInThisContext()(module.exports, require, module, file, dirname(file))
  require.cache[file] = module as unknown as NodeJS.Module
  if (cachedData && !script.cachedDataRejected) return
  // By then it has the functions that the run has used.
  process.once('exit', () => {
    const code = script.createCachedData()
    storeFile(path, Buffer.concat([digestOf(key, code), code]))
  })
}

/** Code with its digest before it: V8 does not check the bytes, and ends the process if they are damaged. */
function readCode(path: string, key: string): Buffer | undefined {
  try {
    if (!isPrivateFolder(dirname(path))) return undefined
    const bytes = readFileSync(path)
    const code = bytes.subarray(digestLength)
    return digestOf(key, code).equals(bytes.subarray(0, digestLength)) ? code : undefined
  } catch {
    return undefined
  }
}

const digestLength = 32

function digestOf(key: string, code: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(code).digest()
}
