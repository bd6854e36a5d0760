import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ts } from 'ts-morph'

const ownName = 'rpc-gen'
const known = new Map<string, boolean>()

/** Whether a symbol is declared by the runtime of this package: a user's type of the same name is another one. */
export function isOwn(symbol: ts.Symbol): boolean {
  const [declaration] = symbol.declarations ?? []
  const folder = declaration && runtimeFolder(declaration.getSourceFile().fileName)
  return folder !== undefined && isOwnFolder(folder)
}

/** Returns the innermost folder `runtime` that contains a file. */
export function runtimeFolder(file: string): string | undefined {
  const end = file.lastIndexOf('/runtime/')
  return end === -1 ? undefined : file.slice(0, end + '/runtime'.length)
}

function isOwnFolder(folder: string): boolean {
  const answer = known.get(folder) ?? findOut(folder)
  known.set(folder, answer)
  return answer
}

function findOut(folder: string): boolean {
  const file = join(folder, 'package.json')
  if (existsSync(file)) {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
    if (name !== undefined) return name === ownName
  }
  const above = dirname(folder)
  return above !== folder && isOwnFolder(above)
}
