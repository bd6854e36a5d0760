import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Position } from '../../diagnostic.js'
import { slashes } from '../../options.js'
import type { Problems } from '../problems.js'
import type { OpenProject } from './project.js'

const script = /\.(?:[mc]?js|jsx)$/

/** Leaves out the compiled output of a source that is there too: a folder may hold both, side by side. */
export function withoutTwins(files: readonly string[]): string[] {
  const all = new Set(files)
  const isTwin = (file: string) => sourcesOf(file).some((source) => all.has(source))
  return files.filter((file) => !script.test(file) || !isTwin(file))
}

/** What a script may be compiled from: `a.js` of `a.ts` or `a.tsx`, `a.mjs` of `a.mts`, `a.jsx` of `a.tsx`. */
function sourcesOf(file: string): string[] {
  const stem = file.replace(script, '')
  const [, kind] = /\.([mc])js$/.exec(file) ?? []
  return kind === undefined ? [`${stem}.ts`, `${stem}.tsx`] : [`${stem}.${kind}ts`]
}

/** The project without what its own build wrote. */
export function withoutOutput(project: OpenProject): OpenProject {
  const sources = project.sources.filter(({ fileName }) => !isOutput(fileName, project))
  return sources.length === project.sources.length ? project : { ...project, sources }
}

/** Reports scripts that are marked while the tsconfig takes no JavaScript: the program has left them out. */
export function checkScripts(project: OpenProject, problems: Problems): void {
  const { program } = project
  for (const file of program.getRootFileNames()) {
    if (!script.test(file) || program.getSourceFile(file) || isOutput(file, project) || !existsSync(file)) continue
    const position = markIn(readFileSync(file, 'utf8'), problems.relative(file))
    if (!position) continue
    const message = `${position.file} is marked @rpc, and the tsconfig takes no JavaScript`
    problems.add({
      code: 'RPC103',
      message,
      position,
      hint: 'set "allowJs" to true, or leave the file out of the paths',
    })
  }
}

function markIn(text: string, file: string): Position | undefined {
  const at = text.indexOf('@rpc')
  if (at === -1) return undefined
  const lines = text.slice(0, at).split('\n')
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Whether a script lies in the folder that the tsconfig's own output goes to. */
function isOutput(file: string, { config: { compilerOptions, path } }: OpenProject): boolean {
  const { outDir } = compilerOptions
  if (outDir === undefined || path === undefined || !script.test(file)) return false
  const [folder, own] = [slashes(outDir), slashes(dirname(path))]
  return folder.startsWith(`${own}/`) && file.startsWith(`${folder}/`)
}
