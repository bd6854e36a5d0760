import { expect, test } from 'vitest'
import { slowPartOf } from '../../generator/model/slow-pattern.js'

// Which patterns need a MaxLength beside them. Where they are reported: fixtures/reject/slow-patterns.

/** Ordinary patterns, some of which take a power of the length: names, numbers, dates, versions, addresses, codes. */
const fine: readonly string[] = [
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^[a-z][a-z0-9-]*$',
  "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
  String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`,
  String.raw`^\S+@\S+$`,
  String.raw`^\S+@\S+\.\S+$`,
  String.raw`^[\w.+-]+@[\w-]+\.[\w.-]+$`,
  String.raw`^[\w-]+(\.[\w-]+)*@[\w-]+(\.[\w-]+)+$`,
  String.raw`^-?\d+(\.\d+)?$`,
  String.raw`^-?\d+\.?\d*$`,
  String.raw`^\d+(?:[.,]\d{1,2})?$`,
  String.raw`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`,
  String.raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$`,
  String.raw`^\d{1,3}(?:,\d{3})*(?:\.\d+)?$`,
  String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$`,
  String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$`,
  String.raw`^(?:[01]\d|2[0-3]):[0-5]\d$`,
  String.raw`^P(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$`,
  String.raw`^v?\d+(?:\.\d+)*$`,
  String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`,
  '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  '^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$',
  '^#(?:[0-9a-fA-F]{3}){1,2}$',
  String.raw`^https?:\/\/[^\s]+$`,
  String.raw`^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_+.~#?&\/=]*)$`,
  String.raw`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`,
  String.raw`^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+[a-z]{2,63}$`,
  String.raw`^((25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$`,
  String.raw`^\+?[1-9]\d{1,14}$`,
  String.raw`^\+?[0-9 ()-]{7,20}$`,
  String.raw`^(\+\d{1,2}\s)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$`,
  String.raw`^\+?(\d[\s-]?){7,15}$`,
  String.raw`^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?$`,
  String.raw`^\p{L}+(?:[ '-]\p{L}+)*$`,
  String.raw`^[A-Za-z_$][\w$]*$`,
  String.raw`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$`,
  String.raw`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$`,
  String.raw`^\s*\S+\s*$`,
  String.raw`^(?!\s)(?!.*\s$).+$`,
  String.raw`^(?:\/[\w.-]+)*\/?$`,
  String.raw`^(?:[A-Za-z0-9+\/]{4})*(?:[A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=)?$`,
  String.raw`^[\w-]+\.[\w-]+\.[\w-]+$`,
  String.raw`^"(?:[^"\\]|\\.)*"$`,
  '^(?:"[^"]*"|[^",]*)(?:,(?:"[^"]*"|[^",]*))*$',
  '^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$',
  String.raw`^[\w.+-]+\/[\w.+-]+(?:;\s*[\w-]+=[^;]+)*$`,
  '^[a-z]+(?:[A-Z][a-z]*)*$',
  String.raw`^(?:@[a-z0-9-*~][a-z0-9-*._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$`,
  String.raw`^(?:\d{4}[ -]?){3}\d{4}$`,
  String.raw`^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$`,
  '^(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}$',
  String.raw`^-?(?:90(?:\.0+)?|[1-8]?\d(?:\.\d+)?),-?(?:180(?:\.0+)?|(?:1[0-7]\d|\d{1,2})(?:\.\d+)?)$`,
  '^(?:[^<>]|<[^>]*>)*$',
  String.raw`^(?:(?!-->)[\s\S])*$`,
  String.raw`^[\u4e00-\u9fff]+$`,
  String.raw`^(?:[\u{1F600}-\u{1F64F}])+$`,
  String.raw`^(?:\d+\s*[+*\/-]\s*)*\d+$`,
  '^(?:(?:[a-z]{50}){50}){5}$',
  '^(a+)+',
  '^(a|ab)*c?$',
  '^(?:a||b)+$',
  String.raw`^(\d{1,3}\.){3}\d{1,3}$`,
  '^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$',
  String.raw`^(['"])(?:(?!\1).)*\1$`,
  '^(?:[a-z0-9]{1,8}-){2}[a-z0-9]{1,8}$',
  String.raw`^\s*.*`,
  String.raw`^\w{1,64}[\w-]{1,255}$`,
  '^[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?[a-z]?[0-9]?$',
  'a?'.repeat(24),
  String.raw`^(?:\b\w+\s*)+$`,
  String.raw`^\d{1,3}(?:\.\d{1,3})?(?:\.\d{1,3})?(?:\.\d{1,3})?(?:\.\d{1,3})?(?:\.\d{1,3})?(?:\.\d{1,3})?(?:\.\d{1,3})?(?:\.\d{1,3})?$`,
  `^${'(?:jan|june) ?'.repeat(30)}$`,
]

test.each(fine)('%s is accepted', (source) => {
  expect(new RegExp(source, 'u').source).toBe(source)
  expect(slowPartOf(source)).toBeUndefined()
})

/** A pattern and its slow part. */
const slow: readonly (readonly [pattern: string, part: string])[] = [
  ['^(a+)+$', '(a+)+'],
  ['^(a|a)*$', '(a|a)*'],
  ['^(a|aa)+$', '(a|aa)+'],
  ['^(ab|a|b)+$', '(ab|a|b)+'],
  ['^(a*)*$', '(a*)*'],
  ['^(?:a*?)*?$', '(?:a*?)*?'],
  ['^(a?b?)*$', '(a?b?)*'],
  ['^(x(a?|b?)y?)*$', '(x(a?|b?)y?)*'],
  [String.raw`^(\w+\s?)*$`, String.raw`(\w+\s?)*`],
  [String.raw`^(([a-z]+)\s*)+$`, String.raw`(([a-z]+)\s*)+`],
  [String.raw`^(?:\w|\d)*$`, String.raw`(?:\w|\d)*`],
  [String.raw`^(?:\p{L}+|[a-z])+$`, String.raw`(?:\p{L}+|[a-z])+`],
  [String.raw`^(\u0061|a)+$`, String.raw`(\u0061|a)+`],
  [String.raw`^(?:[\s\S]|\n)*x$`, String.raw`(?:[\s\S]|\n)*`],
  ['^x|(.*)*y', '(.*)*'],
  ['^(?=(a+)+$)a', '(a+)+'],
  ['(?<=b(a+)+)c$', '(a+)+'],
  ['^(?:(?!x)a+)+$', '(?:(?!x)a+)+'],
  [String.raw`^(?:a\B|a)+$`, String.raw`(?:a\B|a)+`],
  ['^(?<name>a+){2,}$', '(?<name>a+){2,}'],
  ['^(a+){11}$', '(a+){11}'],
  ['^(a{1,20}b?){1,20}$', '(a{1,20}b?){1,20}'],
  [String.raw`^([a-zA-Z0-9_.-])+@(([a-zA-Z0-9-])+\.)+([a-zA-Z0-9]{2,4})+$`, '([a-zA-Z0-9]{2,4})+'],
  [String.raw`^(([\w-]+\.)+|x)*$`, String.raw`(([\w-]+\.)+|x)*`],
  ['^(a+){10}$', '(a+){10}'],
  ['^(a{1,10}){1,10}$', '(a{1,10}){1,10}'],
  ['^(a?){24}a{24}$', '(a?){24}'],
  ['^(a?){50}a{50}$', '(a?){50}'],
  [String.raw`^(\w+\s?){8}$`, String.raw`(\w+\s?){8}`],
  ['^(a+){2}$', '(a+){2}'],
  ['^((a?b?){3}){3}$', '((a?b?){3}){3}'],
  ['^(a|aa){4}$', '(a|aa){4}'],
  [String.raw`^(?=(a+))\1*b$`, String.raw`\1*`],
  [String.raw`^(?<n>a+)\k<n>+$`, String.raw`\k<n>+`],
  ['^a*a*$', 'a*a*'],
  [`^${'a?'.repeat(24)}a{24}$`, 'a?'.repeat(17)],
  [`^${'(a?)'.repeat(24)}b$`, 'a?'.repeat(17)],
  [`^${'[ab]{0,10}'.repeat(8)}!$`, '[ab]{0,10}'.repeat(5)],
  [String.raw`^(\w+)(\d*)$`, String.raw`\w+\d*`],
  [String.raw`^\s*(.*?)\s*$`, String.raw`\s*.*?`],
  ['.*.*x', '.*.*'],
  [`^${'aa?'.repeat(30)}$`, 'aa?'.repeat(17)],
  [`^${'(?:a|aa)'.repeat(30)}$`, '(?:a|aa)'.repeat(17)],
  [`^(x${'(?:ab?a|a)'.repeat(30)})?!`, '(?:ab?a|a)'.repeat(11)],
  [`^${String.raw`\w\d{0,3}`.repeat(20)}$`, String.raw`\w\d{0,3}`.repeat(9)],
  [String.raw`(?:\b.+)+!`, String.raw`(?:\b.+)+`],
  [String.raw`^(?:\b[\w-]+\s*)+$`, String.raw`(?:\b[\w-]+\s*)+`],
]

test.each(slow)('%s needs a MaxLength, because of %s', (source, part) => {
  expect(new RegExp(source, 'u').source).toBe(source)
  expect(slowPartOf(source)?.text).toBe(part)
})

test('a list of a thousand words is not too large, a repetition of as many ways is', () => {
  const words = Array.from({ length: 1000 }, (_, i) => `w${i.toString(36)}x`).join('|')
  expect(slowPartOf(`^(?:${words})$`)).toBeUndefined()
  expect(slowPartOf(`^(?:${words})*$`)?.time).toBe('unknown')
  expect(slowPartOf(`${'('.repeat(8000)}a${')'.repeat(8000)}`)?.time ?? 'unknown').toBe('unknown')
})

test('repetitions without characters do not multiply the time of the search', () => {
  const repeated = (inner: string) => `${'(?:'.repeat(12)}${inner}${'){9}'.repeat(12)}`
  for (const inner of [String.raw`\b`, '']) expect(slowPartOf(`^(?:${repeated(inner)})*$`)?.time).toBe('unknown')
})

test.each([
  String.raw`^(?:\p{Script=Ethiopic}|\p{L})*$`,
  String.raw`^(?:\p{scx=Mong}|\p{sc=Mong})*$`,
  String.raw`^(?<x>a|\k<x>a)*$`,
  String.raw`^(a|\1a)*$`,
])('%s: scripts without an example, and references to groups', (pattern) => {
  expect(slowPartOf(pattern)?.time).toBe('exponential')
})

test('scripts that share no character', () => {
  expect(slowPartOf(String.raw`^(?:\p{Script=Ethiopic}|\p{Script=Mongolian})*$`)).toBeUndefined()
})
