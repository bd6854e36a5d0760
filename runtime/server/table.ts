// The table of procedures that a server makes of what is registered on it and in its namespaces: each with its full name, and what it inherits.
//
//   math.registerProcedure(add); server.registerNamespace(math, 'math')  →  a table with `math.add`, which has the auth of `math`
import { applyAuth, isInherited } from '../call/auth.js'
import { isRules } from '../call/auth-scheme.js'
import { compiledForm, createProcedure, optional, rest, withSettings } from '../call/procedure.js'
import type { Auth, InnerMiddleware, Middleware, Procedure, Signature, Table, UseOptions } from '../call/types.js'
import type { Switches } from '../compatibility/options.js'
import { MULTICALL } from '../description/system-names.js'
import { protocolsOf } from '../protocols.js'
import { any } from '../values/scalar-types.js'
import { type AnyFunction, type RegisterOptions, type RegistryNode, registrationsOf } from './registry.js'

/** A node and all that it contains. */
export function nodesOf(node: RegistryNode, found = new Set<RegistryNode>()): ReadonlySet<RegistryNode> {
  if (found.has(node)) return found
  found.add(node)
  for (const each of registrationsOf(node)) if ('namespace' in each) nodesOf(each.namespace, found)
  return found
}

/** Thrown for a function without a compiled form: the generator has not read it, or the generated module is not loaded yet. */
export class NotCompiledError extends Error {}

interface Named {
  readonly procedure: Procedure
  /** The owner's name in an error. */
  readonly origin: string
}

/**
 * Makes the table of a server, from what is registered and its own procedures.
 *
 * @throws Error where two procedures have one name or one has a reserved name, where a namespace contains itself, and where
 * a function has no compiled form
 */
export function tableOf(node: RegistryNode, system: readonly Procedure[], { ownSystemNames }: Switches): Table {
  const table = new Map<string, Named>()
  for (const named of proceduresIn(node, '', { auth: undefined, middleware: [] }, [])) {
    const { name } = named.procedure
    checkReserved(name, named.origin, ownSystemNames)
    const other = table.get(name)
    if (other) throw new Error(`there are two procedures ${JSON.stringify(name)}: ${both(other.origin, named.origin)}`)
    table.set(name, named)
  }
  const all = [...table.values()].map(({ procedure }) => procedure)
  const middleware = middlewareOf(node)
  const own = system
    .filter(({ name }) => !table.has(name))
    .map((each) => inherit(each, { auth: undefined, middleware }))
  return new Map([...all, ...own].map((each) => [each.name, each]))
}

/** `system.multicall` is part of the protocols, which read its entries. */
function checkReserved(name: string, origin: string, ownSystemNames: boolean): void {
  const prefix = /^(?:rpc|system)\./.exec(name)?.[0]
  if (prefix === undefined) return
  const isSystem = prefix === 'system.' && name !== MULTICALL
  if (isSystem && ownSystemNames) return
  throw new Error(
    `${origin} cannot be called ${JSON.stringify(name)}: names that begin with ${prefix} are reserved` +
      (isSystem ? ', unless compatibility.ownSystemNames is true' : ''),
  )
}

/** Returns the middleware of one level, outermost first. */
export function middlewareOf(node: RegistryNode, after?: UseOptions['after']): readonly Middleware[] {
  return registrationsOf(node).flatMap((each) =>
    'middleware' in each && each.after === after ? [each.middleware] : [],
  )
}

function both(one: string, other: string): string {
  return one === other ? `${one}, twice` : `${one} and ${other}`
}

/** What a procedure inherits from its levels. */
interface Inherited {
  readonly auth: Auth | undefined
  readonly middleware: readonly Middleware[]
  readonly inner?: InnerMiddleware
  /** What has `{ all }`, whose rules another auth inside of it would drop: `the namespace shop`. */
  readonly narrowing?: string | false | undefined
}

const noInner: InnerMiddleware = { auth: [], validation: [] }

function proceduresIn(node: RegistryNode, prefix: string, above: Inherited, path: readonly RegistryNode[]): Named[] {
  if (path.includes(node))
    throw new Error(`namespace cycle: the namespace ${prefix.slice(0, -1) || 'without a name'} contains itself`)
  const namespace = prefix === '' ? 'a namespace without a name' : `the namespace ${prefix.slice(0, -1)}`
  const owner = path.length === 0 ? 'the server' : namespace
  checkKept(node.auth, above, owner)
  const { inner = noInner } = above
  const inherited = {
    auth: applyAuth(node.auth, above.auth, owner),
    middleware: [...above.middleware, ...middlewareOf(node)],
    inner: {
      auth: [...inner.auth, ...middlewareOf(node, 'auth')],
      validation: [...inner.validation, ...middlewareOf(node, 'validation')],
    },
    narrowing: node.auth ? isRules(node.auth) && owner : above.narrowing,
  }
  const generated = Object.values(node.procedures).map((procedure) => {
    return finalize(procedure, prefix + procedure.name, inherited, `the generated procedure ${procedure.name}`)
  })
  const registered = registrationsOf(node).flatMap((each) => {
    if ('middleware' in each) return []
    if ('fn' in each) return [registeredProcedure(each.fn, each.options, prefix, inherited)]
    return proceduresIn(each.namespace, prefixed(prefix, each.name), inherited, [...path, node])
  })
  return [...generated, ...registered]
}

/** @throws TypeError if an auth would drop the rules of `{ all }` around it: who wrote them would not notice */
function checkKept(own: Auth | undefined, { narrowing }: Inherited, owner: string): void {
  if (!narrowing || own === undefined || own === 'public' || isInherited(own)) return
  throw new TypeError(
    `${owner}: its auth drops the rules of { all } of ${narrowing}: write 'inherited' first (@auth inherited), or pass { auth } to registerProcedure`,
  )
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
        'the generated module before view, asyncView or router() is read; or pass { unchecked: true } to registerProcedure',
    )
  }
  if (options.contextTarget !== undefined && !form.context) {
    throw new Error(
      `contextTarget of ${origin} was not compiled: name the parameter with a literal, in the call, where rpc-gen reads it`,
    )
  }
  const own = withSettings(form, {
    ...(options.protocol === undefined ? {} : { protocols: protocolsOf(origin, options.protocol) }),
    ...('auth' in options
      ? { auth: form.auth === undefined ? options.auth : applyAuth(options.auth, form.auth, origin) }
      : {}),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.bodyBytes === undefined ? {} : { bodyBytes: options.bodyBytes }),
  })
  // An auth that is passed here replaces that of the namespace on purpose.
  const narrowing = (!options.auth || isInherited(options.auth)) && inherited.narrowing
  return finalize(own, prefix + (options.name ?? form.name), { ...inherited, narrowing }, origin)
}

/**
 * Names a procedure and adds what it inherits: the nearest level that has an auth decides.
 *
 * @throws TypeError if its own rules would drop those of `{ all }` around it
 */
function finalize(procedure: Procedure, name: string, inherited: Inherited, origin: string): Named {
  checkKept(procedure.auth, inherited, origin)
  const renamed = procedure.name === name ? procedure : withSettings(procedure, { name })
  const auth = applyAuth(procedure.auth, inherited.auth, origin, true)
  return { procedure: inherit(renamed, { ...inherited, auth }), origin }
}

/** Returns the procedure with this auth and middleware; the same object if there is nothing to add. */
function inherit(procedure: Procedure, { auth = procedure.auth, middleware, inner = noInner }: Inherited): Procedure {
  const hasInner = inner.auth.length + inner.validation.length > 0
  if (procedure.auth === auth && middleware.length === 0 && !hasInner) return procedure
  return withSettings(procedure, { auth, ...(middleware.length > 0 && { middleware }), ...(hasInner && { inner }) })
}

/** Makes a procedure of a function that was not compiled: any arguments, by position, any result. */
export function uncheckedProcedure(fn: AnyFunction, options: RegisterOptions): Procedure {
  const { name = fn.name, contextTarget, subscription } = options
  if (name === '') throw new Error('an unchecked function without a name needs one: { unchecked: true, name: … }')
  if (typeof contextTarget === 'string') {
    throw new Error(
      `contextTarget of the unchecked function ${name} is a position: the names of its parameters are not known`,
    )
  }
  return createProcedure(name, fn, {
    signatures: [signatureOf(fn, options)],
    ...(options.params === 'object'
      ? { params: { params: optional(any) }, paramsObject: true }
      : { params: { args: rest(any) } }),
    returns: any,
    ...(subscription && { subscription }),
    ...(contextTarget !== undefined && { context: [contextTarget] }),
  })
}

/** `undef` for the result, unless it is the id of a subscription, and for every parameter that the function names. */
function signatureOf(fn: AnyFunction, { contextTarget, subscription }: RegisterOptions): Signature {
  const named = fn.length - (typeof contextTarget === 'number' && contextTarget < fn.length ? 1 : 0)
  return [subscription ? 'string' : 'undef', ...Array.from({ length: named }, () => 'undef')]
}
