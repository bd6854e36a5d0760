/** Called when a member is called: with `user.create` and the arguments. */
export type Act = (name: string, args: readonly unknown[]) => unknown

/**
 * An object on which every name is a remote procedure, and a member of it a dotted name: `members.user.create(…)`.
 * `own` are the members of the object itself. A member is made once and does not change.
 *
 * Not procedures are: `then`, or a promise that resolves to the object would call it; `toJSON` and the members of every object;
 * on the client, names that begin with `$` without a slash after it; on a member, `apply`, `bind` and `call`.
 */
export function remoteMembers(act: Act, own?: object, prefix = ''): unknown {
  const member = (...args: unknown[]) => act(prefix.slice(0, -1), args)
  const { apply, bind, call } = member
  const known: Record<string | symbol, unknown> = {
    // biome-ignore lint/suspicious/noThenProperty: there is none, on purpose
    then: undefined,
    toJSON: undefined,
    ...(prefix ? { apply, bind, call } : own),
  }
  return new Proxy(prefix ? member : {}, {
    get(_, name) {
      const isOwn = typeof name === 'symbol' || name in known || /^\$(?!\/)/.test(prefix + name)
      if (!isOwn) known[name] = remoteMembers(act, own, `${prefix}${name}.`)
      return known[name]
    },
  })
}
