import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/paths.js'

const docs = join(root, 'docs/guide')

/** A program that a page shows to be pasted: a block that begins with `// file: src/express.ts`. */
export interface Shown {
  /** Its path from the folder of sources, `express.ts`. */
  readonly file: string
  readonly text: string
}

/** The page of Next.js has a server of its own, and imports without an ending, which only a bundler resolves. */
const nextPage = 'hosts/nextjs.md'

const pages = [
  'hosting.md',
  'deployment.md',
  'websocket.md',
  ...readdirSync(join(docs, 'hosts')).map((page) => `hosts/${page}`),
]

/** What every page shows. */
export const shown: readonly Shown[] = pages.flatMap(shownIn)

/** Programs that end on SIGTERM when their calls have ended. */
export const drainPrograms = shown.filter(({ file }) => file.startsWith('drain-'))

/** Programs that serve WebSocket beside HTTP. */
export const webSocketPrograms = shown.filter(({ file }) => file.startsWith('websocket-'))

const notHosts = new Set(['server.ts', 'procedures/greet.ts', 'cluster.ts', 'stdio.ts', 'resources.ts'])

/** Programs that mount the server in a host. */
export const hostPrograms = shown.filter((each) => {
  return !notHosts.has(each.file) && !drainPrograms.includes(each) && !webSocketPrograms.includes(each)
})

function shownIn(page: string): Shown[] {
  const blocks = readFileSync(join(docs, page), 'utf8').matchAll(/^```ts\n\/\/ file: src\/(\S+)\n([\s\S]*?)^```$/gm)
  const all = [...blocks].map(([, file = '', text = '']) => ({ file, text }))
  if (page !== nextPage) return all
  const route = all.filter(({ file }) => file !== 'server.ts')
  return route.map(({ file, text }) => ({ file, text: text.replace(/( from '\.[^']*)'/g, "$1.js'") }))
}
