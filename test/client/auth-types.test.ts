import { describe, expect, test } from 'vitest'
import { openCaller } from './caller-file.js'

// A generated client accepts the credentials of the schemes that `defineAuth` declares.

const { errorsOf, hover } = openCaller(`import { type Auth, createClient } from '../../fixtures/tenants/client.gen.js'
import { type Auth as OpenAuth, createClient as createOpen } from '../../fixtures/generate/auth-schemes/expected.client.gen.js'
import { createClient as createOther } from '../../fixtures/generate/client-names/expected.client.gen.js'
const client = createClient('/rpc')
`)

test.each([
  "createClient('/rpc', { auth: { apiKey: 'key', header: 'X-Api-Key' }, timeoutMs: 1 })",
  "const auth: Auth = { apiKey: 'key', header: 'X-Api-Key' }; createClient('/rpc', { auth })",
  "client.$with({ auth: { apiKey: 'key', header: 'X-Api-Key' } }).invoices.list()",
  "createClient('/rpc', { auth: { apiKey: async () => 'key', header: 'X-Api-Key' } })",
  'client.$with({ auth: undefined })',
  // What is not a scheme is a header.
  "createClient('/rpc', { headers: { Cookie: 'sid=1' } })",
  // Procedures without a scheme may accept anything.
  "createOpen('/rpc', { auth: { bearer: async () => 'token' } })",
  "createOpen('/rpc', { auth: { apiKey: 'key', header: 'X-Other' } })",
  "createOther('/rpc', { auth: { username: 'ada', password: 'word' } })",
])('%s', (body) => {
  expect(errorsOf(body)).toEqual([])
})

describe('other credentials are an error that names the scheme', () => {
  test.each([
    [
      "createClient('/rpc', { auth: { bearer: 'token' } })",
      `Object literal may only specify known properties, and 'bearer' does not exist in type 'ApiKeyAuth<"X-Api-Key">'.`,
    ],
    [
      "createClient('/rpc', { auth: { apiKey: 'key', header: 'X-Key' } })",
      `Type '"X-Key"' is not assignable to type '"X-Api-Key"'.`,
    ],
    [
      "createClient('/rpc', { auth: { apiKey: 'key' } })",
      `Property 'header' is missing in type '{ apiKey: string; }' but required in type 'ApiKeyAuth<"X-Api-Key">'.`,
    ],
    [
      "client.$with({ auth: { username: 'ada', password: 'word' } })",
      `Object literal may only specify known properties, and 'username' does not exist in type 'ApiKeyAuth<"X-Api-Key">'.`,
    ],
  ])('%s', (body, message) => {
    expect(errorsOf(body)).toEqual([message])
  })
})

test.each([
  "createOpen('/rpc', { auth: { bearer: 'token', apiKey: 'key', header: 'X-Api-Key' } })",
  "createOpen('/rpc', { auth: { bearer: 'token', header: 'X-Api-Key' } })",
  "createOpen('/rpc', { auth: { username: 'ada', password: 'word', bearer: 'token' } })",
  "const auth: OpenAuth = { bearer: 'token', apiKey: 'key', header: 'X-Api-Key' }; createOpen('/rpc', { auth })",
  "createOther('/rpc', { auth: { bearer: 'token', apiKey: 'key', header: 'X-Api-Key' } })",
])('credentials of two kinds are an error: %s', (body) => {
  expect(errorsOf(body).length).toBeGreaterThan(0)
})

test('an editor shows the schemes, and who gets credentials where', () => {
  expect(hover('let auth: Auth').docs).toContain(
    '- isMember: a key in the header X-Api-Key. A key of your account page.',
  )
})
