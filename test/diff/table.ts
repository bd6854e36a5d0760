import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenRpc } from '../../runtime/description/openrpc.js'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** The row of docs/reference/diff.md on one code; each side is the pieces of code in its cell. */
export interface Row {
  readonly code: string
  readonly breaks: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The table of docs/reference/diff.md. */
export const rows: readonly Row[] = readFileSync(join(root, 'docs/reference/diff.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
    const [, code = '', breaks = '', before = '', after = ''] = cells
    if (!/^`[a-z-]+`$/.test(code) || cells.length !== 6) return []
    return [{ code: code.slice(1, -1), breaks, before: piecesOf(before), after: piecesOf(after) }]
  })

function piecesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]*)`/g)].map(([, piece = '']) => piece)
}

const info = { title: 'A', version: '1.0.0' }

/**
 * The documents of what cells show: functions, or the members of a method. All functions are compiled in one run, those
 * of a cell in a separate namespace.
 */
export async function documentsOf(cells: readonly (readonly string[])[]): Promise<readonly OpenRpc[]> {
  const document = await compiled(
    cells.map((pieces, i) => [`cell${i}.ts`, isMembers(pieces) ? '' : sourceOf(pieces, i)]),
  )
  return cells.map((pieces, i) => {
    const methods = document.methods.filter(({ name }) => name.startsWith(`cell${i}.`))
    const own = methods.map(({ tags: _tags, ...method }) => ({ ...method, name: method.name.replace(/^\w+\./, '') }))
    return isMembers(pieces) ? methodWith(pieces) : { ...document, methods: own }
  })
}

function isMembers(pieces: readonly string[]): boolean {
  return pieces.some((piece) => piece.startsWith('"'))
}

function methodWith(members: readonly string[]): OpenRpc {
  const method = { name: 'a', params: [], ...JSON.parse(`{${members.join()}}`) }
  return { openrpc: '1.4.1', info, methods: [method] }
}

/** Text before a function is its doc comment; several functions of one name are overloads. */
function sourceOf(pieces: readonly string[], cell: number): string {
  const nameOf = (piece: string) => /^\w+(?=\()/.exec(piece)?.[0]
  const names = pieces.map(nameOf)
  const lines = [`/** @namespace cell${cell} */`, "import type { Double, Int } from 'rpc-gen'"]
  let words: string[] = []
  for (const [i, piece] of pieces.entries()) {
    const name = nameOf(piece)
    if (name === undefined) {
      words.push(piece)
      continue
    }
    const isFirst = names.indexOf(name) === i
    const isLast = names.lastIndexOf(name) === i
    const doc = [...words, '@rpc'].map((word) => ` * ${word}\n`).join('')
    if (isFirst) lines.push(`/**\n${doc} */`)
    if (!isFirst || !isLast) lines.push(`export function ${piece}`)
    const whole = isFirst ? piece : `${name}(..._all: never[]): unknown`
    if (isLast) lines.push(`export function ${whole} {\n  throw new Error('never called')\n}`)
    words = []
  }
  return `${lines.join('\n')}\n`
}

/** The OpenRPC document of some modules. Throws where they have problems. */
export async function compiled(sources: readonly (readonly [path: string, text: string])[]): Promise<OpenRpc> {
  const cwd = temporaryFolder('diff')
  const paths = { 'rpc-gen': [join(root, 'runtime/index.ts')] }
  const compilerOptions = { module: 'nodenext', lib: ['ES2023'], types: [], strict: true, paths }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  for (const [path, text] of sources) writeFileSync(join(cwd, path), text)
  const options = { cwd, paths: ['*.ts'], out: 'rpc.gen.ts', openrpc: 'openrpc.json', info }
  const { files, diagnostics } = await generate(options)
  const found = files.find(({ path }) => path.endsWith('/openrpc.json'))
  if (!found) throw new Error(JSON.stringify(diagnostics, null, 2))
  return JSON.parse(found.text)
}
