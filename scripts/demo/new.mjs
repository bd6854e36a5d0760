// `npm run new -- ../books`: starts a project that depends on a tarball of this clone, for as long as the package is not on the
// registry. The tarball is in the project. Another run updates it, and keeps the other files.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { buildWhenStale } from '../build/fresh.mjs'
import { installWhenMissing, npm } from '../build/install.mjs'
import { root } from '../run.mjs'
import { step } from '../step.mjs'

const [path, ...others] = process.argv.slice(2)
if (!path || others.length > 0) giveUp('Usage: npm run new -- FOLDER, for instance npm run new -- ../books')
// npm runs scripts in the folder of the package.
const folder = resolve(process.env.INIT_CWD ?? '.', path)
if (!relative(root, folder).startsWith('..'))
  giveUp(`${folder} is inside this clone: expected a folder outside, for instance ../books`)

installWhenMissing()
buildWhenStale()
const vendor = join(folder, 'vendor')
mkdirSync(vendor, { recursive: true })
const tarball = step('Packing rpc-gen', packTarball)
const init = [join(root, 'dist/generator/cli.cjs'), 'init']
const { status, stdout } = spawnSync(process.execPath, init, { cwd: folder, stdio: ['inherit', 'pipe', 'inherit'] })
if (status !== 0) process.exit(status ?? 1)
npm({ cwd: folder }, 'pkg', 'set', `dependencies.rpc-gen=file:vendor/${tarball}`)
// The next steps are those of `init`, which runs in the folder.
const shown = /\s/.test(path) ? `"${path}"` : path
process.stdout.write(String(stdout).replace(/^Next:$/m, (line) => `${line}\n  cd ${shown}`))

/** Packs dist/ into the project and removes earlier tarballs. Returns the name of the new one. */
function packTarball() {
  for (const name of readdirSync(vendor)) if (/^rpc-gen-.*\.tgz$/.test(name)) rmSync(join(vendor, name))
  // Without scripts: npm warns of `prepare` in a tarball that is not from a registry.
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const staged = mkdtempSync(join(tmpdir(), 'rpc-gen-new-'))
  for (const name of [...manifest.files, 'README.md', 'LICENSE']) {
    if (!name.startsWith('!')) cpSync(join(root, name), join(staged, name), { recursive: true })
  }
  writeFileSync(join(staged, 'package.json'), JSON.stringify(manifest))
  const [{ filename }] = JSON.parse(npm({ cwd: staged }, 'pack', '--json', '--pack-destination', vendor))
  rmSync(staged, { recursive: true })
  // npm does not read a file again that has the name of one that it has installed.
  const packed = join(vendor, filename)
  const hash = createHash('sha256').update(readFileSync(packed)).digest('hex').slice(0, 8)
  const name = filename.replace(/\.tgz$/, `-${hash}.tgz`)
  renameSync(packed, join(vendor, name))
  return name
}

function giveUp(message) {
  console.error(message)
  process.exit(2)
}
