import { test } from 'vitest'
import { appOf, ask, post } from './http/ask.js'
test('x', async () => {
  const app = appOf()
  for (const n of [10, 12, 14, 16, 18, 20]) {
    const deep = '{"kind":"twig","left":'.repeat(n) + '{"kind":"lea"}' + '}'.repeat(n)
    const t = performance.now()
    const a = await ask(app, post(`{"jsonrpc":"2.0","method":"tree.depth","params":[${deep}],"id":1}`, { 'Content-Type': 'application/json' }))
    console.log(n, (performance.now() - t).toFixed(1), a.text.slice(0, 200))
  }
})
