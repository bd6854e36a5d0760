import { expect, test } from 'vitest'
import { type DocType, readTypeText } from '../../generator/docs/index.js'

/** Words with what they are applied to, `unread` as a question mark. */
function written(type: DocType): string {
  if (type.kind === 'unread') return '?'
  if (type.kind === 'either') return `(${type.branches.map(written).join(' | ')})`
  return type.args.length === 0 ? type.word : `${type.word}<${type.args.map(written).join(', ')}>`
}

test.each([
  ['Int', 'Int'],
  ['datetime.iso8601', 'datetime.iso8601'],
  ['int | None', '(int | None)'],
  ['int or None', '(int | None)'],
  ['string[][]', 'array<array<string>>'],
  ['readonly string[]', 'array<string>'],
  ['(string | null)[]', 'array<(string | null)>'],
  ['string | null[]', '(string | array<null>)'],
  ['Array.<Int>', 'Array<Int>'],
  ['list[list[int]]', 'list<list<int>>'],
  ['list(int)', 'list<int>'],
  ['dict[str, int | None]', 'dict<str, (int | None)>'],
  ['Map<string, Order[]>', 'Map<string, array<Order>>'],
  ['Promise<User | null>', '(User | null)'],
  ['Promise<Map<string, Int>>', 'Map<string, Int>'],
  ['Optional[int]', '(int | null)'],
  ['Union[int, str, None]', '(int | str | None)'],
  ['tuple[int, str]', 'tuple<int, str>'],
  ['tuple[int, ...]', 'list<int>'],
  ['?string', '(string | null)'],
  ['!User', 'User'],
  ['string=', '(string | undefined)'],
  ['...number', '(number | array<number>)'],
  ['Array<{ id: number, of: string[] }>', 'Array<?>'],
  ['{ id: number }', '?'],
  ["'a' | 'b'", '(? | ?)'],
  ['(a: string) => void', '?'],
  ['(int, str)', '?'],
  ['(a) | (b)', '(a | b)'],
  ['(a)(b)', '?'],
  ['A<B>.C<D>', '?'],
  ['list[int', '?'],
  ['int]', '?'],
  ['list of int', '?'],
  ['int, optional', '?'],
  ['', '?'],
])('%s', (text, expected) => {
  expect(written(readTypeText(text))).toBe(expected)
})
