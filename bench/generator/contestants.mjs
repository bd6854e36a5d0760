import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileName } from './corpus.mjs'
import { run } from './measure.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const cli = join(root, 'dist/generator/cli.cjs')
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** What is run in turn: Node's own start, tsc, and the ways that rpc-gen is run. */
export function contestants(node, project) {
  const generate = [cli, 'src/api']
  const forget = () => {
    rmSync(join(project, '.rpc-gen'), { recursive: true, force: true })
    rmSync(join(project, 'src/rpc.gen.ts'), { force: true })
  }
  const edited = join(project, fileName(1))
  return [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'tsc --noEmit', args: [tsc, '--noEmit', '-p', '.'], prepare: forget },
    { name: 'cold', beside: 'tsc --noEmit', bar: '0.70 (0.60 with a compile cache)', args: generate, prepare: forget },
    {
      name: 'one file edited',
      beside: 'tsc --noEmit',
      bar: 0.3,
      args: generate,
      prepare(round) {
        const text = readFileSync(edited, 'utf8')
        writeFileSync(edited, text.replace(/Counts the \w+/, `Counts the parts${round}`))
      },
    },
    {
      name: 'no change',
      beside: 'node -e 0',
      bar: 1.1,
      args: generate,
      prepare: () => settle(node, project, generate),
    },
  ]
}

/** Files that have just changed are compared by their bytes: a user's no-change run comes later than that. */
function settle(node, project, args) {
  run(node, args, project)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100)
  run(node, args, project)
}
