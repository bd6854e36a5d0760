import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'

/** The fixtures whose documents are tested. */
export const cases = readdirSync(join(root, 'fixtures/generate'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** What is read of an OpenRPC document. */
export interface Document {
  readonly methods: readonly { readonly name: string }[]
}

const documents = new Map<string, Promise<Document>>()

/** Returns the document of a fixture as the command writes it. */
export function written(name: string): Promise<Document> {
  const document = documents.get(name) ?? write(name)
  documents.set(name, document)
  return document
}

async function write(name: string): Promise<Document> {
  const cwd = join(root, 'fixtures/generate', name)
  const file = join(cwd, 'options.json')
  const options = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const { files } = await generate({
    paths: ['.'],
    out: 'expected.gen.ts',
    cwd,
    ...options,
    openrpc: 'openrpc.json',
    info: { title: 'RPC API', version: '0.0.0' },
  })
  return JSON.parse(files.find(({ path }) => path.endsWith('/openrpc.json'))?.text ?? '')
}
