import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { oncePerRequest, RpcNamespace, RpcServer, type RpcServerOptions, rpcApp, rpcMethod } from 'rpc-gen'
import { methodsManifest, procedure } from 'rpc-gen/codegen/v1'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { procedures } from '../fixtures/server/procedures.gen.js'
import { effects, quick } from '../fixtures/server/procedures.js'
import { mustRun, run } from './run.js'

beforeEach(() => void effects.splice(0))

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

function serverOf(options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, onError: () => undefined, ...options })
}

async function post(server: RpcServer, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const app = new Hono().all('/rpc', server.view)
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  return (await app.request('/rpc', init)).json()
}

function call(method: string, params: unknown = [], id = 1): object {
  return { jsonrpc: '2.0', method, params, id }
}

async function answerOf(server: RpcServer, method: string, params?: unknown): Promise<Answer> {
  return (await post(server, call(method, params))) as Answer
}

const denied = { code: -32098, message: 'Authentication failed' }

describe('auth that is not a predicate throws where it is written', () => {
  const quickSpec = { ...procedures.quick, accepts: (args: readonly unknown[]): args is [] => args.length === 0 }
  const levels: [string, string, (auth: never) => unknown][] = [
    ['a generated procedure', 'procedure quick: ', (auth) => procedure(() => '', { ...quickSpec, auth })],
    ['RpcServer', 'RpcServer: ', (auth) => new RpcServer({ auth })],
    ['RpcNamespace', 'RpcNamespace: ', (auth) => new RpcNamespace({ auth })],
    ['registerProcedure', 'registerProcedure(quick): ', (auth) => new RpcServer().registerProcedure(quick, { auth })],
    [
      'registerProcedure with a name',
      'registerProcedure(fast): ',
      (auth) => new RpcNamespace().registerProcedure(quick, { name: 'fast', auth }),
    ],
    ['a decorator', 'registerProcedure(): ', (auth) => new RpcServer().registerProcedure({ auth })],
    ['rpcMethod', 'rpcMethod(quick): ', (auth) => rpcMethod(quick, { auth })],
    ['rpcApp', 'rpcApp: ', (auth) => rpcApp(methodsManifest(), { auth })],
  ]
  const list = 'a predicate, a list of predicates or '
  const values: [string, unknown, string][] = [
    ['undefined', undefined, `auth is undefined, expected ${list}'public'. A predicate that is undefined here`],
    ['null', null, `auth is null, expected ${list}`],
    ['false', false, `auth is false, expected ${list}'public': write 'public' to let everyone call`],
    ['true', true, `auth is true, expected ${list}`],
    ['a string', 'Public', `auth is "Public", expected ${list}`],
    ['an object', {}, `auth is an object, expected ${list}`],
    ['a list with undefined', [() => true, undefined], 'auth[1] is undefined, expected a predicate. A predicate that'],
    ['a list with a hole', Array(2), 'auth[0] is undefined, expected a predicate. A predicate that'],
    ['a list with false', [false], 'auth[0] is false, expected a predicate'],
    ['a list with public', ['public'], 'auth[0] is "public", expected a predicate'],
    ['a list in a list', [[() => true]], 'auth[0] is an object, expected a predicate'],
  ]

  for (const [level, owner, make] of levels) {
    test.each(values)(`${level}: %s`, (_what, auth, message) => {
      expect(() => make(auth as never)).toThrow(TypeError)
      expect(() => make(auth as never)).toThrow(owner + message)
    })

    test.each([
      ['a predicate', () => true],
      ['a list', [() => true]],
      ['an empty list', []],
      ['public', 'public'],
    ])(`${level}: %s is accepted`, (_what, auth) => {
      expect(() => make(auth as never)).not.toThrow()
    })
  }

  test('oncePerRequest', () => {
    expect(() => oncePerRequest(undefined as never)).toThrow(
      /^oncePerRequest: the predicate is undefined\. .* import cycle/,
    )
  })

  test('without the key the outer level decides', async () => {
    const server = serverOf({ procedures: {}, auth: [] })
    server.registerNamespace(new RpcNamespace({ procedures }))
    expect((await answerOf(server, 'quick', ['a'])).error).toEqual(denied)
  })

  test("'public' opens what the outer levels guard", async () => {
    const server = serverOf({ procedures: {}, auth: [] })
    server.registerNamespace(new RpcNamespace({ procedures, auth: 'public' }))
    expect((await answerOf(server, 'quick', ['a'])).result).toBe('a')
  })
})

describe('a predicate in an import cycle: what is compiled does not load', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-auth-'))
  const files = {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'nodenext',
        strict: true,
        rootDir: 'src',
        outDir: 'dist',
      },
    }),
    'src/auth.ts': `import { server } from './rpc.gen.js'
      export var isStaff = async (request: Request): Promise<boolean> =>
        (await server.call('isStaffToken', [request.headers.get('authorization') ?? ''])) === true
    `,
    'src/procedures/staff.ts': `import { isStaff } from '../auth.js'
      /**
       * @rpc
       * @auth {@link isStaff}
       */
      export function wipe(): string {
        return 'WIPED'
      }
      /**
       * @rpc
       * @auth public
       */
      export function isStaffToken(token: string): boolean {
        return token === 'Bearer staff'
      }
    `,
    'src/main.ts': `import './auth.js'
      import { router } from './rpc.gen.js'
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'wipe', id: 1 }),
      }
      Promise.resolve(router.request('/', init)).then(async (response) => console.log(await response.text()))
    `,
  }

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(['commonjs', 'module'])('%s', async (type) => {
    const own = join(folder, type)
    for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify({ type }) })) {
      mkdirSync(dirname(join(own, path)), { recursive: true })
      writeFileSync(join(own, path), text)
    }
    mkdirSync(join(own, 'node_modules'))
    symlinkSync(join(root, 'node_modules/hono'), join(own, 'node_modules/hono'))
    symlinkSync(root, join(own, 'node_modules/rpc-gen'))
    await mustRun(own, process.execPath, join(root, 'dist/generator/cli.js'), 'src/procedures', '--require-auth')
    await mustRun(own, process.execPath, join(root, 'node_modules/typescript/bin/tsc'))
    const { status, output } = await run(own, process.execPath, 'dist/main.js')
    expect(output).not.toContain('WIPED')
    expect(output).toMatch(/TypeError: procedure wipe: auth is undefined, expected .* import cycle/)
    expect(status).toBe(1)
  })
})
