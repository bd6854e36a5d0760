import { ts } from 'ts-morph'
import { mayConstrain } from '../../docs/index.js'
import { slashes } from '../../options.js'

/** Whether a source says any constraint that counts: asked for every node that a type is written with. */
const counted = new WeakMap<ts.SourceFile, boolean>()

/** The user's own sources are those that do not lie below node_modules: so do those of a workspace, behind a link. */
export function isCounted(source: ts.SourceFile, program: ts.Program): boolean {
  const known = counted.get(source)
  if (known !== undefined) return known
  const answer =
    mayConstrain(source.text) && !program.isSourceFileDefaultLibrary(source) && !isInstalled(source.fileName)
  counted.set(source, answer)
  return answer
}

const installed = '/node_modules/'

function isInstalled(file: string): boolean {
  return file.includes(installed) && slashes(ts.sys.realpath?.(file) ?? file).includes(installed)
}
