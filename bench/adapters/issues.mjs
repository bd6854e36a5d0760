// All that is wrong with an invalid value of `order`: `one issue`, or `forty issues` in its list. The result is how many were found.
import { order } from '../work/values.mjs'

const invalid = {
  'one issue': { ...order, id: '4711' },
  'forty issues': { ...order, items: order.items.map(() => ({ sku: 1, title: 2, quantity: '3', price: '4' })) },
}

export function prepare({ issues }, item) {
  const values = Array.from({ length: 8 }, () => structuredClone(invalid[item]))
  const find = issues?.('order')
  return find && ((i) => find(values[i & 7]))
}
