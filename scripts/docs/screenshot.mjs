// Makes the picture of the README: the docs page of its example, after a call, in Chromium. Build first: node scripts/docs/screenshot.mjs
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { build } from 'esbuild'
import { Hono } from 'hono'
import { chromium } from 'playwright-core'
import { root } from '../run.mjs'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-screenshot-'))
try {
  const served = await startExample()
  await shoot(`http://127.0.0.1:${served.address().port}/rpc`)
  served.close()
} finally {
  rmSync(folder, { recursive: true })
}

/** Generates the module of the README's example, and serves it with its docs page. */
async function startExample() {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  mkdirSync(join(folder, 'src/procedures'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rpc-gen'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'src/procedures/orders.ts'), example)
  const { generate } = await import('../../dist/generator/index.js')
  const { files } = await generate({ paths: ['src/procedures'], cwd: folder })
  for (const { path, text } of files) writeFileSync(path, text)
  const outfile = join(folder, 'rpc.mjs')
  const packages = 'external'
  await build({ entryPoints: [join(folder, 'src/rpc.gen.ts')], bundle: true, format: 'esm', packages, outfile })
  const { procedures } = await import(outfile)
  const { RpcServer } = await import('../../dist/runtime/index.js')
  const server = new RpcServer({ procedures, docs: true, info: { title: 'Orders', version: '1.0.0' } })
  const app = new Hono().route('/rpc', server.router())
  return new Promise((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(started))
  })
}

/** Calls the procedure on the page, and writes the picture. */
async function shoot(url) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  const page = await browser.newPage({ viewport: { width: 1180, height: 840 }, reducedMotion: 'reduce' })
  await page.goto(url)
  await page.locator('.try > summary').click()
  const form = page.locator('form')
  await form.getByLabel('sku', { exact: true }).fill('A-1')
  await form.getByLabel('quantity', { exact: true }).fill('2')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText(/· HTTP \d+/).waitFor()
  await page.evaluate(() => scrollTo(0, 180))
  await page.screenshot({ path: join(root, 'docs/images/docs-page.png') })
  await browser.close()
}
