// The code of a user of each contestant: `count` procedures in groups of ten, two numbers and a struct in, a struct out,
// and a caller of twenty of them.
export const groupSize = 10

const groups = (count) => Array.from({ length: Math.ceil(count / groupSize) }, (_, group) => group)
const inGroup = Array.from({ length: groupSize }, (_, i) => i)

/** The names that the caller calls, spread over all. */
function called(count) {
  return Array.from({ length: 20 }, (_, i) => {
    const at = Math.floor((i * count) / 20)
    return { group: Math.floor(at / groupSize), i: at % groupSize }
  })
}

/** Each call's result is used, so that its type is needed. */
function caller(head, count, call) {
  const calls = called(count).map(
    (name, at) => `${call(name, `r${at}`)}\n  const s${at}: string = r${at}.name + r${at}.total.toFixed(1)`,
  )
  return `${head}\nexport async function run() {\n${calls.join('\n')}\n}\n`
}

const args = '{ a: 1, b: 2, more: { id: 1, tags: ["x"] } }'
const zod =
  "import { z } from 'zod'\nconst input = z.object({ a: z.number(), b: z.number(), more: z.object({ id: z.number(), tags: z.array(z.string()) }) })\n"
const body = (from) => `({ name: ${from}.more.tags.join(), total: ${from}.a + ${from}.b })`

export const contestants = {
  /** The sources of procedures; the module that the caller imports is generated from them. */
  'rpc-gen': (count) => ({
    procedures: `import type { Int } from 'rpc-gen'
export interface More { id: Int; tags: string[] }
export interface Sum { name: string; total: number }
${groups(count)
  .flatMap((group) =>
    inGroup.map(
      (i) =>
        `/** Adds, number ${i}.\n * @rpc g${group}.p${i}\n */\nexport function g${group}p${i}(a: number, b: number, more: More): Sum {\n  return { name: more.tags.join(), total: a + b }\n}`,
    ),
  )
  .join('\n')}\n`,
    caller: caller(
      "import { createClient } from 'rpc-gen/client'\nimport type { JsonProcedures } from './procedures.gen.js'\nconst client = createClient<JsonProcedures>('http://localhost/rpc')",
      count,
      ({ group, i }, result) => `  const ${result} = await client.g${group}.p${i}(1, 2, { id: 1, tags: ['x'] })`,
    ),
  }),

  /** The form of `--client`: nested members that return promises. */
  'rpc-gen, generated client': (count) => ({
    client: `import { type ClientMembers, createClient as create } from 'rpc-gen/client'
export interface More { id: number; tags: string[] }
export interface Sum { name: string; total: number }
export interface Procedures {
${groups(count)
  .map(
    (group) =>
      `  g${group}: {\n${inGroup.map((i) => `    /** Adds, number ${i}. */\n    p${i}: (a: number, b: number, more: More) => Promise<Sum>`).join('\n')}\n  }`,
  )
  .join('\n')}\n}
export type Client = Procedures & ClientMembers<Procedures, unknown>
export function createClient(url: string): Client {
  return create(url) as unknown as Client
}\n`,
    caller: caller(
      "import { createClient } from './client.js'\nconst client = createClient('http://localhost/rpc')",
      count,
      ({ group, i }, result) => `  const ${result} = await client.g${group}.p${i}(1, 2, { id: 1, tags: ['x'] })`,
    ),
  }),

  tRPC: (count) => ({
    router: `import { initTRPC } from '@trpc/server'\n${zod}const t = initTRPC.create()
${groups(count)
  .map(
    (group) =>
      `const g${group} = t.router({\n${inGroup.map((i) => `  p${i}: t.procedure.input(input).query(({ input }) => ${body('input')}),`).join('\n')}\n})`,
  )
  .join('\n')}
export const router = t.router({ ${groups(count)
      .map((group) => `g${group}`)
      .join(', ')} })
export type AppRouter = typeof router\n`,
    caller: caller(
      "import { createTRPCClient, httpLink } from '@trpc/client'\nimport type { AppRouter } from './router.js'\nconst client = createTRPCClient<AppRouter>({ links: [httpLink({ url: 'http://localhost/' })] })",
      count,
      ({ group, i }, result) => `  const ${result} = await client.g${group}.p${i}.query(${args})`,
    ),
  }),

  oRPC: (count) => ({
    router: `import { os } from '@orpc/server'\n${zod}
${groups(count)
  .map(
    (group) =>
      `const g${group} = {\n${inGroup.map((i) => `  p${i}: os.input(input).handler(({ input }) => ${body('input')}),`).join('\n')}\n}`,
  )
  .join('\n')}
export const router = { ${groups(count)
      .map((group) => `g${group}`)
      .join(', ')} }\n`,
    caller: caller(
      "import { createORPCClient } from '@orpc/client'\nimport { RPCLink } from '@orpc/client/fetch'\nimport type { RouterClient } from '@orpc/server'\nimport type { router } from './router.js'\nconst client: RouterClient<typeof router> = createORPCClient(new RPCLink({ url: 'http://localhost/' }))",
      count,
      ({ group, i }, result) => `  const ${result} = await client.g${group}.p${i}(${args})`,
    ),
  }),

  "Hono's hc": (count) => ({
    router: `import { Hono } from 'hono'\nimport { zValidator } from '@hono/zod-validator'\n${zod}
${groups(count)
  .map(
    (group) =>
      `const g${group} = new Hono()\n${inGroup.map((i) => `  .post('/p${i}', zValidator('json', input), (c) => { const v = c.req.valid('json'); return c.json(${body('v')}) })`).join('\n')}`,
  )
  .join('\n')}
const app = new Hono()\n${groups(count)
      .map((group) => `  .route('/g${group}', g${group})`)
      .join('\n')}
export type App = typeof app\n`,
    caller: caller(
      "import { hc } from 'hono/client'\nimport type { App } from './router.js'\nconst client = hc<App>('http://localhost/')",
      count,
      ({ group, i }, result) =>
        `  const ${result}$ = await client.g${group}.p${i}.$post({ json: ${args} })\n  if (!${result}$.ok) throw ${result}$\n  const ${result} = await ${result}$.json()`,
    ),
  }),
}
