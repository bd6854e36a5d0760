import { dirname, join } from 'node:path'
import type { ApiInfo } from '../runtime/openrpc/info.js'
import { defaultInfo } from '../runtime/openrpc/info.js'
import type { Disk } from './disk.js'
import type { Options } from './options.js'

/** Returns the API's `info` for the OpenRPC document: the option, else name and version of the package that contains the output. */
export function apiInfo({ info, out }: Options, disk: Disk): ApiInfo {
  return info ?? packageInfo(dirname(out), disk) ?? defaultInfo
}

function packageInfo(folder: string, disk: Disk): ApiInfo | undefined {
  const text = disk.read(join(folder, 'package.json'))
  const above = dirname(folder)
  if (text === undefined) return above === folder ? undefined : packageInfo(above, disk)
  try {
    const { name, version } = JSON.parse(text)
    return {
      title: typeof name === 'string' ? name : defaultInfo.title,
      version: typeof version === 'string' ? version : defaultInfo.version,
    }
  } catch {
    return undefined
  }
}
