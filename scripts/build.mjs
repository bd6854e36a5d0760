// Makes dist/: JavaScript and types by tsc, then the same types for `require`.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root, run, tool } from './run.mjs'

const dist = join(root, 'dist')

/** `from './x.js'`, `import './x.js'` and `import("./x.js").X`. */
const relativeSpecifier = /(\bfrom\s+|\bimport\s*\(?\s*)(['"])(\.\.?\/[^'"]+)\.js\2/g

rmSync(dist, { recursive: true, force: true })
run(tool.tsc, '-p', 'tsconfig.build.json')
for (const path of readdirSync(dist, { recursive: true })) if (path.endsWith('.d.ts')) writeTwin(join(dist, path))
const cli = join(dist, 'generator/cli.js')
if (existsSync(cli)) chmodSync(cli, 0o755)

/**
 * Writes the `.d.cts` of a `.d.ts`. Under node16 a CommonJS source may not import a module that its types call ESM, though
 * Node itself has let `require` load one since 20.19: so `require` gets the same types under a CommonJS name.
 */
function writeTwin(path) {
  const text = readFileSync(path, 'utf8').replace(relativeSpecifier, (whole, before, quote, specifier) => {
    // An example in a comment may import a file that is not ours.
    const ours = existsSync(resolve(dirname(path), `${specifier}.d.ts`))
    return ours ? `${before}${quote}${specifier}.cjs${quote}` : whole
  })
  writeFileSync(path.replace(/\.d\.ts$/, '.d.cts'), text)
}
