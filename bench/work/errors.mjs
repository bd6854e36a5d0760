// Messages that fail, by what they are compared with: the valid call of the same size.
import { order } from './values.mjs'

const call = (method, params) => JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
const list = (of) => [Array.from({ length: 50 }, of)]

/** Columns of texts by row; the first is valid. Each has the code that its response must have. */
export const columns = {
  add: {
    valid: [call('add', [20, 22])],
    'unknown method': [call('adx', [20, 22]), -32601],
    'invalid params, one issue': [call('add', [20, 'a2']), -32602],
    'parse error': [call('add', [20, 22]).slice(0, -1), -32700],
    'thrown RpcError': [call('fails', [20, 22]), 404],
  },
  '12 members': {
    valid: [call('order', [order])],
    'unknown method': [call('ordex', [order]), -32601],
    'invalid params, one issue': [call('order', [{ ...order, id: '4711' }]), -32602],
    'parse error': [call('order', [order]).slice(0, -1), -32700],
  },
  '50 integers': {
    valid: [
      call(
        'integers',
        list((_, i) => 100 + i),
      ),
    ],
    'unknown method': [
      call(
        'integerx',
        list((_, i) => 100 + i),
      ),
      -32601,
    ],
    'invalid params, fifty issues': [
      call(
        'integers',
        list(() => 'x'),
      ),
      -32602,
    ],
    'parse error': [
      call(
        'integers',
        list((_, i) => 100 + i),
      ).slice(0, -1),
      -32700,
    ],
  },
}

/** Throws unless a response has the code of its row. */
export function expectCode(text, column, row) {
  const [, code] = columns[column][row]
  const found = JSON.parse(text).error?.code
  if (found !== code) throw new Error(`${row}, ${column}: the code is ${found}, not ${code}`)
}
