import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axePath, open } from './chromium.js'

// What the page looks like, for people: screenshots/ has it in two widths and two themes. And for machines: axe-core.

const folder = join(import.meta.dirname, 'screenshots')

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

interface AxeResults {
  readonly violations: readonly Finding[]
  /** What it leaves to people to judge. */
  readonly incomplete: readonly Finding[]
}

/** What any rule of axe-core finds wrong, also those of WCAG 2.2 AAA; a name on what can have none is wrong even where it only doubts it. */
export async function violationsIn(page: Page): Promise<string[]> {
  const everyRule = 'Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]))'
  const { violations, incomplete } = (await page.evaluate(`axe.run({ rules: ${everyRule} })`)) as AxeResults
  const doubts = incomplete.filter(({ id }) => id.startsWith('aria-'))
  return [...violations, ...doubts].flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`))
}

/** Looks at the page of api.ts. */
export function lookAt(where: () => { readonly browser: Browser; readonly url: string }): void {
  describe.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s, %i pixels wide', (colorScheme, width) => {
    let page: Page
    let problems: readonly string[]

    beforeAll(async () => {
      mkdirSync(folder, { recursive: true })
      const { browser, url } = where()
      // axe-core is a stranger to the policy of the page.
      const options = {
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: 'reduce',
        bypassCSP: true,
      } as const
      const opened = await open(browser, url, options)
      ;({ page, problems } = opened)
      await page.evaluate(readFileSync(axePath(), 'utf8'))
    })

    afterAll(async () => {
      expect(problems).toEqual([])
      await page?.context().close()
    })

    const shoot = (name: string) => page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    const top = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((each) => each.scrollIntoView())

    test('the page', async () => {
      await shoot('1-page')
      expect(await violationsIn(page)).toEqual([])
    })

    test('badges, and a subscription', async () => {
      const form = page.locator('[id="job.follow"]')
      await form.locator('.try > summary').click()
      await form.getByRole('button', { name: 'Subscribe' }).click()
      await form.getByText(/^(?:Subscribed|Error)/).waitFor()
      await top('[id="job.follow"]')
      await shoot('7-subscription')
      await top('[id="job.state"]')
      await shoot('8-badges')
      expect(await violationsIn(page)).toEqual([])
    })

    test('a procedure, its types unfolded', async () => {
      await page.locator('[id="job.take"] .expand > summary').first().click()
      await top('[id="job.take"]')
      await shoot('2-procedure')
      expect(await violationsIn(page)).toEqual([])
    })

    test('a form of every kind of type, and a response', async () => {
      for (const name of ['job.take', 'rare.types', 'part.count']) {
        await page.locator(`[id="${name}"] .try > summary`).click()
      }
      await page.locator('[id="job.take"]').getByLabel('Include address').check()
      await page.locator('[id="job.take"]').getByRole('button', { name: 'Send' }).click()
      await page
        .locator('[id="job.take"]')
        .getByText(/^Result ·/)
        .waitFor()
      await top('[id="job.take"] .panel')
      await shoot('3-form')
      await top('[id="rare.types"] .panel')
      await shoot('4-rarer-types')
      expect(await violationsIn(page)).toEqual([])
    })

    test('an error', async () => {
      const form = page.locator('[id="job.done"]')
      await form.locator('.try > summary').click()
      await form.getByRole('radio', { name: 'JSON', exact: true }).check()
      await form.getByLabel('Parameters as JSON').fill('["soon"]')
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText(/^Error -32602/).waitFor()
      await top('[id="job.done"]')
      await shoot('5-error')
      expect(await violationsIn(page)).toEqual([])
    })

    test('the index, searched', async () => {
      await page.keyboard.press('Escape')
      await page.locator('h1').click()
      await page.keyboard.press('/')
      await page.keyboard.type('part')
      await page.getByText(/^\d+ procedures?(?:, \d+ types?)?$/).waitFor()
      await shoot('6-search')
      expect(await violationsIn(page)).toEqual([])
    })

    test('nothing is wider than the screen', async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  })
}
