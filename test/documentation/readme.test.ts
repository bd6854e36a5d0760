import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/paths.js'

/** Returns the paths of the files that git knows or would add. */
function listed(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  return paths.filter((path) => existsSync(join(root, path)))
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Removes code, where brackets are not links. */
function withoutCode(text: string): string {
  return text.replace(/^(```+)[\s\S]*?^\1$/gm, '').replace(/`[^`\n]*`/g, '')
}

/** Returns the anchors of a page: GitHub's names for its headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^(```+)[\s\S]*?^\1$/gm, '').matchAll(/^#+ (.*)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Returns why a link of a page leads nowhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return 'does not exist'
  if (anchor === undefined || !target.endsWith('.md') || statSync(join(root, target)).isDirectory()) return
  return anchorsOf(read(target)).includes(anchor) ? undefined : 'no such heading'
}

const pages = listed('*.md').filter((path) => /^[^/]*$|^(?:bench|docs|\.github)\//.test(path))

test.each(pages)('the links of %s', (page) => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const relative = links.filter((link) => !/^[a-z]+:/.test(link))
  const dead = relative.flatMap((link) => {
    const problem = problemOf(page, link)
    return problem === undefined ? [] : [`${link}: ${problem}`]
  })
  expect(dead).toEqual([])
})

test('the README is a short page', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(187)
})
