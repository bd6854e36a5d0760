// The functions by their time: node --cpu-prof of the small call, of the 12 members over HTTP and of the 1,000 structs, by the function
// that has it itself. A function that the compiler has inlined counts as the one that contains it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from '../harness/load.mjs'
import { table } from '../harness/table.mjs'
import { startServer } from './http.mjs'

export const title = 'Where the time goes'

const root = fileURLToPath(new URL('..', import.meta.url))
const milliseconds = 5_000
const most = 14

export async function run({ projects: [{ folder }] }) {
  const small = await profile((options) => repeat('light.mjs', 'calls/rpc-gen.mjs', folder, 'add', options))
  const members = await profile((options) => serve(folder, '12 members', options))
  const structs = await profile((options) =>
    repeat('documents.mjs', 'xml/rpc-gen.mjs', folder, '1,000 structs', options),
  )
  const text = [
    'The small call, light Request:\n',
    shareTable(small),
    '\nThe call of 12 members over HTTP, 64 connections:\n',
    shareTable(members),
    '\n1,000 structs, text to text:\n',
    shareTable(structs),
  ]
  return { text: text.join('\n') }
}

/** Profiles `work` in a child that is started with these options. */
async function profile(work) {
  const to = mkdtempSync(join(tmpdir(), 'rpc-gen-profile-'))
  await work({ execArgv: ['--cpu-prof', `--cpu-prof-dir=${to}`, '--cpu-prof-interval=250'] })
  const shares = sharesOf(JSON.parse(readFileSync(join(to, readdirSync(to)[0]), 'utf8')))
  rmSync(to, { recursive: true })
  return shares
}

async function repeat(adapter, contestant, folder, item, options) {
  const args = [join(root, 'adapters', adapter), join(root, 'contestants', contestant), folder, item]
  const child = fork(join(root, 'harness/child.mjs'), args, options)
  await once(child, 'message')
  child.send({ milliseconds })
  await once(child, 'message')
  await end(child)
}

async function serve(folder, item, options) {
  const entry = { file: 'calls/rpc-gen.mjs', project: folder, title: 'rpc-gen' }
  const { child, asked } = await startServer(entry, item, [], options)
  await load({ ...asked, connections: 64, seconds: milliseconds / 1000 })
  await end(child)
}

async function end(child) {
  child.disconnect()
  await once(child, 'exit')
}

/** The share of the time that each function has itself, the largest first. */
function sharesOf({ nodes, samples, timeDeltas, startTime, endTime }) {
  const name = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const counts = new Map()
  let time = startTime
  for (const [i, id] of samples.entries()) {
    time += timeDeltas[i]
    // The beginning is loading and compilation.
    if (endTime - time < 0.8e3 * milliseconds) counts.set(name.get(id), (counts.get(name.get(id)) ?? 0) + 1)
  }
  for (const idle of ['(idle)', '(root)']) counts.delete(idle)
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  return [...counts].map(([each, count]) => [each, count / total]).sort(([, one], [, other]) => other - one)
}

function nameOf({ functionName, url }) {
  if (url === '') return functionName || '(anonymous)'
  const place = url
    .replace(/^.*\/node_modules\/rpc-gen\/dist\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/bench\//, 'bench/')
    .replace(/^.*\/rpc-gen-beside-[^/]*\//, '')
  return `${functionName || '(anonymous)'} · ${place}`
}

/** Escapes a bar, which ends a cell, and a backtick, which ends code unless it is enclosed by two. */
function code(name) {
  const cell = name.replaceAll('|', '\\|')
  return cell.includes('`') ? `\`\` ${cell} \`\`` : `\`${cell}\``
}

function shareTable(shares) {
  const rows = shares.slice(0, most).map(([name, share]) => [code(name), `${(100 * share).toFixed(1)} %`])
  const rest = shares.slice(most).reduce((sum, [, share]) => sum + share, 0)
  return table(['', 'self'], [...rows, ['the rest', `${(100 * rest).toFixed(1)} %`]])
}
