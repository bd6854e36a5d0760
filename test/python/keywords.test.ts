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
