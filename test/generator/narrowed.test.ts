import { describe, expect, test } from 'vitest'
import { procedures, router } from '../../fixtures/generate/narrowed/expected.gen.js'
import { responseTo } from '../support/json-rpc.js'
import { accepts, INVALID, read, written } from '../support/procedure-values.js'

/** Calls over the wire: the result, or the code of the error. */
async function call(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const { result, error } = await responseTo(router, method, params)
  return error ? error.code : result
}

describe('an Int that is narrowed to literals', () => {
  test('distinguishes the branches of a union', async () => {
    expect(await call('outcome', { status: 404, message: '', id: 'i' })).toBe('i')
    expect(await call('outcome', { status: 500, message: '', trace: 't' })).toBe('t')
    expect(await call('outcome', { status: 404, message: '', trace: 't' })).toBe(-32602)
    expect(await call('outcome', { status: 7, message: '', id: 'i', trace: 't' })).toBe(-32602)
    expect(await call('missing', { status: 404, message: 'm' })).toEqual({ status: 404, message: 'm' })
    expect(await call('missing', { status: 500, message: 'm' })).toBe(-32602)
  })

  test('accepts exactly these values', async () => {
    expect(await call('level', 1, { level: 2 }, 1)).toBe(1)
    for (const [a, b, c] of [
      [3, 2, 1],
      [1, 3, 1],
      [1, 2, 2],
    ]) {
      expect(await call('level', a, { level: b }, c)).toBe(-32602)
    }
    expect(await call('bits', 1, 2, 0.5)).toBe(2)
    for (const [a, b, c] of [
      [3, 2, 0.5],
      [1, 3, 0.5],
      [1, 2, 0.25],
    ]) {
      expect(await call('bits', a, b, c)).toBe(-32602)
    }
    expect(written(procedures.bits, 3)).toBe(INVALID)
    expect(await call('mixed', { k: 'a' }, 5, null)).toBe(5)
    for (const [k, b, c] of [
      ['b', 5, 1],
      [2, 5, 1],
      ['a', 0.5, 1],
      ['a', 5, 2],
    ]) {
      expect(await call('mixed', { k }, b, c)).toBe(-32602)
    }
  })

  test('also in members, lists and brands', () => {
    const good: unknown[] = [{}, { k: 1 }, { k: 2 }, [[3, 3], { a: 4 }]]
    expect(accepts(procedures.members, good)).toBe(true)
    for (const [at, bad] of [{ k: 3 }, { k: 3 }, { k: 3 }, [[4], {}], [[], { a: 3 }]].entries()) {
      expect(accepts(procedures.members, good.with(Math.min(at, 3), bad))).toBe(false)
    }
    const branded: unknown[] = [1, 100, 2, 'y', true]
    expect(accepts(procedures.branded, branded)).toBe(true)
    for (const [at, bad] of [3, 1, 3, 'z', false].entries()) {
      expect(accepts(procedures.branded, branded.with(at, bad))).toBe(false)
    }
  })
})

test('each of several intersected templates applies', () => {
  const good: unknown[] = ['g:', ['g-:'], { k: 'gk:' }, 'g\n:']
  expect(accepts(procedures.codes, good)).toBe(true)
  for (const bad of ['g', ':', 'xg:', 'g:x', '']) {
    for (const [at, value] of [bad, [bad], { k: bad }, bad].entries()) {
      expect(accepts(procedures.codes, good.with(at, value))).toBe(false)
    }
  }
  expect(read(procedures.byCode, [{ 'g:': 1, g: 2, ':': 3 }])).toEqual([{ 'g:': 1 }])
})

test('an intersection of unions accepts the pairs without a contradiction', () => {
  const one = { k: 'a', x: 1 }
  expect(accepts(procedures.crossed, [{ k: 'a', x: 1, p: 'p' }, one])).toBe(true)
  expect(accepts(procedures.crossed, [{ k: 'b', y: 1, q: 'q' }, one])).toBe(true)
  expect(accepts(procedures.crossed, [{ k: 'a', x: 1, q: 'q' }, one])).toBe(false)
  expect(accepts(procedures.crossed, [{ k: 'a', y: 1, p: 'p' }, one])).toBe(false)
  expect(
    accepts(procedures.crossed, [
      { k: 'a', x: 1, p: 'p' },
      { k: 'b', y: 1 },
    ]),
  ).toBe(false)
})
