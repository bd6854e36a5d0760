import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'

const paths = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where the browser is. */
const executablePath = paths.find((path) => path !== '' && existsSync(path))

/** Why the page cannot be tested here; undefined if it can. */
export const missing = executablePath === undefined ? 'there is no Chromium on this machine' : undefined

/** Starts it. */
export async function startBrowser(): Promise<Browser> {
  const options = { args: ['--no-sandbox', '--disable-dev-shm-usage'] }
  return chromium.launch(executablePath === undefined ? options : { ...options, executablePath })
}

/** A page, and everything that went wrong in it. */
export interface Opened {
  readonly page: Page
  /** Messages of the console, violations of the policy, failed and foreign requests. */
  readonly problems: string[]
  readonly requests: string[]
}

/** Opens an address. */
export async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const problems: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    requests.push(request.url())
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`foreign request ${request.url()}`)
  })
  if (options.javaScriptEnabled !== false) {
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      )
    })
  }
  await page.goto(url)
  return { page, problems, requests }
}

/** The text of axe-core. */
/** Opens a page, and closes it after `act`. Nothing may have been blocked, logged or requested from another origin. */
export async function visitUrl(
  browser: Browser,
  url: string,
  act: (opened: Opened) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const opened = await open(browser, url, { reducedMotion: 'reduce', ...options })
  try {
    await act(opened)
    expect(opened.problems).toEqual([])
  } finally {
    await opened.page.context().close()
  }
}

/** Opens the form of a procedure. */
export async function openForm(page: Page, name: string): Promise<Locator> {
  const procedure = page.locator(`[id="${name}"]`)
  await procedure.locator('.try > summary').click()
  return procedure.locator('form')
}

export const axePath = (): string => createRequire(import.meta.url).resolve('axe-core/axe.min.js')
