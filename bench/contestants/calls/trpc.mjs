// tRPC with zod on both sides: its fetch adapter in process, its standalone server over HTTP.
import { initTRPC } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { createHTTPServer } from '@trpc/server/adapters/standalone'
import { schemas } from '../../work/zod.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const t = initTRPC.create()
  const router = t.router({
    add: t.procedure
      .input(schemas.add)
      .output(schemas.sum)
      .mutation(({ input }) => functions.add(input.a, input.b)),
    order: t.procedure
      .input(schemas.order)
      .output(schemas.order)
      .mutation(({ input }) => functions.order(input)),
  })
  return {
    fetch: (req) => fetchRequestHandler({ endpoint: '/', req, router, createContext: () => ({}) }),
    needsWholeRequest: true,
    request,
    listen: (port, ready) => {
      const server = createHTTPServer({ router, createContext: () => ({}) })
      server.listen(port, '127.0.0.1', () => ready(server.address().port))
    },
  }
}

export function request({ batch, calls }) {
  if (!batch) return { path: `/${calls[0].method}`, body: JSON.stringify(calls[0].named), headers: {} }
  const path = `/${calls.map(({ method }) => method).join(',')}?batch=1`
  return { path, body: JSON.stringify(Object.fromEntries(calls.map(({ named }, i) => [i, named]))), headers: {} }
}

export function results(text) {
  const response = JSON.parse(text)
  return (Array.isArray(response) ? response : [response]).map(({ result }) => result.data)
}
