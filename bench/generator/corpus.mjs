// The corpus that the generator is measured on: realistic procedures over shared, generic and recursive types.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entity } from './entity.mjs'
import { procedures } from './procedures.mjs'

/** Procedures in a file, and in a domain: a domain has one module of types. */
const perFile = 20
const perDomain = 100
const entitiesPerDomain = 10

export const tsconfig = {
  compilerOptions: {
    lib: ['ES2023'],
    types: [],
    target: 'ES2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src'],
}

const common = `/** One page of a longer list. */
export interface Page<T> {
  items: T[]
  next: string | null
  total: number
}

export type Result<T, E> = { kind: 'done'; value: T } | { kind: 'failed'; error: E; retry?: boolean }

export type Nullable<T> = { [K in keyof T]: T[K] | null }

export type DeepPartial<T> = T extends (infer U)[]
  ? DeepPartial<U>[]
  : T extends Date | Uint8Array
    ? T
    : T extends object
      ? { [K in keyof T]?: DeepPartial<T[K]> }
      : T

export type Id<Name extends string> = string & { readonly [idOf]?: Name }
declare const idOf: unique symbol

export enum Level {
  Low = 1,
  Middle = 5,
  High = 9,
}

export type Code = \`E-\${number}\`

export interface Problem {
  code: Code
  message: string
  level: Level
  causes: Problem[]
}

export interface Stamp {
  at: Date
  by: string
  note?: string | null
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
`

/** Writes a project of `count` procedures into a folder; `change` may transform the sources. */
export function writeCorpus(folder, count, change = (text) => text) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path.endsWith('.ts') ? change(text) : text)
  }
  write('package.json', '{ "name": "corpus", "type": "module", "private": true }\n')
  write('tsconfig.json', `${JSON.stringify(tsconfig, null, 2)}\n`)
  write('src/types/common.ts', common)
  for (let domain = 0; domain < Math.max(1, count / perDomain); domain += 1) {
    const entities = Array.from({ length: entitiesPerDomain }, (_each, i) => entity(domain, i))
    write(`src/types/domain-${domain}.ts`, domainModule(entities))
  }
  for (let file = 0; file * perFile < count; file += 1) {
    const domain = Math.floor((file * perFile) / perDomain)
    write(fileName(file), procedures(file, domain, Math.min(perFile, count - file * perFile)))
  }
}

/** The path of a file of procedures. */
export function fileName(file) {
  return `src/api/area-${String(file).padStart(3, '0')}.ts`
}

function domainModule(entities) {
  const imports = "import type { Id, Json, Level, Problem, Stamp } from './common.js'\n"
  return [imports, ...entities].join('\n')
}
