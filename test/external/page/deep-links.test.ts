import { Hono } from 'hono'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, type Opened, open, startBrowser } from '../../page/chromium.js'
import { apiOf } from '../../page/many.js'
import { serveAt } from '../../page/serve-at.js'
import { type Listening, serveApp } from '../../support/listen.js'
import { skipped } from '../../support/skip.js'

// A link to a procedure or a type shows its heading, whatever is above it.

let browser: Browser
let served: Listening

const skip = skipped('links of test/page in Chromium', missing)

describe.skipIf(skip)('links', () => {
  beforeAll(async () => {
    const pages = new Map([1, 18, 200].map((count) => [`${count}`, apiOf(count)]))
    served = await serveApp(
      new Hono().get('/:count', (c) => {
        const source = pages.get(c.req.param('count'))
        return source ? serveAt(c, source) : c.notFound()
      }),
    )
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  describe.each([1, 18, 200])('in a page of %i procedures', (count) => {
    const last = count - 1
    const middle = Math.floor(last / 2)
    const nameOf = (index: number) => `module${Math.floor(index / 10)}.proc${index % 10}`
    const typeOf = (index: number) => `rpc.docs.type.Record${index}`

    const visit = (hash: string, options: object): Promise<Opened> =>
      open(browser, `${served.origin}/${count}${hash}`, options)

    test.each([390, 768, 1280, 1920])('%i pixels wide', async (width) => {
      const options = { viewport: { width, height: 900 }, reducedMotion: 'reduce' }
      // On load, and after a change of the address.
      const { page, problems } = await visit(`#${nameOf(last)}`, options)
      await expectLanded(page, nameOf(last))
      for (const id of [typeOf(middle), nameOf(middle)]) {
        await page.evaluate((hash) => location.assign(`#${hash}`), id)
        await expectLanded(page, id)
      }
      await page.goto('about:blank')
      await page.goto(`${served.origin}/${count}#${typeOf(last)}`)
      await expectLanded(page, typeOf(last))
      expect(problems).toEqual([])
      await page.context().close()
    })

    test.each([390, 1280])('where the page is loaded, smooth scrolling or not, %i pixels wide', async (width) => {
      const id = typeOf(last)
      const { page, problems } = await visit(`#${id}`, { viewport: { width, height: 900 } })
      // Without waiting: the page does not scroll to its target after it was loaded.
      const start = await page.evaluate(() => scrollY)
      await expectLanded(page, id)
      expect(await page.evaluate(() => scrollY)).toBe(start)
      expect(problems).toEqual([])
      await page.context().close()
    })

    test.each([390, 1280])('by the first click in the index, with smooth scrolling, %i pixels wide', async (width) => {
      const { page, problems } = await visit('', { viewport: { width, height: 900 } })
      const menu = page.getByRole('button', { name: 'Index' })
      if (await menu.isVisible()) await menu.click()
      await page
        .getByRole('navigation')
        .getByRole('link', { name: nameOf(middle), exact: true })
        .click()
      await expectLanded(page, nameOf(middle))
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
})

/** Waits until the page does not scroll any more, with the heading of a target at its top, or as near as the end of the page allows. */
async function expectLanded(page: Page, id: string): Promise<void> {
  await expect.poll(() => page.evaluate(positionOf, id)).toEqual({ isAtTop: true, isVisible: true })
  expect(await page.locator(`[id="${id}"]:target h3`).count()).toBe(1)
}

async function positionOf(id: string) {
  let at: number
  do {
    at = scrollY
    await new Promise((resolve) => setTimeout(resolve, 100))
  } while (scrollY !== at)
  const target = document.getElementById(id)
  const heading = target?.querySelector('h3')
  if (!target || !heading) throw new Error(`there is no ${id}`)
  const wanted = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
  const missed = target.getBoundingClientRect().top - wanted
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
  const { left, top, bottom } = heading.getBoundingClientRect()
  const above = document.elementFromPoint(left + 2, top + 2)
  const isVisible = bottom <= innerHeight && above !== null && heading.contains(above)
  return { isAtTop: Math.abs(missed) <= 1 || (missed > 0 && isAtEnd), isVisible }
}
