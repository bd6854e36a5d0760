import { RpcServer } from 'rpc-gen'
import { createClient, xmlRpc } from 'rpc-gen/client'
import {
  array,
  int,
  manifest,
  number,
  procedure,
  record,
  set,
  string,
  type Type,
  tuple,
  union,
} from 'rpc-gen/codegen/v1'
import { expect, test } from 'vitest'
import { fetchFrom, responseTo } from '../support/json-rpc.js'

// Values that several branches of a union match: each branch contributes what it declares.

/** Returns a router with the procedure `echo`, or `give`, which returns a value. */
function serve(type: Type, given?: unknown) {
  const value = procedure(() => given as never, { returns: type })
  const echo = procedure((each: unknown) => each as never, { params: { value: type }, returns: type })
  return new RpcServer({ procedures: manifest({ give: value, echo }) }).router()
}

const sets = union([set(int), set(string)])

test.each([['JSON-RPC', {}] as const, ['XML-RPC', { transport: xmlRpc() }] as const])(
  'an empty Set is a list over %s',
  async (_name, options) => {
    const client = createClient('https://example.org/', { fetch: fetchFrom(serve(sets)), ...options })
    expect(await client.$call('echo' as never, [[]] as never)).toEqual([])
  },
)

class Named extends Array<unknown> {
  toJSON(): string {
    return 'name'
  }
}

test('the method toJSON() of a list is not called', async () => {
  const list = Named.of(1, 2)
  expect((await responseTo(serve(array(int), list), 'give')).result).toEqual([1, 2])
  expect((await responseTo(serve(union([array(number), tuple([int, int])]), list), 'give')).result).toEqual([1, 2])
})

test('members are in the order of the branches, and of their declarations', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a type as TypeScript writes it
  const keys = { text: '`x-${string}`', pattern: '^x-[\\s\\S]*$' }
  const router = serve(union([record(int, keys), record(union([int, string]))]))
  const { result } = await responseTo(router, 'echo', [{ b: 'x', 'x-a': 1, a: 'x', 'x-b': 2 }])
  expect(Object.keys(result as object)).toEqual(['x-a', 'x-b', 'b', 'a'])
})

test('a branch that a value does not match has no effect', async () => {
  const inner: readonly Type[] = [array(int), set(int), array(number), tuple([int, int])]
  const triples = inner.flatMap((a) => inner.flatMap((b) => inner.map((c) => [a, b, c] as const)))
  for (const [a, b, c] of triples) {
    const matching = [tuple([b, int]), tuple([c, int])]
    const all = [tuple([a, string]), ...matching]
    const echo = async (type: Type) => (await responseTo(serve(type), 'echo', [[[1, 1], 5]])).result
    expect(await echo(union(all))).toEqual(await echo(union(matching)))
  }
})
