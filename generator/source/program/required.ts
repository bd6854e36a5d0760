import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ts as TypeScript } from 'ts-morph'
import { UsageError } from '../../diagnostics/diagnostic.js'

/** The major version of ts-morph that the generator works with. */
const MAJOR = '28'

const installCommand = `npm install --save-dev ts-morph@${MAJOR}`

/** TypeScript, and its libraries as texts. */
interface Compiler {
  readonly ts: typeof import('ts-morph').ts
  getLibFiles(): readonly { readonly fileName: string; readonly text: string }[]
}

/**
 * The compiler that ts-morph contains. scripts/build/build.mjs resolves every `import … from 'ts-morph'` to this file: an import of
 * CommonJS scans all of its 12 MB for export names before it runs, which takes a third of the time of loading it.
 */
export const { ts, getLibFiles }: Compiler = load()

/**
 * Loads the compiler of ts-morph, which users install as a development dependency, because servers do not need it. It is not an
 * optional peer dependency, which npm would install with `--omit=dev` too. Resolved from rpc-gen, else from the working directory,
 * for pnpm and Yarn, which hide it from packages that do not declare it.
 */
function load(): Compiler {
  // Yarn patches the package typescript, and not the compiler within ts-morph: no import would be resolved.
  if ('pnp' in process.versions)
    throw new UsageError("Yarn Plug'n'Play is not supported: set `nodeLinker: node-modules` in .yarnrc.yml")
  const require = [import.meta.url, join(process.cwd(), 'package.json')].map(createRequire).find(canResolve)
  if (!require) throw new UsageError(`the compiler is not installed: ${installCommand}`)
  const { version } = require('ts-morph/package.json')
  if (!version.startsWith(`${MAJOR}.`)) {
    throw new UsageError(`ts-morph ${version} is installed, expected ${MAJOR}: ${installCommand}`)
  }
  const fromMorph = createRequire(require.resolve('ts-morph'))
  return fromMorph('@ts-morph/common')
}

/** Returns a module as CommonJS, without types and with `__meta` for `import.meta`. Throws UsageError for its first syntax error, with the position. */
export function toCommonJs(text: string, path: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true }
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    compilerOptions,
    reportDiagnostics: true,
    transformers: { before: [renameMeta] },
  })
  const error = diagnostics.find(({ file }) => file)
  // The line that names an interpreter is one only at the beginning of a script.
  if (!error?.file) return outputText.replace(/^#!.*/, '')
  const { line, character } = error.file.getLineAndCharacterOfPosition(error.start ?? 0)
  const message = ts.flattenDiagnosticMessageText(error.messageText, ' ')
  throw new UsageError(`${path}:${line + 1}:${character + 1} ${message}`)
}

const renameMeta: TypeScript.TransformerFactory<TypeScript.SourceFile> = (context) => {
  const visit = (node: TypeScript.Node): TypeScript.Node =>
    ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword
      ? context.factory.createIdentifier('__meta')
      : ts.visitEachChild(node, visit, context)
  return (source) => ts.visitEachChild(source, visit, context)
}

function canResolve(require: NodeJS.Require): boolean {
  try {
    return require.resolve('ts-morph/package.json') !== ''
  } catch {
    return false
  }
}
