// `npm test`: everything, in order, on a fresh clone with only Node installed. Arguments after `--` are passed to vitest.
import { installWhenMissing } from './install.mjs'
import { run, tool } from './run.mjs'

installWhenMissing()

heading('lint')
run(tool.biome, 'check', '--error-on-warnings')
run('scripts/prose.mjs')

heading('build')
run('scripts/build.mjs')

// Scripts import dist/.
heading('types')
run('scripts/typecheck.mjs')

heading('tests')
run(tool.vitest, 'run', ...process.argv.slice(2))

function heading(name) {
  console.log(`\n== ${name}`)
}
