// Makes runtime/page/assets.gen.ts: the script and the style of the documentation page, bundled and minified.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'runtime/page')

/** The path of the assets. */
export const assetsPath = join(folder, 'assets.gen.ts')

/** Returns the expected text of the module. */
export async function renderAssets() {
  const [script, style] = await Promise.all(['main.ts', 'style.css'].map(bundle))
  const lines = [
    '// Written by scripts/build/assets.mjs from runtime/page/browser/: do not edit.',
    ...(await constant('script', script)),
    ...(await constant('style', style)),
  ]
  return `${lines.join('\n')}\n`
}

async function bundle(name) {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'browser', name)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    target: name.endsWith('.css') ? ['chrome123', 'firefox120', 'safari17.5'] : ['es2022'],
    tsconfigRaw: {},
  })
  return outputFiles[0].text.trim()
}

async function constant(name, text) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return [`export const ${name}Hash = '${hash}'`, `export const ${name}: string = ${JSON.stringify(text)}`]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(assetsPath, await renderAssets())
