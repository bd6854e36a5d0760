// Text to text, without HTTP and its objects.
import { items, jsonRpcRequest } from '../work/calls.mjs'

export function prepare({ respond }, name) {
  const { body } = jsonRpcRequest(items[name])
  return respond && (() => respond(body))
}
