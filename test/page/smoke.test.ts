import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { compileModule } from '../support/compile-module.js'
import { serveApp } from '../support/listen.js'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { missing, open, startBrowser } from './chromium.js'

// One call in the page, if there is a browser; test/external/page/browser.test.ts has everything else.

test.skipIf(skipped('the form of the page in Chromium', missing))('a procedure is called by its form', async () => {
  const source = "/** @rpc */\nexport function greet(name: string): string {\n  return 'Hello, ' + name\n}\n"
  const procedures = await compileModule(temporaryFolder('page'), 'api.ts', source)
  const server = new RpcServer({ procedures, docs: true })
  const served = await serveApp(new Hono().route('/rpc', server.router()))
  const browser = await startBrowser()
  try {
    const { page, problems } = await open(browser, served.url)
    await page.locator('[id="greet"] .try > summary').click()
    const form = page.locator('[id="greet"] form')
    await form.getByLabel('name', { exact: true }).fill('Ada')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/· HTTP \d+/).waitFor()
    expect(await form.locator('.verdict').textContent()).toMatch(/^Result · HTTP 200 OK/)
    expect(await form.getByRole('group', { name: 'Response', exact: true }).textContent()).toContain('Hello, Ada')
    expect(problems.filter((problem) => !problem.includes('favicon'))).toEqual([])
  } finally {
    await browser.close()
    served.close()
  }
})
