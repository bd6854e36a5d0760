// npm run bench -- [SECTION...] [--node 20,24,26] [--rounds N] [--package FOLDER]... [--dry]: compares rpc-gen with its peers and the lower bound,
// everything in one run on one machine, since only ratios are comparable. Sections: calls, http, xml, validation, size, generator, scale;
// all of them without a name. Results go into bench/RESULTS.md and docs/performance.md, where only what was measured
// is replaced.
//
// FOLDER is an rpc-gen package with its dist/; default: this one. If there are several, they are compared with each other and nothing
// is written, as with --dry. With --node everything is run once on each of these major versions, which are installed below
// bench/node_modules in pinned versions; each has its own tables. A slow day fails nothing; a wrong response ends the run.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installNode, majors } from './harness/node-versions.mjs'
import { makeProject, removeProject } from './harness/project.mjs'
import { writeReport } from './harness/report.mjs'

const sections = ['calls', 'http', 'xml', 'validation', 'size', 'generator', 'scale']

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    package: { type: 'string', multiple: true, default: [fileURLToPath(new URL('..', import.meta.url))] },
    node: { type: 'string' },
    dry: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
checkNames('section', positionals, sections)

if (values.node === undefined) {
  await runSections()
} else {
  const given = values.node.split(',').map((each) => each.trim())
  checkNames('pinned version', given, majors)
  for (const major of given) runOn(major)
}

function checkNames(what, given, known) {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  console.error(`There is no ${what} ${unknown}: ${known.join(', ')}`)
  process.exit(2)
}

/** Runs the same command on another Node: it is the one of every contestant, and of the parent that makes the project. */
function runOn(major) {
  const node = installNode(major)
  const rest = ['--rounds', values.rounds, ...values.package.flatMap((folder) => ['--package', folder])]
  const args = [fileURLToPath(import.meta.url), ...positionals, ...rest, ...(values.dry ? ['--dry'] : [])]
  const { status } = spawnSync(node, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

async function runSections() {
  const projects = []
  try {
    for (const folder of values.package) projects.push(await makeProject(folder))
    const count = Number(values.rounds)
    const options = { projects, count, milliseconds: 50, rounds: Math.max(3, Math.ceil(count / 3)), seconds: 2 }
    for (const name of positionals.length > 0 ? positionals : sections) {
      const section = await import(`./sections/${name}.mjs`)
      const found = await section.run(options)
      console.log(`\n## ${section.title}, Node ${process.versions.node}\n\n${found.text}`)
      if (!values.dry && projects.length === 1) writeReport(name, found)
    }
  } finally {
    for (const project of projects) removeProject(project)
  }
}
