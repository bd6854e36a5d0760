// The corpus without types that tsoa does not support, written twice: functions for rpc-gen, and controllers over the same types.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { controller } from './controller.mjs'
import { tsconfig, writeCorpus } from './corpus.mjs'

/**
 * Types that tsoa 6.6 rejects, or misinterprets silently, and their replacements, each tried separately. All others are
 * unchanged: generics, mapped types, indexed access, recursion, unions, enums, defaults.
 */
const reductions = [
  // A brand becomes an object that the string has to be as well: every id is rejected.
  [/Id<'\w+'>/g, 'string'],
  // `Could not the type of …`
  [/: `[\w-]+-\$\{string\}`/g, ': string'],
  [/type Code = `E-\$\{number\}`/g, 'type Code = string'],
  // `Cannot read properties of undefined`
  [/\bUint8Array\b/g, 'Buffer'],
  [/\bMap<string, (\w+Key\[\])> \{/g, 'Record<string, $1> {'],
  [/new Map<string, (\w+Key\[\])>\(\)/g, '{} as Record<string, $1>'],
  [/lists\.set\(String\(level\), (.*)\)$/gm, 'lists[String(level)] = $1'],
  [/lists\.get\(String\(level\)\)/g, 'lists[String(level)]'],
  // `Unknown type: TupleType`
  [/\[width: number, height: number, depth\?: number\]/g, '{ width: number; height: number; depth?: number }'],
  [/\[from: (\w+), to: (\w+)\]/g, '{ from: $1; to: $2 }'],
  [/return \[former, state\]/g, 'return { from: former, to: state }'],
  // Recursive types become `any`.
  [/\bDeepPartial<(\w+Draft)>/g, 'Partial<$1>'],
  // The rest is passed as one argument, which is then a list in a list.
  [/\(\.\.\.ids: string\[\]\)/g, '(ids: string[])'],
]

/** Writes the reduced project of `count` procedures: `src/types`, `src/api`, `src/controllers` and tsoa's own configuration. */
export function writeReducedCorpus(folder, count) {
  const used = new Set()
  writeCorpus(folder, count, (text) => reduce(text, used))
  const idle = reductions.find((each) => !used.has(each))
  if (idle) throw new Error(`the corpus has nothing for ${idle[0]} any more`)
  const write = (path, text) => writeFileSync(join(folder, path), text)
  // Buffer is one of Node's types; the decorators are those of tsoa.
  const compilerOptions = { ...tsconfig.compilerOptions, types: ['node'], experimentalDecorators: true }
  write('tsconfig.json', JSON.stringify({ ...tsconfig, compilerOptions }, null, 2))
  write('tsoa.json', JSON.stringify(tsoaConfig, null, 2))
  mkdirSync(join(folder, 'src/controllers'))
  for (const name of readdirSync(join(folder, 'src/api'))) {
    write(`src/controllers/${name}`, controller(name, readFileSync(join(folder, 'src/api', name), 'utf8')))
  }
}

function reduce(text, used) {
  return reductions.reduce((sofar, each) => {
    const [pattern, replacement] = each
    const next = sofar.replace(pattern, replacement)
    if (next !== sofar) used.add(each)
    return next
  }, text)
}

/** As similar to rpc-gen as tsoa can be: ESM, unknown keys dropped silently, no coercion. */
const tsoaConfig = {
  entryFile: 'src/controllers/area-000.ts',
  controllerPathGlobs: ['src/controllers/*.ts'],
  noImplicitAdditionalProperties: 'silently-remove-extras',
  // It does not read tsconfig.json. Without this, null is dropped from mapped types.
  compilerOptions: { strict: true },
  spec: { outputDirectory: '.', specVersion: 3 },
  routes: { routesDir: 'src', middleware: 'express', esm: true, bodyCoercion: false },
}
