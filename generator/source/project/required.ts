import { createRequire } from 'node:module'

/**
 * The exports of ts-morph that the generator uses. scripts/build.mjs resolves every `import … from 'ts-morph'` to this
 * file: an import of CommonJS scans all of its 12 MB for the names of its exports before it runs, a third of the time
 * that loading it takes.
 */
export const { Project, ts }: typeof import('ts-morph') = createRequire(import.meta.url)('ts-morph')
