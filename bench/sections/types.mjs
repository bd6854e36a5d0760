// TypeScript's time to check a caller, with a growing number of procedures.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateModule } from '../harness/project.mjs'
import { median } from '../harness/statistics.mjs'
import { digits, spread, table } from '../harness/table.mjs'
import { contestants } from '../types/projects.mjs'

export const title = 'Type-checking a caller'

const counts = [10, 100, 1_000, 3_000]
const bench = fileURLToPath(new URL('..', import.meta.url))
const script = join(bench, 'types/check.mjs')
/** Contestants that take longer are not measured again. */
const patienceMs = 180_000

export async function run(options) {
  const [{ folder }] = options.projects
  const cells = []
  for (const [title, write] of Object.entries(contestants)) {
    for (const count of counts) cells.push({ title, count, caller: await writeProject(folder, title, count, write) })
  }
  const found = new Map(cells.map((cell) => [cell, []]))
  for (let round = 0; round < Math.min(5, options.rounds); round += 1) {
    for (const [cell, list] of found) if (!cell.failure) check(cell, list)
  }
  const of = (title, count) => [...found].find(([cell]) => cell.title === title && cell.count === count)
  const rows = (pick) =>
    Object.keys(contestants).map((title) => [
      title,
      ...counts.map((count) => {
        const [{ failure }, list] = of(title, count)
        return failure ?? pick(list)
      }),
    ])
  const head = ['procedures', ...counts.map((count) => count.toLocaleString('en'))]
  const growth = Object.keys(contestants).map((title) => {
    const [, first] = of(title, counts[0])
    return [title, ...counts.map((count) => grown(of(title, count), first))]
  })
  const text = [
    'A file of 20 calls, checked once the program is parsed and bound, ms of CPU:\n',
    table(
      head,
      rows((list) => digits(median(list.map(({ check }) => check)))),
    ),
    '\nThe same, times what it takes with 10 procedures:\n',
    table(head, growth),
    '\nTypes that the check instantiates, the same in every run:\n',
    table(
      head,
      rows(([{ instantiations }]) => instantiations.toLocaleString('en')),
    ),
    '\nParsing and binding what the caller imports, ms of CPU:\n',
    table(
      head,
      rows((list) => digits(median(list.map(({ parse }) => parse)))),
    ),
  ]
  return { text: text.join('\n') }
}

function grown([{ failure }, list], first) {
  if (failure) return failure
  return spread(list.map(({ check }, i) => check / (first[i]?.check ?? first[0].check)))
}

async function writeProject(folder, title, count, write) {
  const own = join(folder, `types-${title.replaceAll(/\W+/g, '-')}-${count}`)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), '{"type":"module"}')
  const { procedures, ...files } = write(count)
  const packages = title.startsWith('rpc-gen') ? folder : bench
  symlinkSync(join(packages, 'node_modules'), join(own, 'node_modules'), 'junction')
  if (procedures) {
    writeFileSync(join(own, 'tsconfig.json'), '{"compilerOptions":{"module":"nodenext","strict":true,"types":[]}}')
    await generateModule(own, 'procedures', procedures)
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, `${name}.ts`), text)
  return join(own, 'caller.ts')
}

function check(cell, list) {
  const flags = ['--max-old-space-size=8192', '--stack-size=4000', script, cell.caller]
  const { status, stdout, stderr, error } = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    timeout: patienceMs,
  })
  if (error?.code === 'ETIMEDOUT') {
    cell.failure = `more than ${patienceMs / 1000} s`
    return
  }
  if (status !== 0) throw new Error(`${cell.title}, ${cell.count}: ${stderr}`)
  const result = JSON.parse(stdout)
  if (result.problems.length > 0) cell.failure = `an error: ${result.problems[0].split('\n', 1)[0].slice(0, 60)} …`
  list.push(result)
}
