import type { Manifest, Procedure } from '../call/manifest.js'
import { compiledForm } from '../call/procedure.js'
import { protocolsOf } from '../protocol.js'
import { type Auth, authIn } from './auth.js'
import type { AnyFunction, RegisterOptions, Registration } from './registration.js'
import { uncheckedProcedure } from './unchecked.js'

/** Every procedure by its full name, with the auth that holds for it. */
export type Table = ReadonlyMap<string, Procedure>

/** What a level has: the generated procedures, then what was registered, in order. */
export interface Level {
  readonly auth?: Auth | undefined
  readonly procedures: Manifest
  readonly registrations: readonly Registration[]
}

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
  for (const named of proceduresOf(level, '', undefined, [])) {
    const { name } = named.procedure
    const other = table.get(name)
    if (other) throw new Error(`there are two procedures ${JSON.stringify(name)}: ${both(other.origin, named.origin)}`)
    table.set(name, named)
  }
  const all = [...table.values()].map(({ procedure }) => procedure)
  return new Map([...all, ...system].map((each) => [each.name, each]))
}

function both(one: string, other: string): string {
  return one === other ? `${one}, twice` : `${one} and ${other}`
}

function proceduresOf(level: Level, prefix: string, above: Auth | undefined, path: readonly Level[]): Named[] {
  if (path.includes(level))
    throw new Error(`namespace cycle: the namespace ${prefix.slice(0, -1) || 'without a name'} contains itself`)
  const auth = level.auth ?? above
  const generated = Object.values(level.procedures).map((procedure) => {
    return named(procedure, prefix + procedure.name, auth, `the generated procedure ${procedure.name}`)
  })
  const registered = level.registrations.flatMap((each) => {
    if ('fn' in each) return [registeredProcedure(each.fn, each.options, prefix, auth)]
    return proceduresOf(each.namespace, prefixed(prefix, each.name), auth, [...path, level])
  })
  return [...generated, ...registered]
}

function prefixed(prefix: string, name: string | undefined): string {
  return name === undefined || name === '' ? prefix : `${prefix}${name}.`
}

function registeredProcedure(fn: AnyFunction, options: RegisterOptions, prefix: string, auth: Auth | undefined): Named {
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
  return named(own, prefix + (options.name ?? form.name), auth, origin)
}

/** The nearest level that says something about auth wins. */
function named(procedure: Procedure, name: string, auth: Auth | undefined, origin: string): Named {
  if (/^(?:rpc|system)\./.test(name)) {
    throw new Error(`${origin} cannot be called ${JSON.stringify(name)}: such names are the server's own`)
  }
  const renamed = procedure.name === name ? procedure : { ...procedure, name }
  return { procedure: withAuth(renamed, authIn(procedure, origin) ?? auth), origin }
}

/** A copy of a procedure with this auth, where there is one. */
export function withAuth(procedure: Procedure, auth: Auth | undefined): Procedure {
  return auth === undefined || procedure.auth === auth ? procedure : { ...procedure, auth }
}
