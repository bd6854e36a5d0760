import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { open, startBrowser } from './chromium.js'
import { compileApi, startApp } from './serving.js'

const folder = fileURLToPath(new URL('screenshots/', import.meta.url))

test('looks', async () => {
  mkdirSync(folder, { recursive: true })
  const procedures = await compileApi()
  const server = new RpcServer({ procedures, docs: true, onError: () => {} } as never)
  const app = new Hono().all('/rpc', server.view)
  const served = await startApp(app)
  const browser = await startBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      const opened = await open(browser, `${served.url}/rpc`, { viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
      const { page } = opened
      await page.screenshot({ path: `${folder}page-${width}-${colorScheme}.png` })
      await page.evaluate(() => document.getElementById('job.take')?.scrollIntoView())
      await page.screenshot({ path: `${folder}procedure-${width}-${colorScheme}.png` })
      await page.locator('[id="job.take"] .try > summary').click()
      await page.evaluate(() => scrollTo(0, 0)); await page.getByRole('button', { name: 'Send' }).click()
      await page.locator('.verdict').first().waitFor()
      await page.evaluate(() => document.querySelector('[id="job.take"] .panel')?.scrollIntoView({ block: 'start' }))
      await page.screenshot({ path: `${folder}call-${width}-${colorScheme}.png` })
      console.log(
        opened.problems,
        await page.locator('.verdict').first().textContent(),
        await page.evaluate(() => document.documentElement.scrollWidth),
      )
      await page.context().close()
    }
  }
  await browser.close()
  await served.stop()
  expect(1).toBe(1)
})
