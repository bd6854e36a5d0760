import fc from 'fast-check'
import { Project, type ts } from 'ts-morph'
import { expect, test } from 'vitest'
import { templatePattern } from '../../generator/source/types/template.js'

// Random template literal types and random texts: the pattern accepts what TypeScript assigns.

const holes = fc.constantFrom('string', 'number', 'bigint')
// Characters of numbers, and characters that are not part of numbers. (TypeScript's scanner skips U+2028 before a bigint: not in texts.)
const words = '0,1,7,12,.,-,+,e,E,x,0x,o,b,B,f,_,n,px, ,\n,\u00a0'.split(',').concat('')
const between = fc.constantFrom(...words, 'Infinity', '/', '[', '1e', '\u2028')
const templates = fc
  .tuple(between, fc.array(fc.tuple(holes, between), { minLength: 1, maxLength: 3 }))
  .map(([first, rest]) => `\`${quoted(first)}${rest.map(([hole, text]) => `\${${hole}}${quoted(text)}`).join('')}\``)
const texts = fc.array(fc.constantFrom(...words, '0o7', '0b1', '1e5', '.5', '5.', '007', 'NaN'), { maxLength: 6 })

/** Usually more than a double can represent. */
const isHuge = /[eE]\+?\d{3}/

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1).replace('\u2028', '\\u2028')
}

/** A text from a template's own words usually almost matches it. */
function near(template: string): fc.Arbitrary<string> {
  const own = JSON.parse(`"${template.slice(1, -1)}"`).split(/\$\{\w+\}/) as string[]
  return fc
    .tuple(
      ...own.map((word) =>
        fc.tuple(
          fc.constant(word),
          fc.oneof(
            fc.constant(''),
            texts.map((each) => each.join('')),
          ),
        ),
      ),
    )
    .map((parts) => parts.map(([word, text], i) => word + (i < parts.length - 1 ? text : '')).join(''))
}

function typesIn(text: string): { types: ts.Type[]; checker: ts.TypeChecker } {
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { noLib: true } })
  const source = project.createSourceFile('types.ts', text)
  const types = source.getTypeAliases().map((each) => each.getType().compilerType)
  return { types, checker: project.getTypeChecker().compilerObject }
}

const seed = Number(process.env['TEMPLATES_SEED'] ?? 20_260_101)
const runs = Number(process.env['TEMPLATES_RUNS'] ?? 400)

test(`patterns accept what TypeScript assigns, seed ${seed}`, () => {
  const samples = fc.sample(templates, { seed, numRuns: runs })
  const values = samples.map((template, i) => [
    ...fc.sample(near(template), { seed: seed + i, numRuns: 30 }),
    ...fc.sample(texts, { seed: seed + i, numRuns: 20 }).map((each) => each.join('')),
  ])
  const lines = samples.flatMap((template, i) => [
    `type T${i} = ${template}`,
    ...(values[i] ?? []).map((value, j) => `type V${i}_${j} = "${quoted(value)}"`),
  ])
  const { types, checker } = typesIn(lines.join('\n'))
  let accepted = 0
  const wrong: string[] = []
  let at = 0
  for (const [i, template] of samples.entries()) {
    const type = types[at] as ts.Type
    const pattern = templatePattern(type)
    at += 1
    for (const value of values[i] ?? []) {
      const isAssignable = checker.isTypeAssignableTo(types[at] as ts.Type, type)
      at += 1
      if (pattern === undefined || isHuge.test(value)) continue
      if (isAssignable) accepted += 1
      if (new RegExp(pattern).test(value) !== isAssignable)
        wrong.push(`${template} ${JSON.stringify(value)} ${pattern}`)
    }
  }
  expect(wrong.slice(0, 5)).toEqual([])
  expect(accepted).toBeGreaterThan(runs)
})

test('a number that a double cannot represent is the only difference', () => {
  const { types, checker } = typesIn(`type T = \`\${number}\`\ntype V = "1e999"`)
  const [type, value] = types as [ts.Type, ts.Type]
  expect(checker.isTypeAssignableTo(value, type)).toBe(false)
  expect(new RegExp(templatePattern(type) ?? '').test('1e999')).toBe(true)
})

test('every text is matched in linear time', () => {
  const written = [`\${number}px`, `\${number}e\${number} \${bigint}1\${string}x`, `\${string}-\${number}`]
  const { types } = typesIn(written.map((each, i) => `type T${i} = \`${each}\``).join('\n'))
  for (const type of types) {
    const pattern = new RegExp(templatePattern(type) ?? '')
    for (const part of [' ', '1', '1e', '0x', '-', '1 ', '1e1 ', '.1']) {
      const start = performance.now()
      for (const end of ['', '!', ' !', 'e!']) pattern.test(part.repeat(100_000) + end)
      expect(performance.now() - start).toBeLessThan(30_000)
    }
  }
})
