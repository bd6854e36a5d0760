import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { createTestProject, type TestProject } from '../support/project.js'

// The names of types in the generated client, which users import.

const shapes = `export type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; corner: { x: number } }
/** @rpc */
export function scale(shape: Shape): Shape {
  return shape
}
`
const earlier = `import type { Shape } from './shapes.js'
/** @rpc */
export function area(of: Shape): number {
  return of.kind === 'circle' ? 1 : 2
}
`

let project: TestProject
beforeEach(() => {
  project = createTestProject({ 'src/api/shapes.ts': shapes })
})
afterEach(() => project.remove('.'))

async function namesOf(): Promise<string[]> {
  const { files, diagnostics } = await generate({
    ...{ cwd: project.folder, paths: ['src/api'], out: 'src/procedures.gen.ts', client: 'src/client.gen.ts' },
  })
  expect(diagnostics).toEqual([])
  const client = files.find(({ path }) => path.endsWith('client.gen.ts'))?.text ?? ''
  return [...client.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)
}

test('types of one name are in the order of their declarations, wherever these are in the file', async () => {
  const spaces = [' '.repeat(50), ' '.repeat(60), ' '.repeat(900)]
  for (const between of spaces) {
    project.write(
      'src/api/shapes.ts',
      `namespace One { export interface Same { x: number } }${between}
namespace Two { export interface Same { y: number } }
/** @rpc */
export function f(two: Two.Same, one: One.Same): void {}
`,
    )
    const { model } = await generate({ cwd: project.folder, paths: ['src/api'] })
    const members = model.types.map(({ name, type }) => [name, type.kind === 'struct' && type.members[0]?.name])
    expect(Object.fromEntries(members)).toEqual({ Same: 'x', Same2: 'y' })
  }
})

describe('types without a name', () => {
  test('are named after the type that contains them, and branches after their discriminant', async () => {
    expect(await namesOf()).toEqual(
      expect.arrayContaining(['Shape', 'ShapeCircle', 'ShapeSquare', 'ShapeSquareCorner']),
    )
  })

  test('keep their names when a procedure of an earlier file uses them first', async () => {
    const before = await namesOf()
    project.write('src/api/area.ts', earlier)
    expect((await namesOf()).toSorted()).toEqual(before.toSorted())
  })

  test('have the same names in every folder', async () => {
    const names = ['Box', 'Chest', 'Crate', 'Jar', 'Sack', 'Tin']
    const source = names.map(
      (name) => `export type ${name}<T> = { own: T; in: { a: number; b?: { c: string } } }
/** @rpc */
export function use${name}(it: ${name}<string>): void {
  it.own
}`,
    )
    const texts = []
    for (let i = 0; i < 4; i += 1) {
      const other = createTestProject({ 'src/api/kept.ts': `${source.join('\n')}\n` })
      const { files, diagnostics } = await generate({ cwd: other.folder, paths: ['src/api'], out: 'src/api.gen.ts' })
      expect(diagnostics).toEqual([])
      texts.push(files.map(({ text }) => text).join())
      other.remove('.')
    }
    expect(new Set(texts).size).toBe(1)
  })

  test('are named after the procedure if no named type contains them', async () => {
    project.write('src/api/plain.ts', '/** @rpc */\nexport function send(to: { name: string }): void {\n  to.name\n}\n')
    expect(await namesOf()).toContain('SendTo')
  })
})
