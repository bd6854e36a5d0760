// `npm run bench`: compares rpc-gen with its peers, and writes bench/RESULTS.md and docs/performance.md. Arguments after `--` are those of
// bench/run.mjs; `report` measures nothing, and writes both pages again from bench/results.json.
import { buildWhenStale } from '../build/fresh.mjs'
import { installWhenMissing } from '../build/install.mjs'
import { run } from '../run.mjs'

if (process.argv[2] === 'report') {
  run('bench/harness/report.mjs', ...process.argv.slice(3))
  process.exit()
}
installWhenMissing()
installWhenMissing('bench')
buildWhenStale()
run('bench/run.mjs', ...process.argv.slice(2))
