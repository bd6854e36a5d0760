import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/**
 * Returns the licences of the packages that are part of a bundle, as one text.
 *
 * @param {Iterable<string>} modules the paths of the bundled modules
 */
export function licensesOf(modules) {
  const names = new Set()
  for (const path of modules) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/')) ?? []
    if (name !== undefined) names.add(name)
  }
  const parts = [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = join(folder, 'LICENSE')
    const text = existsSync(file)
      ? readFileSync(file, 'utf8').trim()
      : `Its package.json declares the licence ${license}.`
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  return `The bundles of rpc-gen contain parts of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}
