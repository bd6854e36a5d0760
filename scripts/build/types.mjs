import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import ts from 'typescript'
import { root } from '../run.mjs'

/**
 * Writes the declarations of the entry points, with maps, and the sources that the maps refer to. It does not check types:
 * `npm run typecheck` does.
 *
 * Under node16 a CommonJS source may not import a module whose types are ESM, though Node can `require` one since 20.19. So
 * the same declarations are also in `cjs/`, which a package.json makes CommonJS.
 */
export function writeTypes(dist, entryPoints) {
  const emitted = emitDeclarations(entryPoints)
  for (const path of reachable(entryPoints, emitted)) {
    const source = join(dist, 'src', `${path}.ts`)
    write(source, readFileSync(join(root, `${path}.ts`), 'utf8'))
    const declaration = join(dist, `${path}.d.ts`)
    const copy = join(dist, 'cjs', `${path}.d.ts`)
    const text = emitted.get(`${path}.d.ts`)
    const map = JSON.parse(emitted.get(`${path}.d.ts.map`))
    write(declaration, text)
    write(`${declaration}.map`, JSON.stringify({ ...map, sources: [urlFrom(declaration, source)] }))
    // One map for both: its mappings are those of either.
    write(copy, text.replace(/(?<=sourceMappingURL=).*/, urlFrom(copy, `${declaration}.map`)))
  }
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The path to `file` relative to the file that refers to it. */
function urlFrom(referrer, file) {
  return relative(dirname(referrer), file).replaceAll('\\', '/')
}

/** The text of every `.d.ts` and `.d.ts.map`, by its path in the project. */
function emitDeclarations(entryPoints) {
  const parsed = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.build.json'), {}, configHost)
  if (!parsed) throw new Error('tsconfig.build.json is missing')
  const { options } = parsed
  const files = entryPoints.map((path) => join(root, `${path}.ts`))
  const emitted = new Map()
  const { diagnostics } = ts.createProgram(files, options).emit(undefined, (path, text) => {
    emitted.set(relative(options.outDir ?? '', path).replaceAll('\\', '/'), text)
  })
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost))
  return emitted
}

const configHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic(diagnostic) {
    throw new Error(ts.formatDiagnostic(diagnostic, formatHost))
  },
}

const formatHost = { getCanonicalFileName: (path) => path, getCurrentDirectory: () => root, getNewLine: () => '\n' }

/** The declarations that those of the entry points import, directly or not, and these; without their extension. */
function reachable(entryPoints, emitted) {
  const found = new Set(entryPoints)
  for (const path of found) {
    for (const { fileName } of ts.preProcessFile(emitted.get(`${path}.d.ts`)).importedFiles) {
      if (fileName.startsWith('.')) found.add(posix.join(posix.dirname(path), fileName.replace(/\.js$/, '')))
    }
  }
  return found
}
