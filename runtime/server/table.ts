import { compiledForm } from '../call/procedure.js'
import type { Auth, Middleware, Procedure, Table } from '../call/types.js'
import { protocolsOf } from '../protocol.js'
import { authIn } from './auth.js'
import type { AnyFunction, Level, RegisterOptions } from './registration.js'
import { uncheckedProcedure } from './unchecked.js'

/** A level and all that it contains. */
export function levelsOf(level: Level, found = new Set<Level>()): ReadonlySet<Level> {
  if (found.has(level)) return found
  found.add(level)
  for (const each of level.registrations) if ('namespace' in each) levelsOf(each.namespace, found)
  return found
}

/** A function has no compiled form: there is none, or the generated module has not been loaded yet. */
export class NotCompiledError extends Error {}

interface Named {
  readonly procedure: Procedure
  /** What it is called in an error. */
  readonly origin: string
}

/**
 * Makes the table of a server.
 *
 * @throws Error where two procedures have one name or one has a reserved name, where a namespace contains itself, and where
 * a function has no compiled form
 */
export function tableOf(level: Level, system: readonly Procedure[]): Table {
  const table = new Map<string, Named>()
  for (const named of proceduresOf(level, '', { auth: undefined, middleware: [] }, [])) {
    const { name } = named.procedure
    const other = table.get(name)
    if (other) throw new Error(`there are two procedures ${JSON.stringify(name)}: ${both(other.origin, named.origin)}`)
    table.set(name, named)
  }
  const all = [...table.values()].map(({ procedure }) => procedure)
  const middleware = middlewareOf(level)
  const own = system.map((each) => inherit(each, { auth: undefined, middleware }))
  return new Map([...all, ...own].map((each) => [each.name, each]))
}

/** Returns the middleware of one level, outermost first. */
export function middlewareOf({ registrations }: Level): readonly Middleware[] {
  return registrations.flatMap((each) => ('middleware' in each ? [each.middleware] : []))
}

function both(one: string, other: string): string {
  return one === other ? `${one}, twice` : `${one} and ${other}`
}

/** What a procedure inherits from its levels. */
interface Inherited {
  readonly auth: Auth | undefined
  readonly middleware: readonly Middleware[]
}

function proceduresOf(level: Level, prefix: string, above: Inherited, path: readonly Level[]): Named[] {
  if (path.includes(level))
    throw new Error(`namespace cycle: the namespace ${prefix.slice(0, -1) || 'without a name'} contains itself`)
  const inherited = { auth: level.auth ?? above.auth, middleware: [...above.middleware, ...middlewareOf(level)] }
  const generated = Object.values(level.procedures).map((procedure) => {
    return named(procedure, prefix + procedure.name, inherited, `the generated procedure ${procedure.name}`)
  })
  const registered = level.registrations.flatMap((each) => {
    if ('middleware' in each) return []
    if ('fn' in each) return [registeredProcedure(each.fn, each.options, prefix, inherited)]
    return proceduresOf(each.namespace, prefixed(prefix, each.name), inherited, [...path, level])
  })
  return [...generated, ...registered]
}

function prefixed(prefix: string, name: string | undefined): string {
  return name === undefined || name === '' ? prefix : `${prefix}${name}.`
}

function registeredProcedure(fn: AnyFunction, options: RegisterOptions, prefix: string, inherited: Inherited): Named {
  const origin = `function ${fn.name || 'without a name'}${prefix === '' ? '' : ` in the namespace ${prefix.slice(0, -1)}`}`
  const form = options.unchecked ? uncheckedProcedure(fn, options) : compiledForm(fn)
  if (!form) {
    throw new NotCompiledError(
      `${origin} has no compiled form: export it, mark it @rpc or register it in a file that rpc-gen reads, and import ` +
        'the generated module before view, asyncView or router() is read; or register it with { unchecked: true }',
    )
  }
  if (options.contextTarget !== undefined && !form.context) {
    throw new Error(
      `contextTarget of ${origin} was not compiled: name the parameter with a literal, in the call, where rpc-gen reads it`,
    )
  }
  const own = {
    ...form,
    ...(options.protocol === undefined ? {} : { protocols: protocolsOf(options.protocol) }),
    ...('auth' in options ? { auth: options.auth } : {}),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.bodyBytes === undefined ? {} : { bodyBytes: options.bodyBytes }),
  }
  return named(own, prefix + (options.name ?? form.name), inherited, origin)
}

/** The nearest level that says something about auth wins. */
function named(procedure: Procedure, name: string, inherited: Inherited, origin: string): Named {
  if (/^(?:rpc|system)\./.test(name)) {
    throw new Error(`${origin} cannot be called ${JSON.stringify(name)}: such names are the server's own`)
  }
  const renamed = procedure.name === name ? procedure : { ...procedure, name }
  const auth = authIn(procedure, origin) ?? inherited.auth
  return { procedure: inherit(renamed, { ...inherited, auth }), origin }
}

/** Returns the procedure with this auth and middleware; the same object if there is nothing to add. */
function inherit(procedure: Procedure, { auth = procedure.auth, middleware }: Inherited): Procedure {
  if (procedure.auth === auth && middleware.length === 0) return procedure
  return { ...procedure, ...(auth !== undefined && { auth }), ...(middleware.length > 0 && { middleware }) }
}
