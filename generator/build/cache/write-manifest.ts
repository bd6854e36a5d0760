import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Seen, snapshotOf } from '../../disk/disk.js'
import { type Entry, hashOf, hashOfNames, stampAt, statAt } from '../../disk/stamps.js'
import { foldersFrom } from '../../paths.js'
import type { Observed } from './fresh.js'

/** A file that a run has written. */
interface WrittenFile {
  readonly path: string
  readonly text: string
}

/** Returns what a run has read and written. It began `at` this time, in milliseconds. */
export function observedBy(at: number, seen: Seen, outputs: readonly WrittenFile[]): Observed {
  const written = new Set(outputs.map(({ path }) => path))
  const { files, absent, links } = snapshotOf(seen, written)
  return {
    at,
    files: [...files, ...outputs.map(({ path, text }): Entry => [path, stampAt(path) ?? '', hashOf(text)])],
    folders: Array.from(seen.folders, ([path, { stamp, names }]) => [path, stamp, hashOfNames(path, names, written)]),
    absent,
    links,
    outputs: [...written],
  }
}

/** The files of rpc-gen and the version of the compiler: others may write other bytes. */
export function ownFiles(): Entry[] {
  // The build puts every chunk of the generator in one directory.
  const here = dirname(fileURLToPath(import.meta.url))
  const compiler = packageJsonOf('ts-morph', here) ?? packageJsonOf('ts-morph', process.cwd()) ?? []
  return [join(here, '../../package.json'), ...scriptsIn(here), compiler].flat().flatMap((path): Entry[] => {
    const stamp = stampAt(path)
    return stamp === undefined ? [] : [[path, stamp, hashOf(readFileSync(path))]]
  })
}

/** Returns one hash of these files. */
export function versionOf(own: readonly Entry[]): string {
  return hashOf(own.map(([path, , hash]) => `${path} ${hash}`).join('\n'))
}

function scriptsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name))
}

function packageJsonOf(name: string, from: string): string | undefined {
  return foldersFrom(from)
    .map((folder) => join(folder, 'node_modules', name, 'package.json'))
    .find(statAt)
}
