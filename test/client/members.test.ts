import { inspect } from 'node:util'
import { createClient } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import { connect, record } from './served.js'

describe('a client is an ordinary value', () => {
  test('that can be awaited, stringified, inspected and compared without a request', async () => {
    const { client, traffic } = connect()
    expect(await client).toBe(client)
    expect(await Promise.resolve(client.echo)).toBe(client.echo)
    expect(JSON.stringify({ client })).toBe('{"client":{}}')
    expect(`${client}`).toBe('[object Object]')
    expect(typeof inspect(client)).toBe('string')
    expect(inspect(client.echo.any)).toContain('Function')
    expect(Reflect.get(client, Symbol.iterator)).toBeUndefined()
    expect(Reflect.get(client, '$nothing')).toBeUndefined()
    expect('then' in client).toBe(false)
    expect(traffic.requests).toEqual([])
  })

  test('whose members stay the same, and need no `this`', async () => {
    const { client } = connect()
    const { subtract, echo, $named } = client
    expect(subtract).toBe(client.subtract)
    expect(echo.string).toBe(client.echo.string)
    expect(await subtract(3, 2)).toBe(1)
    expect(await $named.subtract({ minuend: 3, subtrahend: 2 })).toBe(1)
  })

  test('whose names are procedures, whatever functions have by that name', async () => {
    const sent: string[] = []
    const client = createClient('http://localhost/', {
      fetch: (_, init) => {
        const { method, id } = JSON.parse(`${init.body}`)
        sent.push(method)
        return Response.json({ jsonrpc: '2.0', result: null, id })
      },
    })
    const members = client['a'] as unknown as Record<string, () => Promise<null>>
    const names = ['name', 'length', 'catch', '$x', 'prototype', 'arguments']
    for (const name of names) await members[name]?.()
    expect(sent).toEqual(names.map((name) => `a.${name}`))
  })

  test('except for call, apply and bind of a member, which are those of every function', async () => {
    const { client, traffic } = connect()
    expect(await client.subtract.call(null, 3, 2)).toBe(1)
    expect(await client.echo.string.apply(undefined, ['x'])).toBe('x')
    expect(await client.subtract.bind(null, 9)(4)).toBe(5)
    expect(client.$request.echo.string.call(null, 'x')).toEqual({ method: 'echo.string', params: ['x'] })
    await client.$call('echo.call').catch(() => {})
    const top = createClient('http://localhost/', { fetch: record(traffic) })
    await Promise.allSettled([top['call']?.(1), top.$notify['bind']?.()])
    expect(traffic.requests.map((text) => JSON.parse(text).method)).toEqual([
      'subtract',
      'echo.string',
      'subtract',
      'echo.call',
      'call',
      'bind',
    ])
  })
})
