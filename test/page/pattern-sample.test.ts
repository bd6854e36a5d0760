import { describe, expect, test } from 'vitest'
import { patternOf, sampleOf } from '../../runtime/page/sample.js'
import type { Constraints } from '../../runtime/values/constraints.js'

// A form is filled with a value that the server accepts, or is left empty and marked.

const sample = (constraints: Constraints) => sampleOf({ kind: 'string', constraints }, new Map())

describe('the sample of a string with a pattern matches it', () => {
  test.each([
    ['^[A-Z0-9-]+$', 'A'],
    ['^-?\\d+$', '0'],
    ['^-?\\d+(\\.\\d+)?$', '0'],
    ['^[a-z]{2,4}$', 'text'],
    ['^\\p{Lu}\\p{Ll}+$', 'Aa'],
    ['^(EUR|USD) \\d{2,}$', 'EUR 00'],
    ['^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$', '0000-01'],
    ['^#[\\da-f]{6}$', '#aaaaaa'],
    ['^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$', 'a@a.aa'],
    ['^[\\u4e00-\\u9fff]+$', '中'],
    ['^\\/[\\w\\/]*$', '/'],
    ['job-\\d', 'job-0'],
    ['^(a(b(c){2}){2}){2}$', 'abccbccabccbcc'],
    ['.', 'text'],
    ['', 'text'],
  ])('%s → %s', (pattern, text) => {
    expect(sample({ pattern })).toBe(text)
    expect(patternOf(pattern)?.test(text)).toBe(true)
  })

  test.each([
    [{ pattern: '^[A-Z]+$', minLength: 3 }, 'AAA'],
    [{ pattern: '^[A-Z]{2,}-\\d*$', minLength: 8, maxLength: 60 }, 'AAAAAAAA-00000000'],
    [{ pattern: '^x?$', maxLength: 1 }, ''],
    // What is not built, or does not exist, is empty.
    [{ pattern: '^(?=.*\\d)[a-z]+\\d$' }, 'a0'],
    [{ pattern: '^(a)\\1$' }, ''],
    [{ pattern: '^(?!a).$' }, ''],
    [{ pattern: '^(a{200}){200}$' }, ''],
    [{ pattern: '^[A-Z]+$', maxLength: 0 }, ''],
    [{ pattern: '^\\u{1f600}$' }, ''],
    [{ pattern: '(' }, ''],
  ])('%j → %j', (constraints, text) => {
    expect(sample(constraints)).toBe(text)
  })
})
