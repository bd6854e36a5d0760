// Checks the types of everything, then of each part with only the types that it may use: the runtime has no types of Node.
import { run, tool } from './run.mjs'

for (const project of ['.', 'runtime', 'runtime/page/browser', 'generator', 'scripts']) {
  run(tool.tsc, '--noEmit', '--project', project)
}
