import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { script, style } from '../../runtime/page/assets.gen.js'
import { assetsPath, renderAssets } from '../../scripts/build/assets.mjs'
import { root } from '../support/paths.js'

describe('the assets of the page', () => {
  test('are up to date: else run node scripts/build/assets.mjs', async () => {
    expect(readFileSync(assetsPath, 'utf8')).toBe(await renderAssets())
  })

  test('are small: at most 24 kB with gzip, where 40 are allowed', () => {
    const [scriptSize, styleSize] = [script, style].map((each) => gzipSync(each, { level: 9 }).length)
    console.log(`script ${scriptSize} bytes, style ${styleSize} bytes with gzip`)
    expect((scriptSize ?? 0) + (styleSize ?? 0)).toBeLessThan(24_000)
  })

  test('make no requests to other origins and parse no text as markup or code', () => {
    expect(style).not.toMatch(/url\(|@import|https?:/)
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|data:/)
    expect(script.match(/https?:\/\/[^"'`\s]*/g)).toEqual([
      'https://example.com/',
      'https://example.com/',
      'https://example.com/grüße',
      'https://example.com/',
    ])
  })

  test('are not loaded with the runtime', async () => {
    const { build } = await import('esbuild')
    const options = {
      bundle: true,
      write: false,
      metafile: true,
      splitting: true,
      format: 'esm',
      outdir: 'out',
    } as const
    const { metafile } = await build({
      ...options,
      absWorkingDir: root,
      entryPoints: ['runtime/index.ts'],
      external: ['hono', 'hono/*', 'fast-xml-parser'],
    })
    const first = metafile.outputs['out/index.js']
    const loaded = new Set<string>()
    const visit = (path: string): void => {
      const output = metafile.outputs[path]
      if (!output || loaded.has(path)) return
      loaded.add(path)
      for (const each of output.imports) if (each.kind === 'import-statement') visit(each.path)
    }
    visit('out/index.js')
    const inputs = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}))
    expect(first).toBeDefined()
    expect(inputs).toContain('runtime/server/server.ts')
    expect(inputs.filter((path) => path.startsWith('runtime/page/'))).toEqual([])
    const imported = [...loaded].flatMap((path) => metafile.outputs[path]?.imports ?? [])
    expect(imported.map(({ path }) => path)).not.toContain('hono/jsx/jsx-runtime')
  })
})
