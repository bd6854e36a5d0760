import { describe, expect, test } from 'vitest'
import { file, openCaller } from './caller-file.js'

const { service, write, hover, errorsOf } = openCaller(`import { createClient } from 'rpc-gen/client'
import { createClient as generatedClient } from '../../fixtures/generate/client-names/expected.client.gen.js'
import type { JsonParams, JsonProcedures } from '../../fixtures/generate/client-names/expected.gen.js'
interface Many {
  two: { (x: 'a'): string | number; (x: string): string }
  none: { (): 'none'; (x: number): 'one' }
  three: { (x: 1): 'one'; (x: 2): 'two'; (x: 3): Promise<'three'> }
  eight: { (x: 1): 1; (x: 2): 2; (x: 3): 3; (x: 4): 4; (x: 5): 5; (x: 6): 6; (x: 7): 7; (x: 8): 8 }
  nine: { (x: 1): 1; (x: 2): 2; (x: 3): 3; (x: 4): 4; (x: 5): 5; (x: 6): 6; (x: 7): 7; (x: 8): 8; (x: 9): 9 }
}
const client = createClient<JsonProcedures, JsonParams>('http://localhost/')
const generated = generatedClient('http://localhost/')
const many = createClient<Many>('http://localhost/')
`)

describe.each(['client', 'generated'])('of %s', (client) => {
  const accepted = [
    // Overloads
    "const text: Promise<string> = client.math.double('x')",
    'const int: Promise<number> = client.math.double(1)',
    "const notified: Promise<void>[] = [client.$notify.math.double('x'), client.$notify.math.double(1)]",
    "const either: Promise<string | number> = client.$named.math.double({ x: 'x' })",
    `async function run() {
       const { $request } = client
       const [text, int, either, none]: [string, number, string | number, void] = await client.$batch([
         $request.math.double('x'), $request.math.double(1), $request.$named.math.double({ x: 1 }),
         $request.$notify.math.double('x')])
     }`,
    // A name that is a procedure and the beginning of others
    'const user: Promise<string> = client.user(1)',
    'const gone: Promise<boolean> = client.user.delete(1)',
    'const name: Promise<string> = client.user.name(1)',
    'const length: Promise<number> = client.user.length()',
    "const town: Promise<string> = client.user.home.town('x')",
    'const notified: Promise<void>[] = [client.$notify.user(1), client.$notify.user.length()]',
    'const named: Promise<string>[] = [client.$named.user({ id: 1 }), client.$named.user.name({ id: 1 })]',
    "const deep: Promise<string> = client.$named.user.home.town({ of: 'x' })",
    'client.$batch([client.$request.user(1), client.$request.user.delete(1)])',
    // Names that a client or a member has itself
    'async function run() { const same: typeof client = await client }',
    'const text: string = client.toString()',
    "const whole: Promise<string> = client['phone.call']('1')",
    "const dialled: Promise<string> = client.phone.dial('1')",
    "const again: Promise<number> = client['then.again'](1)",
    'const top: Promise<number> = client.call(1)',
    'const applied: Promise<string> = client.user.call(null, 1)',
  ]
  test.each(accepted)('accepts: %s', (body) => {
    expect(errorsOf(body.replace(/\bclient\b/g, client))).toEqual([])
  })

  test.each([
    ['client.math.double(true)', 'No overload matches this call.'],
    [
      "const int: Promise<number> = client.$named.math.double({ x: 'x' })",
      "Type 'Promise<string | number>' is not assignable to type 'Promise<number>'.",
    ],
    [
      'const request: { y: 1 } = client.$request.math.double',
      "Type '((x: string) => RpcRequest<string>) & ((x: number) => RpcRequest<number>)' is not assignable to type '{ y: 1; }'.",
    ],
    ["client.user.delete('1')", "Argument of type 'string' is not assignable to parameter of type 'number'."],
    [
      'client.$named.user.home.town({ off: 1 })',
      expect.stringContaining("'off' does not exist in type '{ of: string; }'"),
    ],
    ['client.then', expect.stringMatching(/^Property 'then' does not exist on type /)],
    ['client.$odd', expect.stringMatching(/^Property '\$odd' does not exist on type /)],
    ['client.$request.then', expect.stringMatching(/^Property 'then' does not exist on type /)],
    ['client.phone.call', expect.stringMatching(/^Property 'call' does not exist on type /)],
    ['client.$named.phone.call', expect.stringMatching(/^Property 'call' does not exist on type /)],
    ['client.toString(1)', 'Expected 0 arguments, but got 1.'],
  ])('rejects: %s', (body, message) => {
    expect(errorsOf(body.replace(/\bclient\b/g, client))).toEqual([message])
  })

  test.each([
    ['client.math.double', 'Twice.'],
    ['client.$request.math.double', 'Twice.'],
    ['client.user', 'Who has a number.'],
    ['client.$named.user', 'Who has a number.'],
    ['client.user.delete', 'Takes one away.'],
    ['client.$notify.user.delete', 'Takes one away.'],
  ])('the docs are kept: %s', (piece, docs) => {
    expect(hover(piece.replace('client', client)).docs).toBe(docs)
  })
})

describe('overloads', () => {
  test.each([
    "const wide: Promise<string | number> = many.two('a')",
    "const text: Promise<string> = many.two('b')",
    "const none: Promise<'none'>[] = [many.none()]",
    "const one: Promise<'one'>[] = [many.none(1)]",
    "const all: [Promise<'one'>, Promise<'two'>, Promise<'three'>] = [many.three(1), many.three(2), many.three(3)]",
    'const ends: [Promise<1>, Promise<8>] = [many.eight(1), many.eight(8)]',
    'const any: Promise<1 | 2 | 3 | 4 | 5 | 6 | 7 | 8> = many.$named.eight({})',
    'const unknown: Promise<unknown> = many.nine(1)',
    'const ninth: Promise<unknown> = many.$named.nine({})',
  ])('accepts: %s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })

  test.each([
    [
      "const text: Promise<string> = many.two('a')",
      "Promise<string | number>' is not assignable to type 'Promise<string>",
    ],
    ["const one: Promise<'one'> = many.none()", `Promise<"none">' is not assignable to type 'Promise<"one">`],
    ['many.eight(9)', 'No overload matches this call.'],
    ['const nine: Promise<9> = many.nine(9)', "'Promise<unknown>' is not assignable to type 'Promise<9>'"],
    ['const nine: Promise<9> = many.$named.nine({})', "'Promise<unknown>' is not assignable to type 'Promise<9>'"],
  ])('rejects: %s', (body, message) => {
    expect(errorsOf(body)).toEqual([expect.stringContaining(message)])
  })
})

test('only procedures are offered as members', () => {
  for (const client of ['client', 'generated', 'client.$request', 'generated.$named']) {
    const text = write(`${client}.`)
    const names = service.getCompletionsAtPosition(file, text.length, {})?.entries.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['user', 'math', 'phone']))
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(then|\$odd)$/)]))
  }
})
