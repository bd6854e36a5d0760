import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'

/** The names of the fixtures of the generator. */
export const fixtures = readdirSync(join(root, 'fixtures/generate'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)

/** Writes the client of a fixture, which has the values that are sent of custom scalars. Returns its path. */
export async function generatedClient(name: string, folder: string): Promise<string> {
  const cwd = join(root, 'fixtures/generate', name)
  const file = join(cwd, 'options.json')
  const options = readdirSync(cwd).includes('options.json') ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const path = join(folder, `${name.replaceAll('-', '_')}_client.py`)
  const more = { pythonClient: path, pythonScalars: {} }
  const { files, diagnostics } = await generate({ paths: ['.'], out: 'x.gen.ts', cwd, ...options, ...more })
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
  writeFileSync(path, files.find((each) => each.path === path.replaceAll('\\', '/'))?.text ?? '')
  return path
}
