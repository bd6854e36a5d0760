import { Hono } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import { ErrorCode, RpcNamespace, RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import type { DocsSource } from '../../runtime/page/index.js'
import { attack, hostile } from './hostile.js'
import { apiOf } from './many.js'
import { serveAt } from './serve-at.js'

const source: DocsSource = {
  description: {
    procedures: [
      {
        name: 'user.create',
        description: 'Makes a user.',
        params: [{ name: 'name', type: { kind: 'string' } }],
        returns: { type: { kind: 'int' } },
        signatures: [['int', 'string']],
      },
    ],
    types: [],
  },
  info: { title: 'Users', version: '1.2.3' },
  protocols: ['json-rpc', 'xml-rpc'],
  endpoint: undefined,
  openrpc: '?asset=openrpc.json',
}

function appOf(given: DocsSource = source): Hono {
  return new Hono().get('/rpc', (c) => serveAt(c, given))
}

async function textOf(given: DocsSource, url = '/rpc'): Promise<string> {
  const response = await appOf(given).request(url)
  expect(response.status).toBe(200)
  return response.text()
}

const nonceIn = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? ''

test('shows defaults, deprecations, and the names of the values of an enum', async () => {
  const level = {
    name: 'Level',
    doc: 'How much.',
    type: { kind: 'union', branches: [0, 1].map((value) => ({ kind: 'literal', value }) as const) },
    constants: [
      { name: 'None', value: 0, doc: 'Nothing at all' },
      { name: 'All', value: 1, deprecated: true, deprecation: 'use None' },
    ],
  } as const
  const item = {
    name: 'Item',
    type: {
      kind: 'struct',
      members: [
        { name: 'code', type: { kind: 'string' }, optional: true, deprecated: true },
        { name: 'limit', type: { kind: 'int' }, optional: true, default: 20 },
      ],
    },
  } as const
  const params = [
    { name: 'level', type: { kind: 'ref', name: 'Level' }, optional: true, default: 1 },
    { name: 'old', type: { kind: 'ref', name: 'Item' }, doc: 'Not this.', deprecated: true, deprecation: 'use level' },
  ] as const
  const procedures = source.description.procedures.map((each) => ({ ...each, params }))
  const text = await textOf({ ...source, description: { procedures, types: [level, item] } })
  const shown = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
  for (const words of [
    'level Level optional, default 1',
    'old Item Not this. Deprecated: use level',
    'How much. One of: None 0 Nothing at all All 1 Deprecated: use None',
    'code string optional Deprecated. limit Int optional, default 20',
  ])
    expect(shown).toContain(words)
  expect(text).toContain('"constants":[{"name":"None","value":0')
})

describe('the page', () => {
  test('has a policy that allows its own script and style only', async () => {
    const { headers } = await appOf().request('/rpc')
    const policy = headers.get('content-security-policy')
    const nonce = nonceIn(policy)
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      'img-src data:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
    })
  })

  test('has a new nonce in every response, and in both of its elements', async () => {
    const app = appOf()
    const responses = await Promise.all([app.request('/rpc'), app.request('/rpc')])
    const nonces = responses.map(({ headers }) => nonceIn(headers.get('content-security-policy')))
    const texts = await Promise.all(responses.map((each) => each.text()))
    expect(nonces[0]).not.toBe(nonces[1])
    for (const [index, text] of texts.entries()) expect(text.split(`nonce="${nonces[index]}"`).length).toBe(3)
    expect(texts[0]?.replaceAll(String(nonces[0]), '')).toBe(texts[1]?.replaceAll(String(nonces[1]), ''))
  })

  test('has no style attribute, no handler and no inline script or style', async () => {
    const text = await textOf(source)
    expect(text).not.toMatch(/<[^>]+\s(?:style|on\w+)=/i)
    expect(text).not.toContain('<style')
    expect(text.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script src="\?asset=script-[\da-f]{12}\.js" nonce="[^"]+">$/),
      '<script type="application/json" id="rpc.docs.data">',
    ])
  })

  test('responds to HEAD like GET, without a body', async () => {
    const response = await appOf().request('/rpc', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each([
    [undefined, "'self'"],
    ['/rpc', "'self'"],
    ['rpc', "'self'"],
    ['https://api.example.com/rpc', 'https://api.example.com'],
    ['//api.example.com/rpc', 'api.example.com'],
  ])('with the endpoint %s its policy allows calls of %s', async (endpoint, allowed) => {
    const { headers } = await appOf({ ...source, endpoint }).request('/rpc')
    expect(headers.get('content-security-policy')).toContain(`connect-src ${allowed};`)
  })

  test.each([
    [undefined, undefined, "'self'"],
    ['/rpc', '/socket', "'self'"],
    ['https://api.example.com/rpc', undefined, 'https://api.example.com'],
    ['https://api.example.com/rpc', 'https://api.example.com/rpc', 'https://api.example.com wss://api.example.com'],
    ['http://api.example.com/rpc', 'http://api.example.com/rpc', 'http://api.example.com ws://api.example.com'],
    ['//api.example.com/rpc', '//api.example.com/rpc', 'api.example.com ws://api.example.com'],
    ['/rpc', 'wss://live.example.com/', "'self' wss://live.example.com"],
  ])('of an API with a subscription: the endpoint %s, the WebSocket %s', async (endpoint, webSocket, allowed) => {
    const [procedure] = source.description.procedures
    if (!procedure) throw new Error('there is one')
    const description = { types: [], procedures: [{ ...procedure, subscription: true }] }
    const { headers } = await appOf({ ...source, description, endpoint, webSocket }).request('/rpc')
    expect(headers.get('content-security-policy')).toContain(`connect-src ${allowed};`)
  })

  test("uses the nonce of Hono's secure-headers and leaves the policy to them", async () => {
    const contentSecurityPolicy = { scriptSrc: [NONCE], styleSrc: [NONCE], connectSrc: ["'self'"] }
    const app = new Hono().use(secureHeaders({ contentSecurityPolicy })).route('/', appOf())
    const response = await app.request('/rpc')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toMatch(/^script-src 'nonce-[^']+'; style-src 'nonce-[^']+'; connect-src 'self'$/)
    expect((await response.text()).split(`nonce="${nonceIn(policy)}"`).length).toBe(3)
  })

  test.each([
    ['http://localhost/rpc', undefined, 'http://localhost/rpc'],
    ['http://localhost/rpc?x=1', undefined, 'http://localhost/rpc'],
    ['http://localhost/docs/', '/rpc', 'http://localhost/rpc'],
    ['http://localhost/docs/', '../rpc?a=1&b=2', 'http://localhost/rpc?a=1&amp;b=2'],
    ["http://localhost/it's$(id)", undefined, 'http://localhost/it%27s%24%28id%29'],
    ['http://localhost/docs', 'https://api.example.com/rpc', 'https://api.example.com/rpc'],
  ])('at %s, with the endpoint %s, its code calls %s', async (url, endpoint, called) => {
    const app = new Hono().get('*', (c) => serveAt(c, { ...source, endpoint }))
    const text = await (await app.request(url)).text()
    expect(text).toContain(`<code>curl &#39;${called}&#39;`)
  })
})

test('of 200 procedures is less than 1 MB', async () => {
  expect((await textOf(apiOf(200))).length).toBeLessThan(1_000_000)
})

describe('the assets', () => {
  test.each([
    ['script', 'js', 'text/javascript; charset=utf-8'],
    ['style', 'css', 'text/css; charset=utf-8'],
  ])('the %s has a hash in its path and is immutable', async (name, extension, type) => {
    const app = appOf()
    const page = await (await app.request('/rpc')).text()
    const path = new RegExp(`"(\\?asset=${name}-[\\da-f]{12}\\.${extension})"`).exec(page)?.[1]
    const response = await app.request(`/rpc${path}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each(['', 'script.js', 'script-000000000000.js', 'constructor', '<b>'])(
    'other paths are 404: %j',
    async (name) => {
      const response = await appOf().request(`/rpc?asset=${encodeURIComponent(name)}`)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(response.headers.get('cache-control')).toBe(null)
    },
  )
})

describe('malicious texts', () => {
  test('create no element and end no script', async () => {
    const text = await textOf(hostile)
    expect(text).not.toMatch(/<img|<script>|alert\(1\)<\/script>/)
    expect(text.replace(/="[^"]*"/g, '=')).not.toMatch(/<[^>]+\son\w+=/)
    expect(text).not.toMatch(/href="(?!#|\?|data:image\/svg\+xml,|https:\/\/example\.com\/)/)
    expect(text.match(/<script/g)?.length).toBe(2)
    expect(text.match(/<\/script>/g)?.length).toBe(2)
    expect(text).toContain('alert(2)')
  })

  test('reach the script unchanged', async () => {
    const text = await textOf(hostile)
    const json = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(text)?.[1] ?? ''
    const data = JSON.parse(json)
    expect(data.procedures[0].name).toBe(attack)
    expect(data.types[0].type.members[0].type.branches[0].value).toBe(attack)
  })

  test('cannot reverse the direction of code', async () => {
    const text = await textOf(hostile)
    const panes = text.match(/<pre tabindex[\s\S]*?<\/pre>/g) ?? []
    expect(panes.length).toBe(1)
    expect(panes.join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })
})

test('a procedure with auth is marked, by whatever level it has it', async () => {
  const isStaff = () => false
  const namespace = new RpcNamespace({ auth: isStaff })
  for (const [fn, options] of [
    [function inherited() {}, {}],
    [function open() {}, { auth: 'public' }],
    [function own() {}, { auth: [isStaff] }],
  ] as const) {
    namespace.registerProcedure(fn, { ...options, unchecked: true })
  }
  const server = new RpcServer({ docs: true }).registerNamespace(namespace, 'staff')
  server.registerProcedure(function free() {}, { unchecked: true })
  const text = await (await server.router().request('/', { headers: { Accept: 'text/html' } })).text()
  const marked = text.split('<article').filter((each) => each.includes('>Requires isStaff</li>'))
  expect(marked.map((each) => / id="([^"]*)"/.exec(each)?.[1])).toEqual(['staff.inherited', 'staff.own'])
})

describe('a procedure that is deprecated', () => {
  const [one] = source.description.procedures
  const shown = (more: object) =>
    textOf({ ...source, description: { types: [], procedures: one ? [{ ...one, ...more }] : [] } })

  test('shows what to call instead, beside the mark and as a title in the index', async () => {
    const text = await shown({ deprecated: true, deprecation: 'Call `user.add` "now"' })
    expect(text).toContain(
      '<li class="warn">Deprecated</li><li class="prose instead"><p>Call <code>user.add</code> &quot;now&quot;</p></li>',
    )
    expect(text).toContain('<a href="#user.create" class="old" title="Call `user.add` &quot;now&quot;">')
  })

  test('shows nothing if its docs do not specify it', async () => {
    const text = await shown({ deprecated: true })
    expect(text).toContain('<ul class="badges"><li class="warn">Deprecated</li></ul>')
    expect(text).toContain('<li><a href="#user.create" class="old"><bdi>')
  })
})

describe('without JavaScript', () => {
  test('contains every procedure and type', async () => {
    const text = await textOf(source)
    for (const part of ['user.create', 'Makes a user.', '<h4>Parameters</h4>', '<h4>Result</h4>', 'int(string)']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('<article class="procedure" id="user.create" aria-label="user.create">')
    expect(text).toContain('<a href="#user.create">')
    const codes = Array.from(text.matchAll(/<code class="code-number">(-?\d+)</g), ([, code]) => Number(code))
    expect(codes.sort()).toEqual(Object.values(ErrorCode).sort())
    // A name is of use on what has a role only.
    expect(text.match(/<pre(?![^>]* role=)[^>]* aria-label=/)).toBe(null)
    expect(text).toContain('<a href="?asset=openrpc.json">OpenRPC document</a>')
  })
})
