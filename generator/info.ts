import { dirname, join } from 'node:path'
import type { ApiInfo } from '../runtime/openrpc/info.js'
import { defaultInfo } from '../runtime/openrpc/info.js'
import type { Disk } from './disk.js'
import { foldersFrom, type Options } from './options.js'

/** Returns the API's `info` for the OpenRPC document: the option, else name and version of the package that contains the output. */
export function apiInfo({ info, out }: Options, disk: Disk): ApiInfo {
  return info ?? packageInfo(dirname(out), disk) ?? defaultInfo
}

function packageInfo(folder: string, disk: Disk): ApiInfo | undefined {
  const paths = foldersFrom(folder).map((each) => join(each, 'package.json'))
  const path = paths.find(disk.isFile)
  if (path === undefined) return undefined
  try {
    const { name, version } = JSON.parse(disk.read(path) ?? '')
    return {
      title: typeof name === 'string' ? name : defaultInfo.title,
      version: typeof version === 'string' ? version : defaultInfo.version,
    }
  } catch {
    return undefined
  }
}
