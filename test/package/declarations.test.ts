import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runRpcGen } from '../support/command.js'
import { compile } from '../support/compiler.js'
import { root } from '../support/paths.js'
import { requireBuild, writeFiles } from '../support/project.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// With `declaration: true` TypeScript writes the types of exports, and has to name every type in them.

const files = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2023", "module": "nodenext", "strict": true, "declaration": true, "outDir": "dist", "rootDir": "src",
    "skipLibCheck": true, "types": ["node"]
  },
  "include": ["src"]
}`,
  'src/procedures/users.ts': `import { type Double, type Int, type MaxLength, type MinItems, type Minimum, type Pattern, RpcError, RpcNamespace, RpcServer } from 'rpc-gen'

export interface User {
  id: Int
  at: Date
}

export class Gone extends RpcError<410, { id: Int }> {}

export const server = new RpcServer()
export const namespace = new RpcNamespace()

/** @rpc user.get
 * @throws {Gone} */
export function get(id: Int): User {
  return { id, at: new Date(0) }
}

/** @rpc user.page */
export const page = (size: Int & Minimum<1>, code: string & Pattern<'a'> & MaxLength<2>, all: Double[] & MinItems<1>) => ({
  size,
  code,
  all,
})
`,
  'src/server.ts': `import { oncePerRequest, RpcServer } from 'rpc-gen'
import * as generated from './rpc.gen.js'

export const server = new RpcServer({ procedures: generated.procedures })
export const router = server.router()
export const { procedures, server: own, router: ownRouter } = generated
export const isUser = oncePerRequest((request) => request.headers.get('x-user'))
export const result = () => server.call('user.get', [1])
`,
}

const client = {
  'src/client.ts': `import { createClient } from 'rpc-gen/client'
import type { JsonProcedures } from './rpc.gen.js'

export const client = createClient<JsonProcedures>('http://127.0.0.1:3000/rpc')
export const user = client.user
export const get = () => client.user.get(1)
export const page = () => client.user.page(1, 'a', [1])
export const { $named: named, $notify: notify, $request: request } = client
export const members = { named: named.user, notify: notify.user, request: request.user }
export const calls = [named.user.get, notify.user.get, request.user.get, request.$named.user.get] as const
`,
}

// An import of the client can make names known that are missing without it.
test.each([
  ['of procedures and servers', files],
  ['of clients too', { ...files, ...client }],
])('the declarations %s can be written', async (_what, sources) => {
  requireBuild()
  const folder = writeFiles(temporaryFolder('declarations'), sources)
  for (const name of ['hono', 'ts-morph', 'typescript', '@types/node', '@standard-schema/spec', 'rpc-gen']) {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(name === 'rpc-gen' ? root : join(root, 'node_modules', name), path, 'junction')
  }
  expect(await runRpcGen(folder, 'src/procedures')).toMatchObject({ status: 0 })
  expect(compile(folder)).toEqual([])
})

test('the declarations of clients and servers need no library after ES2020', () => {
  requireBuild()
  const folder = writeFiles(temporaryFolder('declarations-es2020'), {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "target": "es2020", "module": "nodenext", "strict": true, "types": [] } }',
    'client.ts': "import { createClient } from 'rpc-gen/client'\n\nexport const client = createClient('/rpc')\n",
    'server.ts': "import { RpcServer } from 'rpc-gen'\n\nexport const server = new RpcServer()\n",
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rpc-gen'), 'junction')
  expect(compile(folder)).toEqual([])
})

test('no declaration of the package needs the typed arrays with a parameter of TypeScript 5.7', () => {
  requireBuild()
  const folder = join(root, 'dist')
  const declarations = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.c?ts$/.test(name),
  )
  expect(declarations).not.toEqual([])
  const generic = /\b\w+Array<ArrayBuffer(?:Like)?>/
  expect(declarations.filter((name) => generic.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})
