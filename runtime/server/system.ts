// The procedures that every server has: system.listMethods, system.methodHelp, system.methodSignature, system.multicall and rpc.discover. They
// are procedures like any other, with types that are written by hand.
//
//   system.methodSignature("add")  →  [["int", "int", "int"]]
import type { CallContext } from '../call/context.js'
import { isCallable } from '../call/dispatch.js'
import type { Awaitable } from '../call/maybe-async.js'
import { createProcedure, type InternalSpec, rest, withSettings } from '../call/procedure.js'
import { checkRepeated, type RequestScope } from '../call/scope.js'
import type { Auth, Procedure, RpcContext } from '../call/types.js'
import type { Switches } from '../compatibility/options.js'
import type { ApiInfo, OpenRpc } from '../description/openrpc.js'
import { DISCOVER, MULTICALL } from '../description/system-names.js'
import { RpcInternalError, RpcInvalidParams, RpcInvalidRequest, RpcMethodNotFound } from '../error.js'
import { encodeOnce } from '../jsonrpc/codec.js'
import type { SystemProcedures } from '../types/typed-call.js'
import { define } from '../values/definition.js'
import { describeReceived, quoteName } from '../values/describe.js'
import { isVoid } from '../values/inner-types.js'
import type { ValidationIssue } from '../values/issue.js'
import { any, string } from '../values/scalar-types.js'
import { array } from '../values/struct-types.js'
import type { Definition, Wire } from '../values/wire.js'

/** What makes a procedure with the type that `server.call` knows it by. */
interface SystemProcedure<Name extends keyof SystemProcedures> {
  /** Its last parameter is the context. */
  readonly fn: (
    ...args: [...Parameters<SystemProcedures[Name]>, context: RpcContext]
  ) => Awaitable<ReturnType<SystemProcedures[Name]>>
  readonly spec: InternalSpec & {
    readonly returns: readonly [type: Definition<ReturnType<SystemProcedures[Name]>>, doc: string]
  }
}

/** The result of `system.multicall`: the pipeline replaces it by those of the entries. */
const multicallResult: Definition = define(
  () => null,
  () => ({ kind: 'any' }),
)

/** An OpenRPC document, which never changes: it is encoded once. */
const openRpcDocument: Definition = define(
  (document: OpenRpc, wire: Wire) => (wire.encodes ? encodeOnce(document) : document),
  () => ({ kind: 'any' }),
)

const nameParam = { name: [string, 'The name of a method'] } as const

const listMethodsProcedure: SystemProcedure<'system.listMethods'> = {
  fn: (context) => {
    checkRepeated(scopeOf(context), context.method)
    return listMethods(scopeOf(context))
  },
  spec: {
    doc: 'Lists the methods that can be called.',
    returns: [array(string), 'Their names'],
    signatures: [['array']],
    context: [0],
  },
}

/** The introspection of the xmlrpc-c addendum, in this order. */
const introspection: { readonly [Name in Exclude<keyof SystemProcedures, typeof DISCOVER>]: SystemProcedure<Name> } = {
  'system.listMethods': listMethodsProcedure,
  'system.methodHelp': {
    fn: (name, context) => findOnce(name, context).help,
    spec: {
      doc: 'Describes a method.',
      params: nameParam,
      returns: [string, 'Its help text, empty where it has none'],
      context: [1],
    },
  },
  'system.methodSignature': {
    fn: (name, context) => signaturesFor(findOnce(name, context), scopeOf(context)),
    spec: {
      doc: 'Lists the signatures of a method.',
      params: nameParam,
      returns: [array(array(string)), 'Lists of type names, the result first'],
      context: [1],
    },
  },
}

/** The introspection and `system.multicall`: ordinary procedures. `server.call` does not know a multicall. */
const systemProcedures: readonly Procedure[] = [
  ...Object.entries(introspection).map(([name, { fn, spec }]) => createProcedure(name, fn, spec)),
  createProcedure(
    MULTICALL,
    (calls: readonly unknown[], context: RpcContext) => checkMulticall(calls, scopeOf(context)),
    {
      doc: 'Runs several calls in one.',
      params: { calls: [array(any), 'Structs with methodName and params'] },
      returns: [multicallResult, 'For each an array with its result, or a fault'],
      signatures: [['array', 'array']],
      protocols: ['xml-rpc'],
      context: [1],
      noLimits: true,
    },
  ),
]

/** `system.listMethods` for clients that send parameters which it does not have. */
const listMethodsWithParams = createProcedure('system.listMethods', listMethodsProcedure.fn, {
  ...listMethodsProcedure.spec,
  params: { ignored: [rest(any), 'Not used'] },
})

/** The `rpc.discover` of OpenRPC. */
function discoverProcedure(info: ApiInfo): Procedure {
  const { fn, spec }: SystemProcedure<typeof DISCOVER> = {
    fn: async (context) => {
      checkRepeated(scopeOf(context), context.method)
      const { discover } = await import('../call/discover.js')
      return discover(scopeOf(context).settings.table, info).document
    },
    spec: {
      doc: 'Describes this API.',
      returns: [openRpcDocument, 'An OpenRPC document'],
      signatures: [['struct']],
      protocols: ['json-rpc'],
      hidden: true,
      context: [0],
    },
  }
  return createProcedure(DISCOVER, fn, spec)
}

/** The auth of the server's own procedures, and what `rpc.discover` reports of the API. */
interface SystemOptions {
  readonly auth: Auth | undefined
  readonly introspectionAuth?: Auth
  readonly info: ApiInfo
  readonly compatibility: Switches
}

/** Returns the server's own procedures: a multicall has the auth of the server, the others that of introspection. */
export function createSystemProcedures(options: SystemOptions): readonly Procedure[] {
  const { jsonMulticall, listMethodsParams } = options.compatibility
  return [...systemProcedures, discoverProcedure(options.info)].map((each) => {
    const isMulticall = each.name === MULTICALL
    const procedure = listMethodsParams && each.name === listMethodsWithParams.name ? listMethodsWithParams : each
    const auth = isMulticall ? options.auth : options.introspectionAuth
    return withSettings(procedure, {
      builtIn: true,
      ...(auth !== undefined && { auth }),
      ...(isMulticall && jsonMulticall && { protocols: undefined }),
    })
  })
}

function scopeOf(context: RpcContext): RequestScope {
  return (context as CallContext).scope
}

/** The pipeline runs the entries of a multicall, after this call of `system.multicall` itself has returned. */
function checkMulticall(calls: readonly unknown[], { codec, settings }: RequestScope): void {
  const { batch } = settings.limits
  if (calls.length > batch) throw new RpcInvalidRequest(`Invalid Request: a multicall of more than ${batch} entries`)
  if (!codec) throw new RpcInternalError(`${MULTICALL} needs a protocol`)
  // An entry point that serves JSON-RPC 2.0 alone, whatever the switches are.
  if (!codec.multicall) throw new RpcMethodNotFound()
}

/** Returns the names of the procedures that the protocol may call: the user's in the order of the source, then the server's own. */
function listMethods(scope: RequestScope): string[] {
  return [...scope.settings.table.values()]
    .filter((procedure) => !procedure.hidden && isCallable(procedure, scope))
    .map((procedure) => procedure.name)
}

function signaturesFor({ signatures, returns }: Procedure, { codec }: RequestScope): string[][] {
  const { voidType, bigintType } = codec ?? {}
  const nameOf = (name: string) => (name === 'i8' ? (bigintType ?? name) : name)
  const isVoidResult = voidType !== undefined && isVoid(returns.type)
  return signatures.map(([result, ...params]) => [isVoidResult ? voidType : nameOf(result), ...params.map(nameOf)])
}

/** Returns the method of a name, which a message may have described once. */
function findOnce(name: string, context: RpcContext): Procedure {
  const scope = scopeOf(context)
  const procedure = scope.settings.table.get(name)
  if (!procedure || !isCallable(procedure, scope)) {
    const received = describeReceived(name, scope.settings.errorDetails)
    const issue: ValidationIssue = { path: ['name'], code: 'enum', expected: 'the name of a method', received }
    throw new RpcInvalidParams(`Invalid params: name: there is no method ${quoteName(name)}`, { data: [issue] })
  }
  checkRepeated(scope, `${context.method} of ${name}`)
  return procedure
}
