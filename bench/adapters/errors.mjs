// Text to text, messages that fail: an item is `COLUMN/ROW` of work/errors.mjs.
import { columns } from '../work/errors.mjs'

export function prepare({ respond }, item) {
  const [column, row] = item.split('/')
  const [text] = columns[column][row]
  return () => respond(text)
}
