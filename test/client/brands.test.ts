import { Hono } from 'hono'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type ByName,
  createClient,
  type Email,
  type Flavoured,
  type InNamespace,
  type OrderId,
  type Other,
  type Strong,
  type Unique,
  type UserId,
  type Verified,
} from '../../fixtures/generate/client-brands/expected.client.gen.js'
import { router } from '../../fixtures/generate/client-brands/expected.gen.js'
import type { ByName as SourceByName } from '../../fixtures/generate/client-brands/source.js'

const app = new Hono().route('/rpc', router)
const client = createClient('http://localhost/rpc', { fetch: app.request })

describe('brands in a generated client', () => {
  test('an id that a call returned can be passed on, and is a text', async () => {
    const order = await client.order.find('a-1' as OrderId, 'u-1' as UserId)
    expectTypeOf(order.id).toEqualTypeOf<OrderId>()
    expect((await client.order.find(order.id)).id satisfies string).toBe('a-1')
  })

  test('an id of another kind, or a plain text, is a compile error', () => {
    const calls = (user: UserId, unique: Unique, other: Other, named: InNamespace) => {
      // @ts-expect-error a brand with another name
      client.order.find(user)
      // @ts-expect-error no brand
      client.order.find('a-1')
      // @ts-expect-error a brand of another symbol with the same name
      client.order.find(named)
      // @ts-expect-error by name, too
      client.$named.order.find({ id: user })
      // @ts-expect-error in a batch, too
      client.$request.order.find(user)
      // @ts-expect-error two symbols are two brands
      other satisfies Unique
      return [unique satisfies Unique]
    }
    expect(calls).toBeTypeOf('function')
    // One brand may extend another.
    expectTypeOf<Verified>().toExtend<Email>()
    expectTypeOf<Email>().not.toExtend<Verified>()
    // A brand by a name is that of the sources.
    expectTypeOf<SourceByName>().toExtend<ByName>()
    expectTypeOf<ByName>().toExtend<SourceByName>()
    // An optional brand and a constraint type accept plain values, as in the sources.
    expectTypeOf<string>().toExtend<Flavoured>()
    expectTypeOf<string>().not.toExtend<Strong>()
    expectTypeOf<Parameters<typeof client.order.more>[2]>().toEqualTypeOf<string>()
  })
})
