/** What is done when a member is called: `user.create` and the arguments. */
export type Act = (name: string, args: readonly unknown[]) => unknown

/**
 * An object on which every name is a remote procedure, and a member of it a dotted name: `members.user.create(…)`.
 * `own` are the members that it has itself. A member is made once and stays the same.
 *
 * No procedure is `then`, or a promise that answers the object would call it; nor `toJSON` and what every object has;
 * nor, on the object itself, what begins with `$`.
 */
export function remoteMembers(act: Act, own: object = {}, prefix = ''): unknown {
  // biome-ignore lint/suspicious/noThenProperty: there is none, on purpose
  const known: Record<string | symbol, unknown> = { then: undefined, toJSON: undefined, ...own }
  const call = (...args: unknown[]) => act(prefix.slice(0, -1), args)
  return new Proxy(prefix ? call : {}, {
    get(_, name) {
      const isOwn = typeof name === 'symbol' || name in known || (!prefix && name.startsWith('$'))
      if (!isOwn) known[name] = remoteMembers(act, {}, `${prefix}${name}.`)
      return known[name]
    },
  })
}
