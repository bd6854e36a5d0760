import { Hono } from 'hono'
import type { Browser, Locator, Page } from 'playwright-core'
import { RpcServer } from 'rpc-gen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, serveApp } from '../support/listen.js'
import { skipped } from '../support/skip.js'
import { missing, type Opened, open, startBrowser } from './chromium.js'
import { attack, hostile } from './hostile.js'
import { lookAt } from './looks.js'
import { serveAt } from './serve-at.js'
import { compileApi } from './serving.js'

// The page in headless Chromium. In every test nothing may be blocked, logged or requested from another origin.

let browser: Browser
let served: Listening

const procedure = (page: Page, name: string): Locator => page.locator(`[id="${name}"]`)

/** Opens the form of a procedure. */
async function openForm(page: Page, name: string): Promise<Locator> {
  await procedure(page, name).locator('.try > summary').click()
  return procedure(page, name).locator('form')
}

async function send(form: Locator): Promise<string> {
  await form.getByRole('button', { name: 'Send' }).click()
  // From the click until the response is shown, because the previous one may look the same.
  await form.locator('button', { hasText: 'Stop' }).waitFor({ state: 'hidden' })
  await form.getByText(/· HTTP \d+/).waitFor()
  return (await form.locator('.verdict').textContent()) ?? ''
}

/** The body of a request or a response, without its headers. */
async function bodyOf(form: Locator, name: 'Request' | 'Response'): Promise<string> {
  const text = (await form.getByRole('group', { name, exact: true }).locator('pre').textContent()) ?? ''
  return text.slice(text.indexOf('\n\n') + 2)
}

async function jsonOf(form: Locator, name: 'Request' | 'Response'): Promise<unknown> {
  return JSON.parse(await bodyOf(form, name))
}

const skip = skipped('test/page in Chromium', missing)

describe.skipIf(skip)('in Chromium', () => {
  beforeAll(async () => {
    const procedures = await compileApi()
    const info = {
      title: 'Workshop',
      version: '2.1.0',
      description: 'Takes on jobs, and counts what they are made of.',
    }
    const server = new RpcServer({ procedures, docs: true, info, onError: () => {} })
    const app = new Hono()
      .all('/rpc', server.view)
      .route('/docs', server.docs({ endpoint: '/rpc' }))
      // The policy of the page prevents the request of a browser; without the policy it is sent.
      .get('/favicon.ico', (c) => c.body(null, 204))
      .get('/hostile', (c) => serveAt(c, hostile))
    served = await serveApp(app)
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  async function visit(act: (opened: Opened) => Promise<void>, path = '/rpc', options = {}): Promise<void> {
    const opened = await open(browser, served.origin + path, { reducedMotion: 'reduce', ...options })
    try {
      await act(opened)
      expect(opened.problems).toEqual([])
    } finally {
      await opened.page.context().close()
    }
  }

  describe('looks', () => lookAt(() => ({ browser, url: `${served.origin}/rpc` })))

  describe('calls', () => {
    test('in JSON-RPC by position: a struct with a date, binary data, optional members', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.take')
        await form.getByLabel('title', { exact: true }).fill('Roof "new"')
        await form.getByLabel('start', { exact: true }).fill('2026-05-01T09:30:00')
        await form.getByLabel('Include photo').check()
        await form.getByLabel('photo', { exact: true }).fill('AAECAw==')
        await form.getByLabel('Include note').uncheck()
        expect(await send(form)).toMatch(/^Result · HTTP 200 OK · \d+ ms · \d+ bytes$/)
        const job = {
          title: 'Roof "new"',
          start: '2026-05-01T09:30:00Z',
          hours: 8,
          rate: 52.5,
          urgent: false,
          priority: 'normal',
          photo: 'AAECAw==',
          payment: { kind: 'transfer', iban: 'DE02120300000000202051' },
          serial: '9007199254740993',
          tags: ['wood'],
          extras: { paint: 12.5 },
        }
        expect(await jsonOf(form, 'Request')).toEqual({ jsonrpc: '2.0', id: 1, method: 'job.take', params: [job] })
        const result = { ...job, start: '2026-05-01T09:30:00.000Z' }
        expect(await jsonOf(form, 'Response')).toEqual({ jsonrpc: '2.0', result, id: 1 })
      }))

    test('in XML-RPC, with the same form', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.photo')
        await form.getByRole('radio', { name: 'XML-RPC', exact: true }).check()
        await form.getByLabel('photo', { exact: true }).fill('aGk=')
        await form.getByLabel('Include taken').check()
        await form.getByLabel('taken', { exact: true }).fill('2026-05-01T09:30:00')
        expect(await send(form)).toMatch(/^Result · HTTP 200 OK/)
        expect(await bodyOf(form, 'Request')).toBe(
          [
            '<?xml version="1.0"?>',
            '<methodCall>',
            '  <methodName>job.photo</methodName>',
            '  <params>',
            '    <param>',
            '      <value><base64>aGk=</base64></value>',
            '    </param>',
            '    <param>',
            '      <value><dateTime.iso8601>20260501T09:30:00</dateTime.iso8601></value>',
            '    </param>',
            '  </params>',
            '</methodCall>',
          ].join('\n'),
        )
        const body = await bodyOf(form, 'Response')
        expect(body).toContain('<value><base64>aGk=</base64></value>')
        expect(body).toContain('<value><int>2</int></value>')
        expect(body).toContain('<value><dateTime.iso8601>20260501T09:30:00</dateTime.iso8601></value>')
      }))

    test('with every rarer type, in both protocols', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'rare.types')
        await form.getByRole('button', { name: 'Add one' }).click()
        await page.keyboard.type('3.5')
        await form.getByLabel('code').fill('job-7')
        await form.getByLabel('anything').fill('{"a": [1, null]}')
        expect(await send(form)).toMatch(/^Result/)
        const result = [[1.5, 1.5, 3.5], 'https://example.com/', 'job-7', { key: 1 }, { a: [1, null] }]
        expect(await jsonOf(form, 'Response')).toEqual({ jsonrpc: '2.0', result, id: 1 })
        await form.getByRole('radio', { name: 'XML-RPC', exact: true }).check()
        expect(await send(form)).toMatch(/^Result/)
        expect(await bodyOf(form, 'Response')).toContain('<name>key</name>')
      }))

    test('by name, with a rest parameter as a list', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'sum')
        await form.getByRole('radio', { name: 'By name' }).check()
        await form.getByLabel('unit').selectOption('CHF')
        for (const each of ['1.5', '2']) {
          await form.getByRole('button', { name: 'Add one' }).click()
          await page.keyboard.type(each)
        }
        await send(form)
        expect(await jsonOf(form, 'Request')).toMatchObject({ params: { unit: 'CHF', amounts: [1.5, 1.5, 2] } })
        expect(await jsonOf(form, 'Response')).toMatchObject({ result: '5 CHF' })
        await form.getByRole('button', { name: 'Remove amounts[0]' }).click()
        await send(form)
        expect(await jsonOf(form, 'Response')).toMatchObject({ result: '3.5 CHF', id: 2 })
      }))

    test('as notification: 204 without a body', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'sum')
        await form.getByLabel('As notification').check()
        expect(await send(form)).toMatch(/^Done, without a result · HTTP 204/)
        expect(await jsonOf(form, 'Request')).not.toHaveProperty('id')
      }))

    test('recursive types at any depth', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'part.count')
        const add = form.getByRole('button', { name: 'Add one' })
        await add.first().click()
        await form.getByRole('button', { name: 'Add Part' }).click()
        expect(await send(form)).toMatch(/^Result/)
        expect(await jsonOf(form, 'Response')).toMatchObject({ result: 2 })
      }))

    test('invalid values reach the server, and its response is shown', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.take')
        await form.getByLabel('hours', { exact: true }).fill('many')
        expect(await send(form)).toMatch(/^Error -32602: Invalid params: job\.hours: expected .*, received/)
        expect(await form.locator('.verdict').getAttribute('class')).toBe('verdict failed')
        await form.getByRole('radio', { name: 'XML-RPC', exact: true }).check()
        expect(await send(form)).toMatch(/^Fault -32602: Invalid params: job\.hours/)
      }))

    test('an RpcError with its data; an internal error without', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.take')
        await form.getByLabel('title', { exact: true }).fill('full')
        expect(await send(form)).toMatch(/^Error 409: No room on that day/)
        expect(await jsonOf(form, 'Response')).toMatchObject({ error: { data: { note: 'Ring twice' } } })
        expect(await send(await openForm(page, 'fail'))).toMatch(/^Error -32603: Internal error/)
      }))

    test('parameters as text: sent unchanged, even if they are not JSON', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'sum')
        await form.getByRole('radio', { name: 'JSON', exact: true }).check()
        await form.getByLabel('Parameters as JSON').fill('["EUR", 9007199254740993]')
        await send(form)
        expect(await bodyOf(form, 'Request')).toContain('["EUR", 9007199254740993]')
        await form.getByLabel('Parameters as JSON').fill('["EUR"')
        expect(await send(form)).toMatch(/^Error -32700/)
        await form.getByRole('radio', { name: 'XML-RPC', exact: true }).check()
        await form.getByRole('button', { name: 'Send' }).click()
        expect(await form.locator('.verdict').textContent()).toMatch(
          /^The parameters are not valid JSON, which is converted to XML/,
        )
      }))

    test('headers are sent with every call of the page and are not stored', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'sum')
        await form.getByText('Headers', { exact: true }).first().click()
        await form.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Basic ada:pass\nX-Trace: 7')
        const hangsOut = await form.getByRole('textbox', { name: 'Headers' }).evaluate((each) => {
          const outer = each.parentElement?.getBoundingClientRect().right ?? 0
          return each.getBoundingClientRect().right - outer > 0.5
        })
        expect(hangsOut).toBe(false)
        const code = procedure(page, 'sum').locator('.code pre:visible')
        // Folded code is filled when the browser reports that it was opened, which is after the click.
        await expect
          .poll(() => code.textContent())
          .toContain(
            "-H 'Content-Type: application/json' \\\n  -H 'authorization: Basic YWRhOnBhc3M=' \\\n  -H 'x-trace: 7' \\\n",
          )
        await send(form)
        const other = await openForm(page, 'job.done')
        const otherCode = procedure(page, 'job.done').locator('.code pre:visible')
        await expect.poll(() => otherCode.textContent()).toContain("-H 'x-trace: 7'")
        await form.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Basic ada:pass\nX-Trace: 8\nhalf')
        await expect.poll(() => otherCode.textContent()).not.toContain('x-trace')
        await form.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Basic ada:pass\nX-Trace: 7')
        await expect.poll(() => otherCode.textContent()).toContain("-H 'x-trace: 7'")
        const sent = page.waitForRequest((request) => request.method() === 'POST')
        await send(other)
        const headers = await (await sent).allHeaders()
        expect([headers['authorization'], headers['x-trace']]).toEqual(['Basic YWRhOnBhc3M=', '7'])
        const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))
        expect(kept).toBe('[{},{},""]')
      }))

    test('a network error is reported as such', async () => {
      const opened = await open(browser, `${served.origin}/rpc`)
      const form = await openForm(opened.page, 'sum')
      await opened.page.context().setOffline(true)
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText('No response: Failed to fetch').waitFor()
      expect(opened.problems).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')])
      await opened.page.context().close()
    })

    test('from a page on a separate route', () =>
      visit(async ({ page, requests }) => {
        expect(await send(await openForm(page, 'job.done'))).toMatch(/^Result/)
        expect(requests.at(-1)).toBe(`${served.origin}/rpc`)
      }, '/docs'))
  })

  describe('reading', () => {
    test('requests the page, its script and its style only', () =>
      visit(async ({ requests }) => {
        const paths = requests.map((each) => each.slice(served.origin.length).replace(/-[\da-f]{12}/, ''))
        expect(paths).toEqual(['/rpc', '/rpc?asset=style.css', '/rpc?asset=script.js'])
      }))

    test('search filters while typing, and shows the number of results', () =>
      visit(async ({ page }) => {
        await page.keyboard.press('/')
        await page.keyboard.type('photo')
        await page.getByText(/ of 15 found$/).waitFor()
        expect(await page.locator('.procedure:visible h3').allTextContents()).toEqual(['job.photo'])
        expect(await page.locator('nav li:visible').allTextContents()).toEqual(['job.photo', 'Job'])
        expect(await page.locator('main h2:visible').allTextContents()).toEqual(['job', 'Types'])
        await page.keyboard.press('Escape')
        expect(await page.locator('.procedure:visible').count()).toBe(8)
        await page.keyboard.type('no such thing')
        await page.getByText('0 of 15 found').waitFor()
      }))

    test.each([
      ['a parameter', 'any number of amounts', ['sum']],
      ['a result', 'the last day', ['job.done']],
      ['an error', '409 day is full', ['job.take']],
      ['what to call instead', 'use sum', ['nothing']],
      ['a heading of the page itself', 'parameters errors', []],
    ])('search finds the docs of %s', (_, words, names) =>
      visit(async ({ page }) => {
        await page.keyboard.press('/')
        await page.keyboard.type(words)
        await page.getByText(`${names.length} of 15 found`).waitFor()
        expect(await page.locator('.procedure:visible h3').allTextContents()).toEqual(names)
      }),
    )

    test('Enter opens the procedure with the name, before those that only mention it', () =>
      visit(async ({ page }) => {
        await page.keyboard.press('/')
        await page.keyboard.type('Done ')
        await page.getByText('2 of 15 found').waitFor()
        expect(await page.locator('.procedure:visible h3').allTextContents()).toEqual(['job.take', 'job.done'])
        await page.keyboard.press('Enter')
        expect(new URL(page.url()).hash).toBe('#job.done')
      }))

    test('a link to a procedure or a type shows it', () =>
      visit(async ({ page }) => {
        for (const id of ['part.count', 'rpc.docs.type.Card']) {
          await page.evaluate((hash) => location.assign(`#${hash}`), id)
          await expect
            .poll(() => page.locator(`[id="${id}"]`).evaluate((each) => Math.round(each.getBoundingClientRect().top)))
            .toBe(15)
        }
      }))

    test('code shows the selected language and protocol everywhere, and the values in the form', () =>
      visit(async ({ page }) => {
        await procedure(page, 'job.take').locator('.code').getByRole('radio', { name: 'Python', exact: true }).check()
        await procedure(page, 'job.take').locator('.code').getByRole('radio', { name: 'XML-RPC', exact: true }).check()
        const shown = procedure(page, 'job.done').locator('.code pre:visible')
        expect(await shown.textContent()).toContain('print(server.job.done(DateTime("20260131T12:00:00")))')
        const form = await openForm(page, 'job.done')
        await form.getByLabel('start', { exact: true }).fill('2027-01-01T00:00:00')
        expect(await shown.textContent()).toContain('print(server.job.done(DateTime("20270101T00:00:00")))')
      }))

    test('the theme is that of the system until one is selected, and is stored', () =>
      visit(
        async ({ page }) => {
          const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
          const [white, black] = ['rgb(255, 255, 255)', 'rgb(20, 22, 26)']
          expect(await paper()).toBe(black)
          await page.getByRole('button', { name: 'Theme: auto' }).click()
          expect(await paper()).toBe(white)
          await page.reload()
          expect(await paper()).toBe(white)
          await page.getByRole('button', { name: 'Theme: light' }).click()
          expect(await paper()).toBe(black)
        },
        '/rpc',
        { colorScheme: 'dark' },
      ))

    test('a procedure can be found and called with the keyboard alone', () =>
      visit(async ({ page }) => {
        await page.keyboard.press('Tab')
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the procedures')
        await page.keyboard.press('/')
        await page.keyboard.type('sum')
        await page.getByText('2 of 15 found').waitFor()
        await page.keyboard.press('Enter')
        await page.keyboard.press('Escape')
        await procedure(page, 'sum').locator('h3 a').focus()
        const wanted = procedure(page, 'sum').locator('.try > summary')
        for (
          let steps = 0;
          steps < 20 && !(await wanted.evaluate((each) => each === document.activeElement));
          steps++
        ) {
          await page.keyboard.press('Tab')
        }
        await page.keyboard.press('Enter')
        await procedure(page, 'sum').locator('form').waitFor()
        await page.keyboard.press('Tab')
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('Control+Enter')
        await procedure(page, 'sum')
          .getByText(/^Result · HTTP 200/)
          .waitFor()
        expect(await bodyOf(procedure(page, 'sum').locator('form'), 'Request')).toContain(
          '<methodName>sum</methodName>',
        )
      }))

    test('without JavaScript everything is readable, and the code can be selected', () =>
      visit(
        async ({ page }) => {
          expect(await page.locator('.procedure:visible').count()).toBe(8)
          expect(await page.locator('.try:visible, .theme:visible, search:visible').count()).toBe(0)
          const code = procedure(page, 'job.done').locator('.code pre:visible')
          expect(await code.textContent()).toContain(`curl '${served.origin}/rpc'`)
          await procedure(page, 'job.done').locator('.code').getByRole('radio', { name: 'fetch', exact: true }).check()
          expect(await code.textContent()).toContain(`await fetch('${served.origin}/rpc'`)
          await procedure(page, 'job.take').locator('.expand > summary').first().click()
          expect(await procedure(page, 'job.take').locator('.expand[open]').textContent()).toContain(
            'The first day of work.',
          )
        },
        '/rpc',
        { javaScriptEnabled: false },
      ))

    test('without storage it works the same', () =>
      visit(async ({ page }) => {
        await page.addInitScript(() => {
          Object.defineProperty(window, 'localStorage', {
            get: () => {
              throw new DOMException('denied', 'SecurityError')
            },
          })
        })
        await page.reload()
        await page.getByRole('button', { name: 'Theme: auto' }).click()
        expect(await send(await openForm(page, 'job.done'))).toMatch(/^Result/)
      }))

    test('an API with malicious texts is shown and called like any other', () =>
      visit(async ({ page }) => {
        expect(await page.title()).toContain('alert(1)')
        const form = page.locator('.procedure')
        await form.locator('.try > summary').click()
        expect(await form.locator('form label').first().textContent()).toBeTruthy()
        const request = JSON.parse(await bodyOf(form.locator('form'), 'Request'))
        expect(request.method).toBe(attack)
        await page.keyboard.press('/')
        await page.keyboard.type('alert(3)')
        await page.getByText('2 of 2 found').waitFor()
      }, '/hostile'))

    test('a search among 1,000 procedures shows the results', async () => {
      const one = hostile.description.procedures[0]
      if (!one) throw new Error('there is one')
      const procedures = Array.from({ length: 1000 }, (_, at) => ({
        ...one,
        name: `area${at % 20}.procedure${at}`,
        params: [],
        examples: [],
      }))
      const many = { ...hostile, description: { procedures, types: [] } }
      const large = await serveApp(new Hono().get('/', (c) => serveAt(c, many)))
      const { page, problems } = await open(browser, large.origin)
      await page.keyboard.press('/')
      await page.keyboard.type('procedure77')
      await page.getByText('11 of 1000 found').waitFor()
      expect(await page.locator('.procedure:visible').count()).toBe(11)
      expect(problems).toEqual([])
      await page.context().close()
      large.close()
    })
  })
})
