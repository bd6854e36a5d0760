import { expect, test } from 'vitest'
import { diffApis } from '../../generator/diff/index.js'
import { lockText } from '../../generator/diff/lock.js'
import type { OpenRpc } from '../../runtime/openrpc/openrpc.js'
import { documentOf, echo } from './documents.js'

function at(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** Methods whose types share, contain each other and themselves. */
function largeDocument(methods: number, last: string): OpenRpc {
  const types = Array.from({ length: methods }, (_, i) => [
    `T${i}`,
    {
      type: 'object',
      properties: {
        id: { type: i === 0 ? last : 'integer' },
        next: at(`T${(i * 7 + 1) % methods}`),
        list: { type: 'array', items: at(`T${Math.floor(i / 2)}`) },
        state: { enum: ['open', 'sent', `s${i % 5}`] },
      },
      required: ['id', 'state'],
    },
  ])
  const all = Array.from({ length: methods }, (_, i) => echo(`m${i}`, at(`T${i}`)))
  return documentOf(all, Object.fromEntries(types))
}

const count = 3000

test('a large document, entangled all over, and itself', () => {
  const old = largeDocument(count, 'integer')
  const start = performance.now()
  expect(diffApis(old, largeDocument(count, 'integer'))).toEqual([])
  console.log('self', performance.now() - start)
})

test('one change that every method reaches', () => {
  const start = performance.now()
  const changes = diffApis(largeDocument(count, 'integer'), largeDocument(count, 'string'))
  console.log('one', performance.now() - start, changes.length)
})

test('lock', () => {
  const start = performance.now()
  const t = lockText(largeDocument(count, 'integer'))
  console.log('lock', performance.now() - start, t.length)
})
test('deep chain', () => {
  const types = Array.from({ length: 5000 }, (_, i) => [
    `T${i}`,
    { type: 'object', properties: { n: at(`T${(i + 1) % 5000}`), ...(i === 4999 ? { x: { type: 'string' } } : {}) } },
  ])
  const d = documentOf([echo('f', at('T0'))], Object.fromEntries(types))
  const e = documentOf(
    [echo('f', at('T0'))],
    Object.fromEntries(types.map(([n, s], i) => [n, i === 4999 ? { type: 'string' } : s])),
  )
  const start = performance.now()
  console.log(diffApis(d, d).length)
  console.log('chain self', performance.now() - start)
  console.log(diffApis(d, e))
  console.log('chain', performance.now() - start)
  try {
    console.log(lockText(d).length)
  } catch (e) {
    console.log(String(e))
  }
})
