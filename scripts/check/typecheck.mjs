// Checks the types of everything, then of each part with only the types that it may use: the runtime has no types of Node.
import { runAll, tool } from '../run.mjs'

const projects = ['.', 'runtime', 'runtime/page/browser', 'generator', 'scripts']
await runAll(projects.map((project) => [tool.tsc, '--noEmit', '--project', project]))
