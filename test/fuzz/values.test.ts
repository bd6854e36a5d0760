import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appOf } from '../support/requests.js'
import { any, bigint, bytes, date, double, int, name, optional, struct, text } from './arbitraries.js'
import { expectSame, inJson, inXml, xmlBack } from './forms.js'
import { check, timeout } from './runs.js'

const app = appOf()

const procedures: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'echo.int': int,
  'echo.double': double,
  'echo.number': double,
  'echo.bigint': bigint,
  'echo.string': text,
  'echo.boolean': fc.boolean(),
  'echo.date': date,
  'echo.bytes': bytes,
  'echo.null': fc.constant(null),
  'echo.array': fc.array(int),
  'echo.tuple': fc.oneof(fc.tuple(text, int), fc.tuple(text, int, date)),
  'echo.struct': fc.record({ name: text, age: int, nickname: optional(text), born: optional(date) }),
  'echo.record': struct(double),
  'echo.map': fc.array(fc.tuple(name, date)).map((entries) => new Map(entries)),
  'echo.set': fc.array(text).map((list) => new Set(list)),
  'echo.literal': fc.constantFrom('on', 'off', 0),
  'echo.union': fc.oneof(
    fc.record({ kind: fc.constant('circle'), radius: double }),
    fc.record({ kind: fc.constant('square'), side: int, drawn: optional(date) }),
  ),
  'echo.any': any,
  later: text,
}

test.each(Object.entries(procedures))(
  '%s returns its argument, over both protocols',
  { timeout },
  async (method, values) => {
    await check(
      100,
      fc.asyncProperty(values, async (value) => {
        await expectSame(app, method, value)
      }),
    )
  },
)

test('a bigint of any size, over JSON', { timeout }, async () => {
  const values = fc.bigInt({ min: -(10n ** 200n), max: 10n ** 200n })
  await check(
    100,
    fc.asyncProperty(values, async (value) => {
      expect(await inJson(app, 'echo.bigint', `${value}`)).toBe(String(value))
      expect(await inJson(app, 'echo.bigint', `"${value}"`)).toBe(String(value))
    }),
  )
})

test('a date with any UTC offset', { timeout }, async () => {
  const dates = fc.date({
    min: new Date('0001-01-03T00:00:00Z'),
    max: new Date('9999-12-29T00:00:00Z'),
    noInvalidDate: true,
  })
  const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  await check(
    200,
    fc.asyncProperty(dates, minutes, async (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
      const digits = (value: number) => String(value).padStart(2, '0')
      const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(digits)
      const zone = `${offset < 0 ? '-' : '+'}${hours}:${rest}`
      expect(await inJson(app, 'echo.date', `"${local}${zone}"`)).toBe(date.toISOString())
      const element = `<dateTime.iso8601>${local.replaceAll('-', '')}${zone}</dateTime.iso8601>`
      expect(await inXml(app, 'echo.date', `<value>${element}</value>`)).toEqual(xmlBack(date))
    }),
  )
})
