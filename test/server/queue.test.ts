import { expect, test } from 'vitest'
import { Queue } from '../../runtime/call/queue.js'

// Calls that wait for a place, and messages of a connection: a batch over stdio alone may have as many as its text has room for.

test('items come in their order, whenever they are added', () => {
  const queue = new Queue<number>()
  const received: (number | undefined)[] = []
  queue.push(1)
  queue.push(2)
  received.push(queue.shift())
  queue.push(3)
  expect(queue.length).toBe(2)
  received.push(queue.shift(), queue.shift(), queue.shift())
  queue.push(4)
  received.push(queue.shift())
  expect(received).toEqual([1, 2, 3, undefined, 4])
  expect(queue.length).toBe(0)
})

test.each([30, 100])('so do %d at once', (count) => {
  const queue = new Queue<number>()
  const numbers = Array.from({ length: count }, (_, i) => i)
  for (const each of numbers) queue.push(each)
  expect(numbers.map(() => queue.shift())).toEqual(numbers)
  expect(queue.shift()).toBeUndefined()
})

test('to empty a long queue takes linear time', () => {
  const count = 400_000
  const queue = new Queue<number>()
  for (let i = 0; i < count; i += 1) queue.push(i)
  const start = performance.now()
  for (let i = 0; i < count; i += 1) queue.shift()
  // An array takes a minute.
  expect(performance.now() - start).toBeLessThan(5000)
})
