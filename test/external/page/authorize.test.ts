import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import type { Browser, Locator, Page } from 'playwright-core'
import { RpcServer } from 'rpc-gen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { procedures as schemes } from '../../../fixtures/generate/auth-schemes/expected.gen.js'
import { createApp } from '../../../fixtures/tenants/app.js'
import { memoryStore } from '../../../fixtures/tenants/memory.js'
import { useStore } from '../../../fixtures/tenants/store.js'
import { axePath, missing, type Opened, openForm, startBrowser, visitUrl } from '../../page/chromium.js'
import { violationsIn } from '../../page/looks.js'
import { type Served, serveSockets } from '../../page/serving.js'
import { root } from '../../support/paths.js'
import { skipped } from '../../support/skip.js'
import { keys, members } from '../../tenants/cases.js'

// The form for the credentials of callers: that of fixtures/tenants, whose scheme is a key, and that of a server with every scheme.

let browser: Browser
let served: Served

const screenshots = join(root, 'test/page/screenshots')

const visit = (act: (opened: Opened) => Promise<void>, path = '/rpc', options = {}) =>
  visitUrl(browser, served.origin + path, act, options)

/** Sends a call. Returns how it ended, and the header with the key. */
async function send(
  page: Page,
  form: Locator,
  protocol: 'JSON-RPC' | 'XML-RPC',
): Promise<[string, string | undefined]> {
  await form.getByRole('radio', { name: protocol, exact: true }).check()
  const request = page.waitForRequest((each) => each.method() === 'POST')
  await form.getByRole('button', { name: 'Send' }).click()
  const headers = await (await request).allHeaders()
  await form.locator('button', { hasText: 'Stop' }).waitFor({ state: 'hidden' })
  await form.getByText(/· HTTP \d+/).waitFor()
  return [((await form.locator('.verdict').textContent()) ?? '').split(' · ')[0] ?? '', headers['x-api-key']]
}

/** What the browser has stored for the page. */
function storedBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const caches = await globalThis.caches?.keys()
    return JSON.stringify([localStorage, sessionStorage, document.cookie, databases, caches ?? []])
  })
}

const nothing = '[{},{},"",[],[]]'

describe.skipIf(skipped('the Authorize form in Chromium', missing))('in Chromium', () => {
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true })
    useStore(memoryStore(members))
    const app = createApp({ onError: () => {} })
    app.route('/schemes', new RpcServer({ procedures: schemes, docs: true }).router())
    served = await serveSockets(new Hono().route('/', app))
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  test('a key is sent with every call, in both protocols, and is not stored', () =>
    visit(async ({ page }) => {
      const form = await openForm(page, 'invoices.list')
      expect(await send(page, form, 'JSON-RPC')).toEqual(['Error -32098: Authentication failed', undefined])
      await page.getByText('Authorize', { exact: true }).click()
      const key = page.getByLabel('X-Api-Key')
      await key.fill('wrong')
      expect(await send(page, form, 'JSON-RPC')).toEqual(['Error -32098: Authentication failed', 'wrong'])
      expect(await send(page, form, 'XML-RPC')).toEqual(['Fault -32098: Authentication failed', 'wrong'])
      await key.fill(keys.clerk)
      expect(await send(page, form, 'XML-RPC')).toEqual(['Result', keys.clerk])
      expect(await send(page, form, 'JSON-RPC')).toEqual(['Result', keys.clerk])
      // Also with a form that was opened later, and with the role of the key.
      const other = await openForm(page, 'invoices.remove')
      expect(await send(page, other, 'JSON-RPC')).toEqual(['Error -32099: Not allowed', keys.clerk])
      await key.fill('')
      expect(await send(page, form, 'JSON-RPC')).toEqual(['Error -32098: Authentication failed', undefined])
      await key.fill(keys.clerk)
      expect(await storedBy(page)).toBe(nothing)
      expect(page.url()).not.toContain(keys.clerk)
      await page.reload()
      expect(await page.getByLabel('X-Api-Key').inputValue()).toBe('')
      const again = await openForm(page, 'invoices.list')
      expect(await send(page, again, 'JSON-RPC')).toEqual(['Error -32098: Authentication failed', undefined])
      expect(await storedBy(page)).toBe(nothing)
    }))

  test('with the keyboard alone', () =>
    visit(async ({ page }) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      for (let i = 0; i < 30 && (await focused()) !== 'Authorize'; i += 1) await page.keyboard.press('Tab')
      expect(await focused()).toBe('Authorize')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.type(keys.manager)
      // Does not send the form, which would load the page again.
      await page.keyboard.press('Enter')
      expect(await page.getByLabel('X-Api-Key').inputValue()).toBe(keys.manager)
      const form = await openForm(page, 'invoices.list')
      expect(await send(page, form, 'JSON-RPC')).toEqual(['Result', keys.manager])
    }))

  test('headers that the reader has written remain, and one scheme replaces another in the same header', () =>
    visit(async ({ page }) => {
      const form = await openForm(page, 'either')
      await form.getByText('Headers', { exact: true }).first().click()
      const headers = form.getByRole('textbox', { name: 'Headers' })
      await headers.fill('X-Trace: 7')
      await page.getByText('Authorize', { exact: true }).click()
      await page.getByLabel('Token').fill('abc')
      expect(await headers.inputValue()).toBe('X-Trace: 7\nAuthorization: Bearer abc')
      await page.getByLabel('Name', { exact: true }).fill('ada')
      await page.getByLabel('Password').fill('word')
      expect(await headers.inputValue()).toBe('X-Trace: 7\nAuthorization: Basic ada:word')
      expect(await page.getByLabel('Token').inputValue()).toBe('')
      await page.getByLabel('X-Api-Key').fill('key')
      expect(await page.getByLabel('Password').inputValue()).toBe('word')
    }, '/schemes'))

  describe.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s, %i pixels wide', (colorScheme, width) => {
    test.each(['/rpc', '/schemes'])('%s: every rule of axe-core passes, and nothing is wider than the screen', (path) =>
      visit(
        async ({ page }) => {
          await page.evaluate(readFileSync(axePath(), 'utf8'))
          await page.getByText('Authorize', { exact: true }).click()
          await page.locator('.authorize input').first().fill('a key')
          await page.screenshot({ path: `${screenshots}/9-authorize-${path.slice(1)}-${width}-${colorScheme}.png` })
          expect(await violationsIn(page)).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        },
        path,
        // axe-core is a stranger to the policy of the page.
        { viewport: { width, height: 900 }, colorScheme, bypassCSP: true },
      ),
    )
  })
})
