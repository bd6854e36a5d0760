import { dirname } from 'node:path'
import ts from 'typescript'
import { createHost, textOf } from './compiler.js'
import { root } from './paths.js'

/** The text of a generated module without `@ts-nocheck`, which spares users the time: the tests check it. */
export function withoutNocheck(text: string): string {
  return text.replace('// @ts-nocheck', '// checked')
}

/** The errors of a project with all of its generated modules checked: `file(line,column): error TS1: text`. */
export function checkedErrors(config: string): string[] {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, dirname(config))
  const host = createHost(options)
  const read = host.readFile
  host.readFile = (path) => {
    const text = read(path)
    return text === undefined ? undefined : withoutNocheck(text)
  }
  const program = ts.createProgram(fileNames, options, host)
  return ts.getPreEmitDiagnostics(program).map((error) => textOf(error, root))
}
