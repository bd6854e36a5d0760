// Opens a project in a process that is measured: nothing is imported here that is not measured, such as a compiler.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const load = (folder, path) => import(pathToFileURL(join(folder, path)).href)

/** Returns what a contestant gets: the project's modules, entry points of our package, and the modules that it is made of. */
export function openProject(folder) {
  return {
    folder,
    user: (path) => load(folder, path),
    runtime: (path) => load(folder, join('runtime', path)),
    package: (entry) => import(pathToFileURL(createRequire(join(folder, 'x.js')).resolve(join('rpc-gen', entry)))),
    // One copy of Hono for an app and what is mounted in it: two are strangers to each other, and slow.
    hono: () => load(folder, 'node_modules/hono/dist/index.js'),
  }
}
