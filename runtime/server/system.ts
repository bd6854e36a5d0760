import type { CallContext } from '../call/context.js'
import { isCallable } from '../call/dispatch.js'
import { encodeOnce } from '../call/encoded.js'
import type { RequestScope } from '../call/scope.js'
import type { Auth, Procedure, RpcContext } from '../call/types.js'
import { RpcInternalError, RpcInvalidParams, RpcInvalidRequest } from '../error.js'
import type { ApiInfo } from '../openrpc/info.js'
import type { OpenRpc } from '../openrpc/openrpc.js'
import { any, array, string } from '../values/builders.js'
import { quoteName } from '../values/describe.js'
import type { Param } from '../values/types.js'
import { localScalars, same } from '../values/wire.js'

const multicallName = 'system.multicall'

const nameParam: Param = { name: 'name', type: string, doc: 'The name of a method' }

const isOneString = (args: readonly unknown[]): boolean => args.length === 1 && typeof args[0] === 'string'

/** The introspection of the xmlrpc-c addendum, and `system.multicall`: ordinary procedures, in this order. */
const systemProcedures: readonly Procedure[] = [
  {
    name: 'system.listMethods',
    help: 'Lists the methods that can be called.\n\n:return: Their names',
    signatures: [['array']],
    params: [],
    returns: { type: array(string), doc: 'Their names' },
    context: true,
    accepts: (args) => args.length === 0,
    invoke: (_args, context) => listMethods(scopeOf(context)),
    lower: same,
  },
  {
    name: 'system.methodHelp',
    help: 'Describes a method.\n\n:param name: The name of a method\n:return: Its help text, empty where it has none',
    signatures: [['string', 'string']],
    params: [nameParam],
    returns: { type: string, doc: 'Its help text, empty where it has none' },
    context: true,
    accepts: isOneString,
    invoke: ([name], context) => find(name as string, scopeOf(context)).help,
    lower: same,
  },
  {
    name: 'system.methodSignature',
    help: 'Lists the signatures of a method.\n\n:param name: The name of a method\n:return: Lists of type names, the result first',
    signatures: [['array', 'string']],
    params: [nameParam],
    returns: { type: array(array(string)), doc: 'Lists of type names, the result first' },
    context: true,
    accepts: isOneString,
    invoke: ([name], context) => find(name as string, scopeOf(context)).signatures,
    lower: same,
  },
  {
    name: multicallName,
    help: 'Runs several calls in one.\n\n:param calls: Structs with methodName and params\n:return: For each an array with its result, or a fault',
    signatures: [['array', 'array']],
    params: [{ name: 'calls', type: array(any), doc: 'Structs with methodName and params' }],
    returns: { type: any, doc: 'For each an array with its result, or a fault' },
    protocols: ['xml-rpc'],
    context: true,
    noLimits: true,
    accepts: (args) => args.length === 1 && Array.isArray(args[0]),
    invoke: ([calls], context) => checkMulticall(calls as readonly unknown[], scopeOf(context)),
    lower: () => null,
  },
]

/** The `rpc.discover` of OpenRPC. Its document is encoded once. */
function discoverProcedure(info: ApiInfo): Procedure {
  return {
    name: 'rpc.discover',
    help: 'Describes this API.\n\n:return: An OpenRPC document',
    signatures: [['struct']],
    params: [],
    returns: { type: any, doc: 'An OpenRPC document' },
    protocols: ['json-rpc'],
    hidden: true,
    context: true,
    accepts: (args) => args.length === 0,
    invoke: async (_args, context) => {
      const { discover } = await import('../openrpc/discover.js')
      return discover(scopeOf(context).settings.table, info).document
    },
    lower: (document, wire) => (wire === localScalars ? document : encodeOnce(document as OpenRpc)),
  }
}

/** Who may call the server's own procedures, and what `rpc.discover` reports of the API. */
export interface SystemOptions {
  readonly auth: Auth | undefined
  readonly introspectionAuth?: Auth
  readonly info: ApiInfo
}

/** Returns the server's own procedures: a multicall has the auth of the server, the others that of introspection. */
export function createSystemProcedures({ auth, introspectionAuth, info }: SystemOptions): readonly Procedure[] {
  return [...systemProcedures, discoverProcedure(info)].map((each) => {
    const own = each.name === multicallName ? auth : introspectionAuth
    return own === undefined ? each : { ...each, auth: own }
  })
}

function scopeOf(context: RpcContext): RequestScope {
  return (context as CallContext).scope
}

/** The pipeline runs the entries of a multicall, after this call of `system.multicall` itself has returned. */
function checkMulticall(calls: readonly unknown[], { codec, settings }: RequestScope): void {
  const { batch } = settings.limits
  if (calls.length > batch) throw new RpcInvalidRequest(`Invalid Request: a multicall of more than ${batch} entries`)
  if (!codec) throw new RpcInternalError(`${multicallName} needs a protocol`)
}

/** Returns the names of the procedures that the protocol may call: the user's in the order of the source, then the server's own. */
function listMethods(scope: RequestScope): string[] {
  return [...scope.settings.table.values()]
    .filter((procedure) => !procedure.hidden && isCallable(procedure, scope))
    .map((procedure) => procedure.name)
}

function find(name: string, scope: RequestScope): Procedure {
  const procedure = scope.settings.table.get(name)
  if (procedure && isCallable(procedure, scope)) return procedure
  throw new RpcInvalidParams(`Invalid params: name: there is no method ${quoteName(name)}`)
}
