import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileName } from './corpus.mjs'
import { run } from './measure.mjs'

/** The command of a package of rpc-gen. */
export const cliOf = (own) => join(own, 'dist/generator/cli.cjs')

/**
 * The measured commands: Node's own start, tsc, and the ways to run rpc-gen. `own` is a package of rpc-gen; each has the base
 * that it is compared with, and preparations that are not measured.
 */
export function contestants(node, project, own) {
  const generate = [cliOf(own), 'src/api']
  // All that earlier runs have stored.
  const forget = () => {
    rmSync(join(project, '.cache/rpc-gen'), { recursive: true, force: true })
    rmSync(join(project, 'src/rpc.gen.ts'), { force: true })
  }
  const edited = join(project, fileName(1))
  return [
    {
      name: 'tsc --noEmit',
      args: [join(own, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', '.'],
      prepare: forget,
    },
    { name: 'cold', beside: 'tsc --noEmit', args: generate, prepare: forget },
    {
      name: 'one file edited',
      beside: 'tsc --noEmit',
      args: generate,
      prepare(round) {
        const text = readFileSync(edited, 'utf8')
        writeFileSync(edited, text.replace(/Counts the \w+/, `Counts the parts${round}`))
      },
    },
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'no change', beside: 'node -e 0', args: generate, prepare: () => settle(node, project, generate) },
  ]
}

/** Files that have just changed are compared by their bytes: a user's no-change run is later than that. */
function settle(node, project, args) {
  run(node, args, project)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100)
  run(node, args, project)
}
