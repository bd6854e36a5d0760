import { dirname, join } from 'node:path'
import ts from 'typescript'
import { compilerOptions, root } from '../support/paths.js'

/** Where the caller would be, were it a file. */
export const file: string = join(root, 'test/client/caller.ts')

const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, root)

/** A file that calls, in an editor: its text is what is written last, behind its head. */
export interface Caller {
  readonly service: ts.LanguageService
  /** Makes this the text of the caller, and returns it with its head. */
  write(body: string): string
  /** What a hover over the last word of a piece of text shows. */
  hover(piece: string): { readonly shown: string; readonly docs: string }
  /** The first line of each message. */
  errorsOf(body: string): string[]
}

/** Opens an editor, as it were. `changes` are compiler options that differ from those of the tests. */
export function openCaller(head: string, changes: ts.CompilerOptions = {}): Caller {
  let text = ''
  let version = 0
  const read = (path: string) => (path === file ? text : ts.sys.readFile(path))
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? `${version}` : '0'),
    getScriptSnapshot: (path) => {
      const content = read(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, pathsBasePath: root, ...changes }),
    getDefaultLibFileName: (settings) =>
      join(dirname(ts.getDefaultLibFilePath(settings)), ts.getDefaultLibFileName(settings)),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
  })
  const write = (body: string) => {
    version++
    text = head + body
    return text
  }
  return {
    service,
    write,
    hover(piece) {
      write(piece)
      const info = service.getQuickInfoAtPosition(file, head.length + piece.search(/\W*$/) - 1)
      return { shown: ts.displayPartsToString(info?.displayParts), docs: ts.displayPartsToString(info?.documentation) }
    },
    errorsOf(body) {
      write(body)
      return service
        .getSemanticDiagnostics(file)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? '')
    },
  }
}
