import { upgradeWebSocket } from '@hono/node-server'
import { Hono } from 'hono'
import type { Browser, Locator, Page } from 'playwright-core'
import { RpcServer } from 'rpc-gen'
import { webSocket } from 'rpc-gen/websocket'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, type Opened, open, openForm, startBrowser, visitUrl } from '../../page/chromium.js'
import { attack, hostile } from '../../page/hostile.js'
import { hostileNames, names } from '../../page/hostile-names.js'
import { lookAt } from '../../page/looks.js'
import { serveAt } from '../../page/serve-at.js'
import { compileApi, type Served, serveSockets } from '../../page/serving.js'
import { serveApp } from '../../support/listen.js'
import { skipped } from '../../support/skip.js'

// The page in headless Chromium. In every test nothing may be blocked, logged or requested from another origin.

let browser: Browser
let served: Served

const procedure = (page: Page, name: string): Locator => page.locator(`[id="${name}"]`)

async function send(form: Locator): Promise<string> {
  await form.getByRole('button', { name: 'Send' }).click()
  // From the click until the response is shown, because the previous one may look the same.
  await form.locator('button', { hasText: 'Stop' }).waitFor({ state: 'hidden' })
  await form.getByText(/· HTTP \d+/).waitFor()
  return (await form.locator('.verdict').textContent()) ?? ''
}

/** The body of a request or a response, without its headers. */
async function bodyOf(form: Locator, name: 'Request' | 'Response' | 'Items'): Promise<string> {
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
      .get('/rpc', upgradeWebSocket(webSocket(server)))
      .get('/socket', upgradeWebSocket(webSocket(server)))
      .all('/rpc', server.view)
      .route('/docs', server.docs({ endpoint: '/rpc', webSocket: '/socket' }))
      .route('/wrong', server.docs({ endpoint: '/rpc', webSocket: '/nowhere' }))
      .get('/hostile', (c) => serveAt(c, hostile))
      .get('/names', (c) => serveAt(c, hostileNames))
    served = await serveSockets(app)
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  const visit = (act: (opened: Opened) => Promise<void>, path = '/rpc', options = {}) =>
    visitUrl(browser, served.origin + path, act, options)

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

    test('a subscription: its items until the reader stops, or the server ends it', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.follow')
        const steps = form.getByLabel('steps', { exact: true })
        const items = form.getByRole('group', { name: 'Items', exact: true })
        const subscribe = form.getByRole('button', { name: 'Subscribe' })
        await steps.fill('3')
        await subscribe.click()
        await items.getByText('3 items').waitFor()
        expect(await form.locator('.verdict').textContent()).toBe('Subscribed')
        expect(await form.getByRole('group', { name: 'Request', exact: true }).textContent()).toContain(
          'accept: text/event-stream',
        )
        const code = await procedure(page, 'job.follow').locator('.code pre').textContent()
        expect(code?.match(/accept: text\/event-stream/gi)).toHaveLength(1)
        expect(await bodyOf(form, 'Items')).toBe(
          [1, 2, 3].map((step) => `{"step":${step},"at":"1970-01-01T00:00:00.000Z"}`).join('\n'),
        )
        expect(await jsonOf(form, 'Request')).toEqual({ jsonrpc: '2.0', id: 1, method: 'job.follow', params: [3] })
        await items.getByRole('button', { name: 'Raw' }).click()
        expect((await bodyOf(form, 'Items')).split('\n').map((each) => JSON.parse(each))).toEqual([
          ...Array.from({ length: 3 }, () => expect.objectContaining({ method: 'job.follow' })),
        ])
        await form.getByRole('button', { name: 'Stop' }).click()
        await form.getByText('Stopped').waitFor()
        await steps.fill('2')
        await subscribe.click()
        await form.getByText('Ended by the server').waitFor()
        await items.getByText('2 items').waitFor()
        await steps.fill('1')
        await subscribe.click()
        await form.getByText('Error 410: The job is cancelled').waitFor()
        await steps.fill('many')
        await subscribe.click()
        await form.getByText(/^Error -32602: Invalid params: steps/).waitFor()
      }))

    test('a subscription at the address of the option webSocket', () =>
      visit(async ({ page }) => {
        const address = `${served.origin.replace('http', 'ws')}/socket`
        expect(await page.locator('.facts').textContent()).toContain(`WebSocket${address}`)
        const code = procedure(page, 'job.follow').locator('.code')
        expect(await code.locator('pre').textContent()).toContain(`new WebSocket('${address}')`)
        await code.getByRole('radio', { name: 'TypeScript' }).check()
        expect(await code.locator('pre').textContent()).toContain('for await (const item of client.job.follow(1))')
        const form = await openForm(page, 'job.follow')
        await form.getByLabel('steps', { exact: true }).fill('2')
        const socket = page.waitForEvent('websocket')
        await form.getByRole('button', { name: 'Subscribe' }).click()
        expect((await socket).url()).toBe(address)
        await form.getByText('Ended by the server').waitFor()
      }, '/docs'))

    test('a subscription without a WebSocket at its address is reported', async () => {
      const { page, problems } = await open(browser, `${served.origin}/wrong`)
      const form = await openForm(page, 'job.follow')
      await form.getByRole('button', { name: 'Subscribe' }).click()
      await form.getByText(`No WebSocket at ${served.origin.replace('http', 'ws')}/nowhere`).waitFor()
      expect(problems).toEqual([expect.stringContaining('/nowhere')])
      await page.context().close()
    })

    test('a response is removed when the protocol of the request changes, and a call is stopped', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.done')
        const response = form.getByRole('group', { name: 'Response', exact: true }).locator('pre')
        await send(form)
        expect(await response.isVisible()).toBe(true)
        await form.getByRole('radio', { name: 'XML-RPC', exact: true }).check()
        expect(await response.isVisible()).toBe(false)
        expect(await form.locator('.verdict').textContent()).toBe('')
        // A call without a response.
        await page.route(`${served.origin}/rpc`, () => {})
        await form.getByRole('button', { name: 'Send' }).click()
        await form.getByRole('button', { name: 'Stop' }).waitFor()
        await form.getByRole('radio', { name: 'JSON-RPC', exact: true }).check()
        await form.getByText('Stopped').waitFor()
        expect(await response.isVisible()).toBe(false)
      }))

    test('a text with a pattern begins with one that matches, and is marked if it does not match', () =>
      visit(async ({ page }) => {
        const form = await openForm(page, 'job.state')
        const code = form.getByLabel('code', { exact: true })
        const isMarked = () => code.evaluate((each) => each.matches(':user-invalid'))
        expect([await code.inputValue(), await isMarked()]).toEqual(['A', false])
        // A pattern that is valid with the flag u alone, in a textarea.
        await code.fill('a b')
        await code.blur()
        expect(await isMarked()).toBe(true)
        await code.fill('A-1')
        await code.blur()
        expect(await isMarked()).toBe(false)
        expect(await procedure(page, 'job.state').locator('.badges li').allTextContents()).toEqual([
          'Requires isClerk',
          'Idempotent',
        ])
        expect(await send(form)).toMatch(/^Error -32098/)
        await form.getByText('Headers', { exact: true }).first().click()
        await form.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Bearer word')
        expect(await send(form)).toMatch(/^Result/)
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
        await page.getByText('1 procedure, 2 types', { exact: true }).waitFor()
        expect(await page.locator('.procedure:visible h3').allTextContents()).toEqual(['job.photo'])
        expect(await page.locator('.typedef:visible').count()).toBe(2)
        expect(await page.locator('nav li:visible').allTextContents()).toEqual(['job.photo', 'Job'])
        expect(await page.locator('main h2:visible').allTextContents()).toEqual(['job', 'Types'])
        await page.keyboard.press('Escape')
        expect(await page.locator('.procedure:visible').count()).toBe(10)
        await page.keyboard.type('no such thing')
        await page.getByText('Nothing found', { exact: true }).waitFor()
        expect(await page.locator('main > :visible').allTextContents()).toEqual([
          expect.stringContaining('Workshop'),
          'Nothing contains “no such thing”.',
        ])
        await page.keyboard.press('Escape')
        expect(await page.getByText('Nothing contains').count()).toBe(0)
      }))

    test.each([
      ['a parameter', 'any number of amounts', ['sum']],
      ['a result', 'the last day', ['job.done']],
      ['an error', '409 day is full', ['job.take']],
      ['what to call instead', 'use sum', ['nothing']],
      ['an auth rule', 'isclerk', ['job.state']],
      ['a heading of the page itself', 'parameters errors', []],
      ['a badge', 'idempotent', []],
      ['a note', 'optional', []],
    ])('search finds the docs of %s', (_, words, names) =>
      visit(async ({ page }) => {
        await page.keyboard.press('/')
        await page.keyboard.type(words)
        await page.getByText(names.length === 0 ? 'Nothing found' : '1 procedure', { exact: true }).waitFor()
        expect(await page.locator('.procedure:visible h3').allTextContents()).toEqual(names)
      }),
    )

    test('Enter opens the procedure with the name, before those that only mention it', () =>
      visit(async ({ page }) => {
        await page.keyboard.press('/')
        await page.keyboard.type('Done ')
        await page.getByText('2 procedures', { exact: true }).waitFor()
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

    test.each([390, 1280])('no button covers code, %i pixels wide', (width) =>
      visit(
        async ({ page }) => {
          const covered = await page.locator('.code').evaluateAll((all) =>
            all.filter((each) => {
              const copy = each.querySelector('.copy')?.getBoundingClientRect()
              const code = each.querySelector('pre')?.getBoundingClientRect()
              return !copy || !code || copy.bottom > code.top
            }),
          )
          expect([await page.locator('.code').count(), covered.length]).toEqual([10, 0])
          const wide = await page
            .locator('.code pre')
            .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth))
          expect(wide).toEqual([])
        },
        '/rpc',
        { viewport: { width, height: 900 } },
      ),
    )

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
        await page.getByText('2 procedures', { exact: true }).waitFor()
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

    test('without JavaScript everything is readable, and the code is that of curl', () =>
      visit(
        async ({ page }) => {
          expect(await page.locator('.procedure:visible').count()).toBe(10)
          expect(await page.locator('.try:visible, .theme:visible, search:visible').count()).toBe(0)
          const code = procedure(page, 'job.done').locator('.code pre:visible')
          expect(await code.allTextContents()).toEqual([
            expect.stringMatching(/^curl 'http.*\/rpc' [\s\S]*application\/json/),
          ])
          const xml = procedure(page, 'nothing').locator('.code pre:visible')
          expect(await xml.textContent()).toMatch(/^curl 'http.*\/rpc' [\s\S]*text\/xml/)
          // Types are a link away, without a copy in each procedure.
          expect(await procedure(page, 'job.take').locator('.expand:visible summary').allTextContents()).toEqual([
            'XML-RPC signatures',
          ])
          await procedure(page, 'job.take').getByRole('link', { name: 'Job', exact: true }).first().click()
          expect(await page.locator('.typedef:target').textContent()).toContain('The first day of work.')
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
        await page.getByText('1 procedure, 1 type', { exact: true }).waitFor()
      }, '/hostile'))

    test('an API with malicious names: each link, type and form is found, and calls what it is for', () =>
      visit(async ({ page }) => {
        const found = await page.evaluate(async () => {
          const wait = () => new Promise((resolve) => setTimeout(resolve, 100))
          const all = <Found extends HTMLElement>(selector: string) => [...document.querySelectorAll<Found>(selector)]
          const links = all<HTMLAnchorElement>('a[href^="#"]')
          const dead = links.filter(({ hash }) => !document.getElementById(decodeURIComponent(hash.slice(1))))
          for (const each of all('details > summary')) each.click()
          await wait()
          const folded = all('.expand').filter(({ children }) => children.length < 2)
          const ids = all('[id]').map(({ id }) => id)
          return {
            dead: dead.map(({ href }) => href),
            folded: folded.map(({ outerHTML }) => outerHTML),
            methods: all('.procedure form')
              .map((form) => {
                const request = [...form.querySelectorAll('pre')].find(({ textContent }) =>
                  textContent.includes('"method"'),
                )
                return JSON.parse(request?.textContent.replace(/^[^{]*/, '') ?? 'null')?.method
              })
              .sort(),
            repeated: ids.filter((id, index) => ids.indexOf(id) !== index),
          }
        })
        expect(found).toEqual({ dead: [], folded: [], methods: names.toSorted(), repeated: [] })
        await page.keyboard.press('/')
        await page.keyboard.type('bearer')
        await page.getByText(`${names.length} procedures`, { exact: true }).waitFor()
      }, '/names'))

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
      await page.getByText('11 procedures', { exact: true }).waitFor()
      expect(await page.locator('.procedure:visible').count()).toBe(11)
      expect(problems).toEqual([])
      await page.context().close()
      large.close()
    })
  })
})
