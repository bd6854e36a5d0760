import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { call, postJson } from '../support/json-rpc.js'

// The application is installed for the whole process: the order of these tests is part of them, and no function of
// another test file may be marked.
vi.resetModules()
const { RPCEntryPoint, rpcApp, rpcMethod } = await import('rpc-gen')
const { methodsModulesManifest } = await import('rpc-gen/codegen/v1')
const { procedures } = await import('../../fixtures/generate/methods-modules/expected.gen.js')
const { procedures: unlisted } = await import('../../fixtures/server/procedures.gen.js')
const { quick, slow } = await import('../../fixtures/server/procedures.js')

test('asView without an application throws an error with the remedy', () => {
  expect(() => RPCEntryPoint.asView()).toThrow('call app.use(rpcApp(procedures)) first')
})

test('rpcApp without the setting throws an error with the remedy', () => {
  expect(() => rpcApp(unlisted)).toThrow('list them in RPC_METHODS_MODULES in rpc.config')
  expect(() => RPCEntryPoint.asView()).toThrow('call app.use(rpcApp(procedures)) first')
})

async function listed(app: Hono, path: string): Promise<unknown> {
  const { result, error } = await (await app.request(path, postJson(call('system.listMethods')))).json()
  return error ?? result.filter((name: string) => !name.startsWith('system.'))
}

test('rpcApp installs the application when it is called, not with the first request', async () => {
  const middleware = rpcApp(procedures)
  const app = new Hono()
    .use(middleware)
    .all('/', RPCEntryPoint.asView())
    .all('/other', RPCEntryPoint.asView({ entryPoint: 'other' }))
  expect(await listed(app, '/')).toEqual(['named'])
  expect(await listed(app, '/other')).toEqual(['named'])
  expect(() => RPCEntryPoint.asView({ entryPoint: ['other'] as never })).toThrow(
    'RPCEntryPoint.asView: entryPoint is an array, expected a name',
  )
})

test('without modules in the setting the application has the procedures of rpcMethod', async () => {
  const nothing = methodsModulesManifest({})
  const app = new Hono().use(rpcApp(nothing)).all('/', RPCEntryPoint.asView({ entryPoint: 'later' }))
  expect(await listed(app, '/')).toEqual([])
  rpcMethod(quick, { entryPoint: 'later' })
  expect(await listed(app, '/')).toEqual(['quick'])
})

test('a view serves the application that was installed when it was created', async () => {
  const app = new Hono().use(rpcApp(procedures)).all('/', RPCEntryPoint.asView({ entryPoint: 'first' }))
  rpcApp(methodsModulesManifest({}))
  rpcMethod(quick, { entryPoint: 'second' })
  expect(await listed(app, '/')).toEqual(['named'])
})

test('conflicting registrations throw when the view is created', () => {
  rpcApp(procedures)
  rpcMethod(function lonely() {}, { entryPoint: 'lonely' })
  expect(() => RPCEntryPoint.asView({ entryPoint: 'lonely' })).toThrow(
    'function lonely has no compiled form: export it',
  )
  rpcMethod(quick, { entryPoint: 'reserved', name: 'system.quick' })
  expect(() => RPCEntryPoint.asView({ entryPoint: 'reserved' })).toThrow(
    'function quick cannot be called "system.quick"',
  )
  rpcMethod(quick, { entryPoint: 'twice', name: 'named' })
  expect(() => RPCEntryPoint.asView({ entryPoint: 'twice' })).toThrow('there are two procedures "named"')
  expect(() => RPCEntryPoint.asView({ entryPoint: 'other' })).not.toThrow()
  expect(() => rpcMethod(undefined as never)).toThrow('rpcMethod: expected a function')
})

test.each([
  [{ entryPoint: 5 }, 'entryPoint is 5'],
  [{ entryPoint: null }, 'entryPoint is null'],
  [{ entryPoint: [] }, 'entryPoint is an array'],
  [{ entryPoint: ['default', 5] }, 'entryPoint is an array'],
  [{ name: 5 }, 'name is 5, expected a name'],
  [{ name: '' }, 'name is "", expected a name'],
])('rpcMethod rejects %o where it is written, and keeps nothing', (options, message) => {
  expect(() => rpcMethod(slow, options as never)).toThrow(`rpcMethod(slow): ${message}`)
  rpcApp(procedures)
  expect(() => RPCEntryPoint.asView({ entryPoint: 'other' })).not.toThrow()
})

test('a list of predicates that is changed after rpcMethod authorises no one else', async () => {
  const auth = [() => false]
  rpcMethod(slow, { entryPoint: 'guarded', name: 'guarded', auth })
  auth[0] = () => true
  const app = new Hono().use(rpcApp(procedures)).all('/', RPCEntryPoint.asView({ entryPoint: 'guarded' }))
  const { error } = await (await app.request('/', postJson(call('guarded')))).json()
  expect(error).toMatchObject({ code: -32098 })
})

test('rpcApp rejects a wrong value of an option, and keeps the application that is installed', async () => {
  const app = new Hono().use(rpcApp(procedures))
  const nothing = methodsModulesManifest({})
  expect(() => rpcApp(nothing, { limits: { depth: -1 } })).toThrow('limits.depth is -1, expected a positive integer')
  expect(() => rpcApp(nothing, { docs: 5 as never })).toThrow('docs is 5, expected true or false')
  app.all('/', RPCEntryPoint.asView({ entryPoint: 'kept' }))
  expect(await listed(app, '/')).toEqual(['named'])
})
