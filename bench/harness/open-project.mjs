// Opens a project in a measured process: only measured modules are imported here, for instance no compiler.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const load = (folder, path) => import(pathToFileURL(join(folder, path)).href)

/** Returns the imports of a contestant: the project's modules, entry points of the package, and the modules that it consists of. */
export function openProject(folder) {
  return {
    folder,
    user: (path) => load(folder, path),
    runtime: (path) => load(folder, join('runtime', path)),
    package: (entry) => import(pathToFileURL(createRequire(join(folder, 'x.js')).resolve(join('rpc-gen', entry)))),
    // One copy of Hono for an app and its mounted apps: two copies do not recognise each other, which is slow.
    hono: () => load(folder, 'node_modules/hono/dist/index.js'),
  }
}
