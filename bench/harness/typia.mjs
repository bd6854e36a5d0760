// typia's build step: its code for `createIs`, `createIsClone`, `createValidate` and `createStringify` of the same types.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

// By `require`, so that it resolves the same compiler.
const { transform } = createRequire(import.meta.url)('@typia/transform')

const types = ['Point', 'Order', 'Shape']
const functions = types.flatMap((name) => [
  `export const is${name} = typia.createIs<${name}>()`,
  `export const clone${name} = typia.misc.createIsClone<${name}>()`,
  `export const validate${name} = typia.createValidate<${name}>()`,
  `export const stringify${name} = typia.json.createStringify<${name}>()`,
])

/** The JavaScript of a module that has `isX`, `cloneX`, `validateX` and `stringifyX` for the types of `source`. */
export function transformTypia(folder, source) {
  const file = join(folder, 'typia.ts')
  const text = `${withTags(source)}\n${functions.join('\n')}\n`
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    noEmitOnError: false,
    types: [],
    baseUrl: fileURLToPath(new URL('../node_modules', import.meta.url)),
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, options.target, true) : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], options, host)
  const problems = []
  // rpc-gen requires finite numbers, so typia does too.
  const before = [transform(program, { finite: true }, { addDiagnostic: (each) => problems.push(each) })]
  let output = ''
  const write = (name, emitted) => {
    if (name.endsWith('typia.js')) output = emitted
  }
  program.emit(program.getSourceFile(file), write, undefined, false, { before })
  if (problems.length > 0) throw new Error(ts.flattenDiagnosticMessageText(problems[0].messageText, '\n'))
  return absolute(output)
}

/** The same types with typia's tags. */
function withTags(source) {
  const words = "import typia, { tags } from 'typia'\ntype Int = number & tags.Type<'int32'>\ntype Double = number\n"
  return source.replace("import type { Double, Int } from 'rpc-gen'\n", words)
}

/** typia is installed for the benchmarks, not in the project. */
function absolute(text) {
  return text.replace(/from ['"](typia[^'"]*)['"]/g, (_, name) => `from ${JSON.stringify(import.meta.resolve(name))}`)
}
