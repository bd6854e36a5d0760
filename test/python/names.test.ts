import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'
import { missingPython, python } from './python.js'

let project: TestProject

beforeAll(() => {
  requireBuild()
  project = createTestProject(smallProject)
})
afterAll(() => project.remove('.'))

test.skipIf(missingPython)(
  'every word that this Python reserves can be the name of a procedure and a member',
  async () => {
    const words: string[] = JSON.parse(await python(['-c', 'import json, keyword; print(json.dumps(keyword.kwlist))']))
    const members = words.map((word) => `${word}: string`).join('; ')
    const procedures = words.map((_, i) => `/** @rpc */\nfunction p${i}(value: Words): Words { return value }`)
    const names = words.map((word, i) => `p${i} as ${word}`).join(', ')
    project.write('src/words.ts', `interface Words { ${members} }\n${procedures.join('\n')}\nexport { ${names} }\n`)
    const run = await project.rpcGen(['src/words.ts', '--out', 'src/words.gen.ts', '--python-client', 'words.py'])
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const listed = 'import words; print(*[name for name in dir(words.Client) if name.endswith("_") and name[0] != "_"])'
    const found = (await python(['-c', listed], '', {}, project.folder)).trim().split(' ')
    expect(found).toEqual(words.map((word) => `${word}_`).sort())
  },
)

/** Prints the names that a module binds, each as often as it is bound, also in branches: `try`, `if TYPE_CHECKING`. */
const bound = `
import ast, json, sys
names = []
def visit(nodes):
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.extend(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.append(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names.extend(map(ast.unparse, getattr(node, "targets", [getattr(node, "target", None)])))
        elif isinstance(node, ast.If):
            visit(node.body)
visit(ast.parse(sys.stdin.read()).body)
print(json.dumps([name for name in names if name.isidentifier() and name[0] != "_"]))
`

test.skipIf(missingPython)('a type can have the name of anything that the module binds', async () => {
  const generate = async (types: readonly string[]): Promise<string[]> => {
    const declared = types.map((name) => `export interface ${name} { own: '${name}' }`)
    const params = types.map((name) => `p${name}: ${name}`)
    const stream = 'export async function* ticks(): AsyncGenerator<string> { yield "" }'
    project.write(
      'src/types.ts',
      `${declared.join('\n')}\n/** @rpc */\nexport function all(${params.join(', ')}): void {}\n/** @rpc */\n${stream}\n`,
    )
    const run = await project.rpcGen(['src/types.ts', '--out', 'src/types.gen.ts', '--python-client', 'types_.py'])
    expect(run).toMatchObject({ status: 0, stderr: '' })
    return JSON.parse(await python(['-c', bound], project.read('types_.py')))
  }
  const before = await generate([])
  expect(before).toEqual([...new Set(before)])
  // Classes begin with a capital.
  const after = await generate(before.filter((name) => /^[A-Z]/.test(name)))
  expect(after).toEqual([...new Set(after)])
  expect(after).toEqual(expect.arrayContaining(before))
})
