import { type Ending, sourcesOf } from './sources.js'

/** The compilers of test/external/matrix/package.json, oldest first. */
export const compilers = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0'] as const
export type Compiler = (typeof compilers)[number]

/** The oldest, the last of each line: every way to set up a project is tried with these. */
export const landmarks: readonly Compiler[] = ['5.4', '5.9', '6.0', '7.0']

/** One way to set up a project. */
export interface Project {
  readonly name: string
  readonly ending: Ending
  readonly packageJson: object
  readonly compilerOptions: object
  readonly files: Readonly<Record<string, string>>
  readonly compilers: readonly Compiler[]
}

const node = { target: 'es2022', module: 'nodenext', strict: true, types: ['node'], skipLibCheck: true }
const emits = { ...node, rootDir: 'src', outDir: 'dist' }
const bundled = { ...node, module: 'esnext', moduleResolution: 'bundler', noEmit: true }

interface Choices {
  readonly ending?: Ending
  readonly library?: string
  readonly packageJson?: object
  readonly files?: Readonly<Record<string, string>>
  readonly compilers?: readonly Compiler[]
}

function project(name: string, compilerOptions: object, choices: Choices = {}): Project {
  const { ending = '.js', library, packageJson = {}, files = {} } = choices
  return {
    name,
    ending,
    packageJson: {
      name: 'own',
      private: true,
      type: 'module',
      dependencies: { hono: '*', 'rpc-gen': '*' },
      ...packageJson,
    },
    compilerOptions,
    files: { ...sourcesOf(ending, library), ...files },
    compilers: choices.compilers ?? landmarks,
  }
}

const from = (oldest: Compiler) => landmarks.filter((each) => Number(each) >= Number(oldest))

export const projects: readonly Project[] = [
  project('nodenext', { ...emits, skipLibCheck: false }, { compilers }),
  project('node16', { ...emits, module: 'node16' }),
  project('CommonJS under nodenext', emits, { packageJson: { type: 'commonjs' } }),
  project('CommonJS under node16', { ...emits, module: 'node16' }, { packageJson: { type: 'commonjs' } }),
  project('bundler, without endings', bundled, { ending: '' }),
  project('bundler, with .js', bundled),
  project('bundler, with .ts', { ...bundled, allowImportingTsExtensions: true }, { ending: '.ts' }),
  project('preserve', { ...node, module: 'preserve', noEmit: true }, { ending: '' }),
  project(
    'rewritten endings',
    { ...emits, rewriteRelativeImportExtensions: true },
    { ending: '.ts', compilers: from('5.9') },
  ),
  project('modules without changes', { ...emits, verbatimModuleSyntax: true, isolatedModules: true }),
  project(
    'erasable syntax',
    { ...emits, verbatimModuleSyntax: true, erasableSyntaxOnly: true },
    { compilers: from('5.9') },
  ),
  project('every check', {
    ...emits,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    useUnknownInCatchVariables: true,
    allowUnreachableCode: false,
  }),
  project('strict off', { ...emits, strict: false }),
  project('path aliases', { ...bundled, paths: { '@lib/*': ['./src/*'] } }, { ending: '', library: '@lib/types' }),
  project('package imports', emits, {
    library: '#types',
    packageJson: { imports: { '#types': { types: './src/types.ts', default: './dist/types.js' } } },
  }),
  project('its own exports', emits, {
    library: 'own/types',
    packageJson: { exports: { './types': { types: './src/types.ts', default: './dist/types.js' } } },
  }),
]

/** Runs everywhere unchanged: only erasable syntax, and existing file endings. */
export const runnable = project('runnable', { ...bundled, allowImportingTsExtensions: true }, { ending: '.ts' })
