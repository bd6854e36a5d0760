// The site of docs/: `npm run docs` builds it, `npm run docs:dev` serves it while you write.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))
const repository = 'https://github.com/rpc-gen/rpc-gen'

/** The groups of the sidebar by folder, and the pages in them. */
const groups = {
  guide: {
    Guide:
      'first-service install types scalars errors issues authentication middleware registration testing page monorepo tanstack-query python',
    Hosts: `hosting vite ${pathsIn('guide', 'hosts')}`,
    Transports: 'websocket streams mcp nats',
    Production: 'deployment scaling observability security',
    'Coming from': pathsIn('guide', 'migration'),
  },
  recipes: { Recipes: 'wrappers-and-transactions factories orms zod' },
  reference: {
    Reference:
      'cli options doc-comments context client wire limits parameters compatibility diagnostics diff openrpc generated-module legacy-entry-points',
    API: pathsIn('reference', 'api'),
  },
  internals: {
    Internals:
      'README architecture one-procedure one-call one-union-value add-a-type add-a-tag add-an-output add-an-entry-point glossary',
    Decisions: pathsIn('internals', 'decisions'),
  },
  '.': { Measured: 'performance conformance' },
}

function pathsIn(folder, subfolder) {
  const pages = readdirSync(join(docs, folder, subfolder)).filter((name) => name.endsWith('.md'))
  return pages.map((name) => `${subfolder}/${name.slice(0, -3)}`).join(' ')
}

function sidebar() {
  return Object.entries(groups).flatMap(([folder, byTitle]) =>
    Object.entries(byTitle).map(([text, pages]) => ({
      text,
      collapsed: text === 'Decisions',
      items: pages.split(' ').map((page) => itemOf(normalize(join(folder, page)))),
    })),
  )
}

/** A page under its first heading. */
function itemOf(path) {
  const [, heading] = /^# (.*)$/m.exec(readFileSync(join(docs, `${path}.md`), 'utf8'))
  return { text: heading.replaceAll('`', ''), link: `/${path.replace(/README$/, '')}` }
}

/** Returns the anchor of a heading as GitHub has it, so that links work in both. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Makes links to files outside of docs/, such as ../CONTRIBUTING.md, links to the repository. */
function linkRepository(markdown) {
  markdown.core.ruler.push('repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : undefined
      if (!href || /^(?:[a-z]+:|#|\/)/.test(href)) continue
      const path = join('docs', dirname(env.relativePath), href)
      if (!path.startsWith('docs/')) token.attrSet('href', `${repository}/blob/main/${path}`)
    }
  })
}

/** Throws if a page is missing in the sidebar. */
function checkPages(pages) {
  const listed = new Set(sidebar().flatMap(({ items }) => items.map(({ link }) => link)))
  const missing = pages.filter((page) => !listed.has(`/${page.replace(/(?:README)?\.md$/, '')}`) && page !== 'index.md')
  if (missing.length > 0) throw new Error(`not in the sidebar of docs/.vitepress/config.mjs: ${missing.join(', ')}`)
}

export default defineConfig({
  title: 'rpc-gen',
  description: 'TypeScript functions, served as JSON-RPC 2.0 and XML-RPC',
  cleanUrls: true,
  rewrites: {
    'internals/README.md': 'internals/index.md',
    'internals/decisions/README.md': 'internals/decisions/index.md',
  },
  buildEnd: ({ pages }) => checkPages(pages),
  // A table cell may end with an object in braces, which would be read as attributes of the cell.
  markdown: { anchor: { slugify }, attrs: { disable: true }, config: linkRepository },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/first-service' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'Internals', link: '/internals/' },
      { text: 'Performance', link: '/performance' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
  },
})
