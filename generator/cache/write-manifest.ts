import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Listing, type Seen, snapshotOf } from '../disk.js'
import { type Entry, format, hashOf, hashOfNames, type Manifest, namesIn, stampOf, statAt } from './fresh.js'

/** What a run stores for the next one. */
export interface Done {
  /** When it began, in milliseconds. */
  readonly at: number
  readonly seen: Seen
  /** The files that it wrote, and their text. */
  readonly outputs: readonly { readonly path: string; readonly text: string }[]
  readonly line: string
  readonly quiet: boolean
  /** The files that rpc-gen itself consists of. */
  readonly own: readonly Entry[]
}

/** The manifest of a run. */
export function manifestOf({ at, seen, outputs, line, quiet, own }: Done): Manifest {
  const written = new Set(outputs.map(({ path }) => path))
  const { files, absent, links } = snapshotOf(seen, written)
  return {
    format,
    at,
    files: [...files, ...outputs.map(({ path, text }): Entry => [path, stampNow(path), hashOf(text)]), ...own],
    folders: [...seen.folders].map(([path, listing]) => folderEntry(path, listing, written)),
    absent,
    links,
    outputs: [...written],
    line,
    quiet,
  }
}

/** Writing an output changes its folder. The new stamp is stored if the folder contains the names that were listed. */
function folderEntry(path: string, { names, stamp }: Listing, written: ReadonlySet<string>): Entry {
  const hash = hashOfNames(path, names, written)
  const now = stampNow(path)
  const same = now !== stamp && now !== '' && hashOfNames(path, namesIn(path), written) === hash
  return [path, same ? now : stamp, hash]
}

function stampNow(path: string): string {
  const stats = statAt(path)
  return stats ? stampOf(stats) : ''
}

/** The files of rpc-gen: another version, or another build, may write other bytes. */
export function ownFiles(): Entry[] {
  // The build puts every chunk of the generator in one directory.
  const here = dirname(fileURLToPath(import.meta.url))
  const own = [join(here, '../../package.json'), ...scriptsIn(here)]
  const needed = ['ts-morph', 'comment-parser', 'tinyglobby'].flatMap(
    (name) => packageOf(name, here) ?? packageOf(name, process.cwd()) ?? [],
  )
  return [...own, ...needed].flatMap((path): Entry[] => {
    const stats = statAt(path)
    return stats ? [[path, stampOf(stats), hashOf(readFileSync(path))]] : []
  })
}

/** Returns one hash of these files. */
export function toolOf(own: readonly Entry[]): string {
  return hashOf(own.map(([path, , hash]) => `${path} ${hash}`).join('\n'))
}

function scriptsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name))
}

function packageOf(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name, 'package.json')
  if (statAt(path)) return path
  const above = dirname(from)
  return above === from ? undefined : packageOf(name, above)
}
