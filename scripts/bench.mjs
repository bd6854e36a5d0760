// `npm run bench`: rpc-gen beside its peers, into docs/performance.md. Arguments after `--` are those of bench/run.mjs.
import { isBuildFresh } from './fresh.mjs'
import { installWhenMissing } from './install.mjs'
import { run } from './run.mjs'

installWhenMissing()
installWhenMissing('bench')
if (!isBuildFresh()) {
  console.log('Building dist/')
  run('scripts/build.mjs')
}
run('bench/run.mjs', ...process.argv.slice(2))
