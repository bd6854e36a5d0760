import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dateField } from '../../runtime/page/browser/scalars.js'

const zone = process.env['TZ']

beforeAll(() => {
  process.env['TZ'] = 'Asia/Tokyo'
  const createElement = () => ({ value: '', setAttribute() {}, addEventListener() {}, append() {} })
  vi.stubGlobal('document', { createElement })
})

afterAll(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
  vi.unstubAllGlobals()
})

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
  ['2026-01-31T12:00:00.500+09:00', '2026-01-31T03:00:00.500Z'],
  // As the server reads it, whatever the zone of the reader.
  ['2026-01-31T12:00', '2026-01-31T12:00:00Z'],
  ['soon', ''],
])('the field of a date shows %s as %s', (text, shown) => {
  const field = dateField({ kind: 'date' }, { label: 'from', types: new Map(), inside: [] })
  field.write(text)
  expect(field.read()).toBe(shown)
})
