import fs, { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build, createServer, type InlineConfig, type Plugin, type ViteDevServer } from 'vite'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { root } from '../support/paths.js'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

const broken = '/** @rpc */\nexport function save(value: symbol): void {\n  void value\n}\n'

let project: TestProject
let server: ViteDevServer | undefined
let previous: string

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject({ ...smallProject, 'src/main.ts': "export { procedures } from './rpc.gen.js'\n" })
  mkdirSync(join(project.folder, 'node_modules'), { recursive: true })
  for (const name of ['ts-morph', 'hono']) link(join(root, 'node_modules', name), name)
  link(root, 'rpc-gen')
  previous = process.cwd()
  process.chdir(project.folder)
})
afterEach(async () => {
  await server?.close()
  server = undefined
  process.chdir(previous)
  project.remove('.')
})

function link(target: string, name: string): void {
  const path = join(project.folder, 'node_modules', name)
  if (!existsSync(path)) symlinkSync(target, path, 'junction')
}

/** A project's configuration; `logged` gets what Vite logs as an error. */
async function config(options: object, logged: string[] = []): Promise<InlineConfig> {
  const { rpcGen } = await import(join(root, 'dist/generator/vite.js'))
  const log = () => {}
  return {
    root: project.folder,
    configFile: false,
    plugins: [rpcGen({ paths: 'src/api', ...options })],
    customLogger: {
      info: log,
      warn: log,
      warnOnce: log,
      error: (message: string) => void logged.push(message),
      clearScreen: log,
      hasErrorLogged: () => false,
      hasWarned: false,
    },
    server: { port: 0, host: '127.0.0.1' },
    build: { lib: { entry: 'src/main.ts', formats: ['es'] }, rollupOptions: { external: /^rpc-gen/ } },
  }
}

const generated = () => readFileSync(join(project.folder, 'src/rpc.gen.ts'), 'utf8')

describe('vite build', () => {
  test('generates before it bundles', async () => {
    await build(await config({}))
    expect(generated()).toContain("'add'")
    expect(existsSync(join(project.folder, 'dist'))).toBe(true)
  })

  test('for a server', async () => {
    const { build: options, ...given } = await config({})
    const rollupOptions = options?.rollupOptions ?? {}
    await build({ ...given, build: { ssr: 'src/main.ts', rollupOptions } })
    const { procedures } = await import(join(project.folder, 'dist/main.js'))
    expect(Object.keys(procedures)).toContain('add')
  })

  test('fails with the location of an error in the sources, and writes nothing', async () => {
    project.write('src/api/save.ts', broken)
    const logged: string[] = []
    const failed = await build(await config({}, logged)).catch((error: unknown) => error)
    const file = join(project.folder, 'src/api/save.ts')
    const message = expect.stringContaining('src/api/save.ts:2:22 RPC121')
    expect(failed).toMatchObject({ errors: [{ message, stack: '', loc: { file, line: 2, column: 22 } }] })
    // Vite shows the error.
    expect(logged.join()).not.toContain('RPC121')
    expect(existsSync(join(project.folder, 'src/rpc.gen.ts'))).toBe(false)
    expect(existsSync(join(project.folder, 'dist'))).toBe(false)
  })

  test('fails with invalid options', async () => {
    await expect(build(await config({ paths: 'src/none' }))).rejects.toThrow('src/none')
    await expect(config({ clientt: 'x' })).rejects.toThrow('rpcGen(): unknown option clientt: write it client')
    await expect(config({ paths: 5 })).rejects.toThrow('rpcGen(): paths: expected ')
    await expect(config({ name: 'x' })).rejects.toThrow('rpcGen(): unknown option name: the options are paths, out, ')
  })

  test('compiles RPC_METHODS_MODULES', async () => {
    project.write('src/old/old.ts', '/** @rpc */\nexport function old(): string {\n  return "old"\n}\n')
    await build(await config({ RPC_METHODS_MODULES: 'src/old' }))
    expect(generated()).toMatch(/ methodsModulesManifest\(\{/)
    expect(generated()).toContain("from './old/old.js'")
  })

  test('generates the targets of the configuration', async () => {
    project.write('src/main.ts', "export { procedures } from './one.gen.js'\n")
    const target = (name: string) => ({ name, paths: 'src/api', out: `src/${name}.gen.ts` })
    project.write('rpc.config.json', JSON.stringify([target('one'), target('other')]))
    await build(await config({ paths: [], targets: ['one'] }))
    expect([existsSync('src/one.gen.ts'), existsSync('src/other.gen.ts')]).toEqual([true, false])
  })
})

describe('the dev server', () => {
  async function start(logged: string[] = []): Promise<WebSocket> {
    server = await createServer(await config({}, logged))
    await server.listen()
    const { port } = (server.httpServer ?? expect.fail('no server')).address() as AddressInfo
    return new WebSocket(`ws://127.0.0.1:${port}/?token=${server.config.webSocketToken}`, 'vite-hmr')
  }

  /** The messages of a connection, in order of arrival. */
  function messagesOf(socket: WebSocket): { type: string; err?: { message: string; loc?: object } }[] {
    const messages: { type: string }[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    return messages
  }

  test('generates at the start, and when a source changes', async () => {
    await start()
    expect(generated()).toContain("'add'")
    project.write('src/api/more.ts', '/** @rpc */\nexport function more(): number {\n  return 1\n}\n')
    await expect.poll(generated).toContain("'more'")
  })

  test('shows an error in the overlay until it is corrected', async () => {
    const logged: string[] = []
    const messages = messagesOf(await start(logged))
    const before = generated()
    project.write('src/api/save.ts', broken)
    await expect
      .poll(() => messages.find(({ type }) => type === 'error')?.err)
      .toMatchObject({
        message: expect.stringContaining('RPC121'),
        loc: { file: join(project.folder, 'src/api/save.ts'), line: 2, column: 22 },
        plugin: 'rpc-gen',
      })
    expect(logged.join()).toContain('src/api/save.ts:2:22')
    expect(generated()).toBe(before)
    project.remove('src/api/save.ts')
    await expect.poll(() => messages.map(({ type }) => type)).toContain('full-reload')
  })

  test('an error at the start is shown to a page that is opened later', async () => {
    project.write('src/api/save.ts', broken)
    const messages = messagesOf(await start())
    await expect.poll(() => messages.map(({ type }) => type)).toContain('error')
  })

  describe('with a server that Vite loads', () => {
    const who = (version: number, type: string) => {
      return `/** @rpc */\nexport const who = (a: ${type}): string => \`${version} \${Object.keys(a).sort()}\`\n`
    }
    const sent = { age: 36, name: 'Ada', title: 'Countess' }

    /** The response of a middleware that calls a procedure of the generated module: its status and text. */
    async function request(): Promise<[status: number, text: string]> {
      const { port } = (server?.httpServer ?? expect.fail('no server')).address() as AddressInfo
      const response = await fetch(`http://127.0.0.1:${port}/who`)
      return [response.status, await response.text()]
    }

    const app: Plugin = {
      name: 'app',
      configureServer(vite) {
        vite.middlewares.use('/who', async (_request, response, next) => {
          try {
            const { server: rpc } = await vite.ssrLoadModule('/src/rpc.gen.ts')
            response.end(await rpc.call('who', [sent]))
          } catch (error) {
            next(error)
          }
        })
      },
    }

    /** The listener is the second argument in the plugin, and the third in Vite, whose events come in time unless `viteMs` delays them. */
    function delayFolderEvents(ms: number, viteMs = 0): void {
      const { watch } = fs
      const delayed = (path: string, ...rest: [unknown, ((...args: unknown[]) => void)?]) => {
        const late = rest.map((each, i) => {
          const by = i === 0 ? ms : viteMs
          return typeof each === 'function' && by > 0
            ? (...args: unknown[]) => void setTimeout(() => each(...args), by).unref()
            : each
        })
        return Reflect.apply(watch, fs, [path, ...late])
      }
      fs.watch = delayed as typeof watch
      syncBuiltinESMExports()
      onTestFinished(() => {
        fs.watch = watch
        syncBuiltinESMExports()
      })
    }

    const startApp = async (): Promise<void> => {
      project.write('src/api/who.ts', who(0, '{ name: string }'))
      const { plugins = [], ...given } = await config({})
      server = await createServer({ ...given, plugins: [...plugins, app], appType: 'custom' })
      await server.listen()
    }

    const mixed = 'no request gets a changed procedure with the validators of the version before'
    // The plugin watches folders beside Vite, and either of them may be the first to notice a change.
    test.each([0, 100])(`${mixed}, if the plugin notices it %i ms late`, async (ms) => {
      if (ms > 0) delayFolderEvents(ms)
      await startApp()
      expect(await request()).toEqual([200, '0 name'])
      const types = ['{ name: string; title?: string }', '{ name: string; title?: string; age: number }']
      const keys = ['name', 'name,title', 'age,name,title']
      for (const [i, type] of types.entries()) {
        project.write('src/api/who.ts', who(i + 1, type))
        // Requests until the change is served. None of them has the procedure of one version and the validators of another.
        let text = ''
        while (!text.startsWith(`${i + 1}`)) {
          const [status, body] = await request()
          expect([status, keys[Number(body[0])]]).toEqual([200, body.slice(2)])
          text = body
        }
      }
    })

    test('a change that no watcher has noticed yet is generated before the next response', async () => {
      delayFolderEvents(60_000, 60_000)
      await startApp()
      expect(await request()).toEqual([200, '0 name'])
      project.write('src/api/who.ts', who(1, '{ name: string; title?: string }'))
      expect(await request()).toEqual([200, '1 name,title'])
    })

    test('while the sources have an error, the generated module cannot be loaded', async () => {
      await startApp()
      expect(await request()).toEqual([200, '0 name'])
      project.write('src/api/save.ts', broken)
      await expect.poll(async () => (await request())[0]).toBe(500)
      expect((await request())[1]).toContain('RPC121')
      project.remove('src/api/save.ts')
      await expect.poll(request).toEqual([200, '0 name'])
    })
  })
})
