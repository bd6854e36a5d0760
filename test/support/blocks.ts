import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  readonly line: number
  /** Empty for a fence without a language. */
  readonly language: string
  readonly text: string
  /** True if `<!-- not checked: why -->` is on the line before it. */
  readonly unchecked: boolean
}

/** Returns the fenced blocks of a page, by its path in the repository. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = text.matchAll(/(<!-- not checked: .+ -->\n)?^ *```([^\n]*)\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(({ 1: mark = '', 2: info = '', 3: block = '', index }) => ({
    page,
    line: text.slice(0, index + mark.length).split('\n').length,
    language: info.split(' ')[0] ?? '',
    text: block,
    unchecked: mark !== '',
  }))
}

/** Returns the lines of shell of a block that is run in the project of the first service, by how its page shows them. */
export function projectCommands({ page, language, text, unchecked }: Block): string[] {
  const lines = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, command = '']) => command)
  if (unchecked) return []
  if (language === 'dockerfile') return lines(/^RUN (.*)$/gm)
  if (language === 'yaml') return lines(/^- run: (.*)$/gm)
  if (language === 'sh' && page.startsWith('docs/')) return lines(/^(npx rpc-gen .*)$/gm)
  return language === '' ? lines(/^\$ (rpc-gen .*)$/gm) : []
}
