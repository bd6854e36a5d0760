import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { compileModule } from '../support/compile-module.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// The largest `limits.depth` with the types that take most of the stack for each level. They run in a process whose code is only
// interpreted, as in the first requests of a process: that takes most of the stack, too.

const source = `
import type { Int, MaxItems } from 'rpc-gen'

export type Tuples = string | ['and', Tuples, Tuples] | ['not', Tuples] | [Tuples, ...Tuples[]]
export interface Node { kids: Node[]; next?: Node | null }
export type Records = { [key: string]: Records | null | Records[] } | [Records | null] | string
export type Maps = Map<string, Maps | Maps[] | Int>
export type Lists = Lists[] | Int
export type Sets = Set<Sets> | Int
export type Constrained = (Constrained[] & MaxItems<9>) | ([Constrained, Int?] & MaxItems<9>) | { m?: Constrained | null } | Int
export type Generic<T> = { v?: T; n?: Generic<T> | null } | { w: (Generic<T> | null)[] & MaxItems<3> }
export type Tagged = { k: 'a'; i: (Tagged[] & MaxItems<9>) | null } | { k: 'b'; i?: Tagged | null; m?: Record<string, Tagged | null> } | { k: 'c' }
export interface A { x: A | B | null; p?: Int }
export interface B { x: A | B | Int | null; q?: Int }
export type Optional = { a?: Optional; b?: Optional } | { x: Optional[] } | Optional[] | Int

/** @rpc */ export const tuples = (value: Tuples): Tuples => value
/** @rpc */ export const node = (value: Node): Node => value
/** @rpc */ export const records = (value: Records): Records => value
/** @rpc */ export const maps = (value: Maps): Maps => value
/** @rpc */ export const lists = (value: Lists): Lists => value
/** @rpc */ export const sets = (value: Sets): Sets => value
/** @rpc */ export const constrained = (value: Constrained): Constrained => value
/** @rpc */ export const generic = (value: Generic<Int>): Generic<Int> => value
/** @rpc */ export const tagged = (value: Tagged): Tagged => value
/** @rpc */ export const ab = (value: A): A => value
/** @rpc */ export const optional = (value: Optional): Optional => value
/** @rpc */ export const anything = (value: any): any => value
/** @rpc */ export const unknowns = (value: unknown[]): unknown[] => value
`

/** Prints what is not as it should be. */
const program = `
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { procedures } from './rpc.gen.js'

const DEPTH = 300

/** The end of a value, one that is not valid, and what is around a value. */
const types = {
  tuples: ['x', true, (v) => ['and', v, 'x'], (v) => ['not', v], (v) => ['x', v]],
  node: [{ kids: [] }, { kids: 1 }, (v) => ({ kids: [v] }), (v) => ({ kids: [], next: v })],
  records: ['x', true, (v) => ({ a: v }), (v) => [v], (v) => ({ a: [v] })],
  maps: [{ a: 1 }, { a: true }, (v) => ({ a: v }), (v) => ({ a: [v] })],
  lists: [1, true, (v) => [v]],
  sets: [1, true, (v) => [v]],
  constrained: [1, true, (v) => [v], (v) => ({ m: v })],
  generic: [{ v: 1 }, { v: true, n: null }, (v) => ({ n: v })],
  tagged: [{ k: 'c' }, { k: 'z' }, (v) => ({ k: 'a', i: [v] }), (v) => ({ k: 'b', i: v }), (v) => ({ k: 'b', m: { x: v } })],
  ab: [null, true, (v) => ({ x: v })],
  optional: [1, true, (v) => ({ a: v }), (v) => [v]],
  anything: [1, undefined, (v) => [v], (v) => ({ a: v })],
  unknowns: [[], undefined, (v) => [v]],
}

const depthOf = (value) =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** A value of as many levels as fit into the limit. */
function tower(end, around) {
  const levels = depthOf(around(0))
  let value = end
  for (let depth = depthOf(end); depth + levels <= DEPTH; depth += levels) value = around(value)
  return value
}

function xmlOf(value) {
  if (Array.isArray(value)) return '<array><data>' + value.map((each) => '<value>' + xmlOf(each) + '</value>').join('') + '</data></array>'
  if (value === null) return '<nil/>'
  if (typeof value === 'string') return '<string>' + value + '</string>'
  if (typeof value !== 'object') return typeof value === 'number' ? '<int>' + value + '</int>' : '<boolean>' + Number(value) + '</boolean>'
  const members = Object.entries(value).map(([name, each]) => '<member><name>' + name + '</name><value>' + xmlOf(each) + '</value></member>')
  return '<struct>' + members.join('') + '</struct>'
}

let errors = []
function appOf(unknownKeys) {
  const server = new RpcServer({ procedures, unknownKeys, limits: { depth: DEPTH }, onError: (error) => void errors.push(error) })
  server.use((_context, next) => next())
  const app = new Hono()
  for (let i = 0; i < 5; i += 1) app.use((_c, next) => next())
  return app.route('/', server.router())
}

const messages = {
  'application/json': (method, value) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [value] }),
  'text/xml': (method, value) => '<methodCall><methodName>' + method + '</methodName><params><param><value>' + xmlOf(value) + '</value></param></params></methodCall>',
}

for (const unknownKeys of ['strip', 'reject']) {
  // Unknown keys are found before values of XML differ from those of JSON.
  for (const type of Object.keys(messages).slice(0, unknownKeys === 'strip' ? 2 : 1)) {
    const app = appOf(unknownKeys)
    for (const [method, [end, invalid, ...arounds]] of Object.entries(types)) {
      for (const around of arounds) {
        for (const [leaf, expected] of [[end, undefined], [invalid, -32602]]) {
          if (leaf === undefined) continue
          errors = []
          const body = messages[type](method, tower(leaf, around))
          const response = await (await app.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })).text()
          const code = /(?:"code":|faultCode<.name><value><int>)(-?\\d+)/.exec(response.slice(0, 300))?.[1]
          if (code !== (expected && String(expected)) || errors.some((error) => error instanceof RangeError)) {
            console.log(unknownKeys, type, method, String(around), code, String(errors[0]).slice(0, 200))
          }
        }
      }
    }
  }
}
console.log('done')
process.exit()
`

test('every type fits into the stack at the largest depth, valid and not, in both protocols and directions', async () => {
  const folder = temporaryFolder('depth')
  await compileModule(folder, 'procedures.ts', source)
  writeFileSync(join(folder, 'program.js'), program)
  const outfile = join(folder, 'program.mjs')
  await build({
    entryPoints: [join(folder, 'program.js')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    nodePaths: [join(root, 'node_modules')],
    tsconfig: join(root, 'tsconfig.json'),
    alias: {
      'rpc-gen': join(root, 'runtime/index.ts'),
      'rpc-gen/codegen/v1': join(root, 'runtime/codegen.ts'),
    },
  })
  const flags = ['--no-opt', '--no-sparkplug']
  expect(execFileSync(process.execPath, [...flags, outfile], { encoding: 'utf8' })).toBe('done\n')
})
