import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBuildFresh } from '../../scripts/build/fresh.mjs'
import { startServer } from '../../scripts/demo/serving.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const versionIn = (path) => JSON.parse(readFileSync(at(path), 'utf8')).version
const peer = (name, protocol) => ({
  name,
  version: versionIn(`../node_modules/${name}/package.json`),
  protocols: [protocol],
  file: at(`contestants/${name}.mjs`),
})

/** The compared servers, each in a separate process. rpc-gen is first. */
export const contestants = [
  {
    name: 'rpc-gen',
    version: versionIn('../../package.json'),
    protocols: ['JSON-RPC', 'XML-RPC'],
    file: at('contestants/rpc-gen.mjs'),
  },
  peer('jayson', 'JSON-RPC'),
  // It does not include HTTP: results about HTTP are not its own.
  { ...peer('json-rpc-2.0', 'JSON-RPC'), withoutHttp: true },
  peer('xmlrpc', 'XML-RPC'),
]

/** Starts one, in UTC, because npm's xmlrpc uses the zone of its machine. */
export const start = ({ file }) => startServer(file, { cwd: at('../..'), env: { TZ: 'UTC' } })

/** Compiles the procedures that rpc-gen serves, into a folder in which `rpc-gen` resolves to dist/. */
export function compileOurs() {
  if (!isBuildFresh()) throw new Error('dist/ is missing or older than the sources: run `npm run build` first')
  const tsc = at('../../node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', at('tsconfig.json'), '--noCheck'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the procedures of fixtures/wire could not be compiled')
}
