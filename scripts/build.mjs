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
requireCompiler(join(dist, 'generator/source'))
writeStart(join(dist, 'generator'))
for (const name of ['cli.js', 'cli.cjs']) chmodSync(join(dist, 'generator', name), 0o755)

/**
 * ts-morph is CommonJS: what imports it reads all of its 12 MB for the names of its exports before it is run, a third of
 * the time that loading it takes. So it is required, in one place.
 */
function requireCompiler(folder) {
  for (const path of readdirSync(folder, { recursive: true })) {
    if (!path.endsWith('.js')) continue
    const file = join(folder, path)
    const own = `${path.includes('/') || path.includes('\\') ? '../' : './'}compiler.js`
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/^(import \{[^}]*\} from )'ts-morph';$/m, `$1'${own}';`))
  }
  const names = 'Project, ts'
  const text = `import { createRequire } from 'node:module';\nexport const { ${names} } = createRequire(import.meta.url)('ts-morph');\n`
  writeFileSync(join(folder, 'compiler.js'), text)
}

/**
 * Writes `cli.cjs`: `cli.js` and the one file that it imports, as one CommonJS file. Node starts a module in a tenth more time,
 * and a run with nothing to do is hardly more than that start.
 */
function writeStart(folder) {
  const [first, second] = ['cache/fresh.js', 'cli.js'].map((name) => readFileSync(join(folder, name), 'utf8'))
  const plain = (text) =>
    text
      .replace(/^#!.*\n/, '')
      .replace(/^import (\{[^}]*\}) from '(node:[^']*)';$/gm, "const $1 = require('$2');")
      .replace(/^import .* from '\.\/cache\/fresh\.js';$/m, '')
      .replace(/^export (?=const|function|async)/gm, '')
  const text = `#!/usr/bin/env node\n${plain(first)}${plain(second)}`
  if (/^(?:import|export) /m.test(text)) throw new Error('cli.ts and fresh.ts may import node built-ins only')
  writeFileSync(join(folder, 'cli.cjs'), text)
}

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
