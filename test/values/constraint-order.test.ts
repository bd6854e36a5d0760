import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Constraints, isAtLeast, isAtMost, isUnique, meets } from '../../runtime/values/constraints.js'
import { typeOf } from '../../runtime/values/definition.js'
import { explain } from '../../runtime/values/explain.js'
import { isFormat } from '../../runtime/values/format.js'
import { constrained, string } from '../../runtime/values/scalar-types.js'
import { compileModule } from '../support/compile-module.js'
import { responseTo } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// What bounds the size of a value is tested before what reads all of it. Shown by counting, never by time.

const slow = '^(a+)+$'

/** Every position of a string with a slow pattern, the length behind it or at another declaration. */
const source = `
import type { MaxLength, Pattern } from 'rpc-gen'
declare const brand: unique symbol
export type Code = string & { readonly [brand]?: 'Code' } & Pattern<'${slow}'> & MaxLength<5>
export type Unlimited = string & { readonly [brand]?: 'Unlimited' } & Pattern<'${slow}'>
export interface Item {
  /**
   * @pattern ${slow}
   * @format hostname
   * @maxLength 5
   */
  text: string
  /** @maxLength 5 */ limited?: Unlimited | null
}
/** @rpc */
export function parameter(
  /**
   * @pattern ${slow}
   * @maxLength 5
   */
  value: string,
): void {}
/** @rpc */
export function alias(value: Code): void {}
/** @rpc */
export function limitedAlias(/** @maxLength 5 */ value: Unlimited): void {}
/** @rpc */
export function list(value: Code[]): void {}
/** @rpc */
export function set(value: Set<Code>): void {}
/** @rpc */
export function record(value: Record<string, Code>): void {}
/** @rpc */
export function tuple(value: [Code, ...Code[]]): void {}
/** @rpc */
export function optional(value?: Code | null): void {}
/** @rpc */
export function union(value: Code | number): void {}
/** @rpc */
export function member(value: Item): void {}
/** @rpc */
export function limitedMember(value: Item): void {}
/** @rpc */
export function rest(...value: Code[]): void {}
`

/** The string parameter of each procedure. */
const wrappers: Readonly<Record<string, (text: string) => unknown>> = {
  parameter: (text) => text,
  alias: (text) => text,
  limitedAlias: (text) => text,
  list: (text) => [text],
  set: (text) => [text],
  record: (text) => ({ name: text }),
  tuple: (text) => [text],
  optional: (text) => text,
  union: (text) => text,
  member: (text) => ({ text }),
  limitedMember: (text) => ({ text: 'aa', limited: text }),
  rest: (text) => text,
}

let app: Hono

beforeAll(async () => {
  const procedures = await compileModule(temporaryFolder('constraint-order'), 'source.ts', source)
  app = new Hono().all('/', new RpcServer({ procedures }).view)
})

afterEach(() => void vi.restoreAllMocks())

/** Counts the tests of a pattern, by the text that they are given. */
function countTests(pattern: string): string[] {
  const tested: string[] = []
  const { test: original } = RegExp.prototype
  vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
    if (this.source === pattern) tested.push(text)
    return original.call(this, text)
  })
  return tested
}

const call = async (method: string, value: unknown) => (await responseTo(app, method, [value])).error?.code

describe.each(Object.entries(wrappers))('%s', (method, wrap) => {
  test('a text over the length is rejected before its pattern is tested', async () => {
    const tested = countTests(slow)
    expect(await call(method, wrap(`${'a'.repeat(30)}!`))).toBe(-32602)
    expect(tested.filter((text) => text.length > 5)).toEqual([])
  })

  test('the pattern of a rejected text is tested twice at most', async () => {
    const tested = countTests(slow)
    expect(await call(method, wrap('aab'))).toBe(-32602)
    const tests = tested.filter((text) => text === 'aab').length
    expect(tests).toBeGreaterThan(0)
    expect(tests).toBeLessThanOrEqual(2)
  })
})

test('an accepted text is tested once', async () => {
  const tested = countTests(slow)
  expect(await call('parameter', 'aaa')).toBeUndefined()
  expect(tested).toEqual(['aaa'])
})

test('constraints at run time are tested in the same order, whatever order they were written in', () => {
  const orders: readonly Constraints[] = [
    { pattern: slow, maxLength: 5 },
    { pattern: slow, format: 'email', minLength: 40 },
    { format: 'email', pattern: slow, minLength: 0, maxLength: 5 },
  ]
  const tested = countTests(slow)
  const text = 'a'.repeat(30)
  for (const constraints of orders) {
    expect(meets(text, constraints)).toBe(false)
    expect(explain(typeOf(constrained(string, constraints)), text, ['text'])).toHaveLength(1)
  }
  expect(tested).toEqual([])
})

/** Counts the characters that `for … of` reads of strings. */
function countCharacters(): { read: number } {
  const count = { read: 0 }
  const original = String.prototype[Symbol.iterator]
  vi.spyOn(String.prototype, Symbol.iterator).mockImplementation(function* (this: string) {
    for (const character of { [Symbol.iterator]: () => original.call(this) }) {
      count.read += 1
      yield character
    }
    return undefined
  } as () => StringIterator<string>)
  return count
}

test('characters are counted near a limit only', () => {
  const pairs = '😀'.repeat(100_000)
  const count = countCharacters()
  expect([isAtMost(pairs, 10), isAtLeast(pairs, 10), isAtMost('a'.repeat(100_000), 10)]).toEqual([false, true, false])
  expect([isAtMost('abc', 10), isAtLeast('abc', 10)]).toEqual([true, false])
  expect(count.read).toBe(0)
  expect([isAtMost('😀'.repeat(8), 10), isAtMost('😀'.repeat(12), 10)]).toEqual([true, false])
  expect(count.read).toBe(8)
  expect([isAtMost('😀'.repeat(10), 10), isAtLeast('😀'.repeat(9), 10)]).toEqual([true, false])
  expect(count.read).toBe(8 + 10 + 9)
})

test('the format ipv6 looks at the length before it splits', () => {
  const split = vi.spyOn(String.prototype, 'split')
  expect(isFormat('1:'.repeat(1000), 'ipv6')).toBe(false)
  expect(split).not.toHaveBeenCalled()
  expect(isFormat('ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', 'ipv6')).toBe(true)
  expect(split).toHaveBeenCalled()
})

describe('unique elements', () => {
  /** A list that counts how often its elements are read. */
  function counting<T>(items: readonly T[]): { readonly list: readonly T[]; readonly reads: () => number } {
    let reads = 0
    const list = new Proxy(items, {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
        return Reflect.get(target, key, receiver)
      },
    })
    return { list, reads: () => reads }
  }

  test.each([
    ['strings', 'a', (i: number) => `a${i}`],
    ['numbers', 1, (i: number) => i],
    ['objects', { a: [1] }, (i: number) => ({ a: [i] })],
  ])('%s: stops at the first equal pair, and reads each element once', (_, same, other) => {
    const equal = counting(Array.from({ length: 1000 }, () => same))
    expect(isUnique(equal.list)).toBe(false)
    expect(equal.reads()).toBe(2)
    const different = counting(Array.from({ length: 1000 }, (_each, i) => other(i)))
    expect(isUnique(different.list)).toBe(true)
    expect(different.reads()).toBe(1000)
  })

  test('scalars are compared as they are, without a text of each', () => {
    const stringify = vi.spyOn(JSON, 'stringify')
    expect(isUnique(['a', 'b', 1, 1n, true, null, undefined])).toBe(true)
    expect(stringify).not.toHaveBeenCalled()
  })
})
