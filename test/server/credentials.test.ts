import { constantTimeEqual, extractBasicAuth, extractBearerToken } from 'rpc-gen'
import { describe, expect, test } from 'vitest'

function requestWith(authorization?: string): Request {
  return new Request('http://localhost/', authorization === undefined ? {} : { headers: { authorization } })
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('extractBasicAuth', () => {
  test.each([
    [basic('ada:lovelace'), { username: 'ada', password: 'lovelace' }],
    [basic('ada:love:lace'), { username: 'ada', password: 'love:lace' }],
    [basic(':'), { username: '', password: '' }],
    [basic('zoë:naïve'), { username: 'zoë', password: 'naïve' }],
    [basic('ada:x').replace('Basic', 'bAsIc'), { username: 'ada', password: 'x' }],
    [basic('no colon'), undefined],
    ['Basic !!!', undefined],
    ['Basic', undefined],
    [`Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}`, undefined],
    ['Bearer token', undefined],
    [undefined, undefined],
  ])('%s', (header, credentials) => {
    expect(extractBasicAuth(requestWith(header))).toEqual(credentials)
  })
})

describe('extractBearerToken', () => {
  test.each([
    ['Bearer abc.DEF-1_2~3+/=', 'abc.DEF-1_2~3+/='],
    ['bearer abc', 'abc'],
    ['Bearer a b', undefined],
    ['Bearer', undefined],
    [basic('ada:x'), undefined],
    [undefined, undefined],
  ])('%s', (header, token) => {
    expect(extractBearerToken(requestWith(header))).toBe(token)
  })
})

describe('constantTimeEqual', () => {
  test.each([
    ['secret', 'secret', true],
    ['secret', 'secreT', false],
    ['secret', 'secret ', false],
    ['', 'x', false],
    ['é', 'é', true],
  ])('%j and %j', async (one, other, equal) => {
    expect(await constantTimeEqual(one, other)).toBe(equal)
  })

  test.each([['secret', true], ...[undefined, null, ''].map((each): [typeof each, boolean] => [each, false])])(
    'a received value of %j is not an error if a secret is configured',
    async (received, equal) => {
      expect(await constantTimeEqual(received, 'secret')).toBe(equal)
    },
  )

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['', 'empty'],
    [7 as never, 'number'],
  ])('a secret that is %j throws, whatever was received', async (secret, found) => {
    for (const received of [undefined, null, '', 'secret', secret]) {
      await expect(constantTimeEqual(received, secret)).rejects.toThrow(
        `constantTimeEqual: the secret is ${found}, expected a string with characters: is it configured?`,
      )
    }
  })

  test.each([undefined, null, ''])('arguments in the wrong order with %j are never equal', async (missing) => {
    for (const received of [undefined, null, '', 'secret']) {
      expect(await constantTimeEqual(missing, received).catch(() => false)).toBe(false)
    }
  })
})
