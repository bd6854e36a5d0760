import { dirname, join } from 'node:path'
import { statAt } from '../cache/fresh.js'
import type { Disk } from '../disk.js'
import { relativeTo, UsageError } from '../options.js'

const names = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs', 'rpc.config.json']

/**
 * Returns the nearest configuration, from the working directory up to the nearest package.json; without a package.json only the
 * working directory is looked at, since what is above is not the project's. Undefined when there is none. Throws UsageError for
 * one that somebody else could have put there, at its own path or at that of a link's target: it is not run, and a run without
 * it might leave out what it requires.
 */
export function findConfig(cwd: string, disk: Disk): string | undefined {
  const found = configIn(projectFolders(cwd, disk), disk)
  if (found === undefined) return undefined
  const target = disk.realpath(found)
  const paths = target === found ? [dirname(found), found] : [dirname(found), dirname(target), target]
  const distrusted = paths.find((path) => reasonNotToTrust(path) !== undefined)
  if (distrusted === undefined) return found
  const [name, what] = [found, distrusted].map((path) => relativeTo(cwd, path))
  throw new UsageError(
    `${name} is not read: ${what} ${reasonNotToTrust(distrusted)}: change that, or name the file: --config ${name}`,
  )
}

/** The folders of a project that a working directory may be in, the nearest first. */
function projectFolders(cwd: string, disk: Disk): readonly string[] {
  const folders = [cwd]
  for (const folder of folders) {
    if (disk.isFile(join(folder, 'package.json'))) return folders
    const above = dirname(folder)
    if (above !== folder) folders.push(above)
  }
  return [cwd]
}

function configIn(folders: readonly string[], disk: Disk): string | undefined {
  for (const folder of folders) {
    const found = names.map((name) => join(folder, name)).find((path) => disk.isFile(path))
    if (found !== undefined) return found
  }
  const packageFile = join(folders.at(-1) ?? '', 'package.json')
  return hasOwnSection(disk.read(packageFile) ?? '') ? packageFile : undefined
}

/** Root can change everything anyway. Undefined on Windows, where a mode says nothing about others. */
function reasonNotToTrust(path: string): string | undefined {
  const user = process.getuid?.()
  const stats = statAt(path)
  if (user === undefined || !stats) return undefined
  if (stats.uid !== user && stats.uid !== 0) return 'belongs to another user'
  if (stats.mode & 0o002) return 'can be written by every user'
  // Where everybody has a group of their own, files are mostly writable by it.
  return stats.mode & 0o020 && stats.gid !== process.getgid?.() ? 'can be written by another group' : undefined
}

function hasOwnSection(text: string): boolean {
  try {
    return 'rpc-gen' in JSON.parse(text)
  } catch {
    return false
  }
}
