import { RpcInvalidRequest } from '../error.js'

/** What was described in each message. */
const describedIn = /* @__PURE__ */ new WeakMap<object, Set<string>>()

/**
 * Rejects what a message asks for twice: a short call has a long description as its result, and a message has many calls.
 *
 * @param message the object that its calls share, such as their scope
 * @param what the name of the method, and of what it describes
 * @throws RpcInvalidRequest
 */
export function checkRepeated(message: object, what: string): void {
  const described = describedIn.get(message) ?? new Set()
  describedIn.set(message, described)
  if (described.has(what)) throw new RpcInvalidRequest(`Invalid Request: ${what} is called more than once in a message`)
  described.add(what)
}
