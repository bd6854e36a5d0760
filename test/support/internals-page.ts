import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.js'

/** A page of docs/internals. */
export class InternalsPage {
  readonly text: string

  constructor(name: string) {
    this.text = readFileSync(join(root, 'docs/internals', name), 'utf8')
  }

  /** The JSON after the comment with a name. */
  shown(name: string): string {
    const [, block = ''] = this.text.split(`<!-- ${name} -->\n\`\`\`json\n`)
    return (block.split('```')[0] ?? '').trim()
  }

  /** The sources that the page names. */
  get files(): readonly string[] {
    return [...this.text.matchAll(/`((?:runtime|generator|templates)\/[^`\s]+\.tsx?)`/g)].map(([, path = '']) => path)
  }

  /** The names that the page gives with their files. */
  get names(): readonly (readonly [name: string, path: string])[] {
    const all = this.text.matchAll(/`(\w+)`(?:\s+in)?\s+\(?`((?:runtime|generator|templates)\/[^`\s]+\.tsx?)`/g)
    return [...all].map(([, name = '', path = '']) => [name, path])
  }

  /** The files that do not exist, and the names that are not in their files. */
  missing(): readonly string[] {
    const exists = (path: string) => existsSync(join(root, path))
    const names = this.names.filter(
      ([name, path]) => exists(path) && !new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, path), 'utf8')),
    )
    return [...this.files.filter((path) => !exists(path)), ...names.map(([name, path]) => `${name} in ${path}`)]
  }
}
