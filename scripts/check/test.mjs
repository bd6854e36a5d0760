// `npm test`: lint, build, types and tests, on a fresh clone with only Node and git installed; nothing but the packages of
// package-lock.json is downloaded. `npm run test:all` runs the remaining tests, those of `test/external/`: they
// install packages, and start programs, compilers, runtimes and a browser. It also repeats some tests with more random inputs.
// Arguments after `--` are passed to vitest.
import { buildWhenStale } from '../build/fresh.mjs'
import { installWhenMissing } from '../build/install.mjs'
import { run, runAll, tool } from '../run.mjs'

const [part, ...args] = process.argv.slice(2)

installWhenMissing()
if (part === 'external') {
  // The tests start the command and pack dist/.
  buildWhenStale()
  run(tool.vitest, 'run', '--project', 'external', ...args)
  if (args.length === 0) {
    heading('more random inputs')
    Object.assign(process.env, { DIFF_RUNS: '300', PARITY_RUNS: '2000' })
    run(tool.vitest, 'run', 'test/parity/parity.test.ts', 'test/diff/laws.test.ts', 'test/diff/overloads.test.ts')
  }
} else {
  heading('lint, build')
  await runAll([[tool.biome, 'check', '--error-on-warnings'], ['scripts/build/build.mjs']])

  // Scripts import dist/. Some tests wait, so that both end sooner together.
  heading('types, tests')
  await runAll([['scripts/check/typecheck.mjs'], [tool.vitest, 'run', '--project', 'local', ...process.argv.slice(2)]])
}

function heading(name) {
  console.log(`\n== ${name}`)
}
