import { encodeOnce } from '../call/codec.js'
import type { CallContext, RpcContext } from '../call/context.js'
import type { Exchange } from '../call/exchange.js'
import type { Procedure } from '../call/manifest.js'
import { multicall, multicallName } from '../call/multicall.js'
import { localWire } from '../call/wire.js'
import { RpcInvalidParams } from '../error.js'
import type { OpenRpc } from '../openrpc/openrpc.js'
import { isCallableBy } from '../schema/description.js'
import { any, array, string } from '../values/builders.js'
import { same } from '../values/convert.js'
import { quoteName } from '../values/describe.js'
import type { Param } from '../values/types.js'
import type { Auth } from './auth.js'
import { withAuth } from './table.js'

const nameParam: Param = { name: 'name', type: string, doc: 'The name of a method' }

const isOneString = (args: readonly unknown[]): boolean => args.length === 1 && typeof args[0] === 'string'

/**
 * The introspection of the xmlrpc-c addendum, `system.multicall`, and OpenRPC's `rpc.discover`, which nobody lists: ordinary
 * procedures, in this order.
 */
const systemProcedures: readonly Procedure[] = [
  {
    name: 'system.listMethods',
    help: 'Lists the methods that can be called.\n\n:return: Their names',
    signatures: [['array']],
    params: [],
    returns: { type: array(string), doc: 'Their names' },
    context: true,
    accepts: (args) => args.length === 0,
    invoke: (_args, context) => listMethods(exchangeOf(context)),
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
    invoke: ([name], context) => find(name as string, exchangeOf(context)).help,
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
    invoke: ([name], context) => find(name as string, exchangeOf(context)).signatures,
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
    untimed: true,
    accepts: (args) => args.length === 1 && Array.isArray(args[0]),
    invoke: ([calls], context) => multicall(calls as readonly unknown[], exchangeOf(context)),
    lower: same,
  },
  {
    name: 'rpc.discover',
    help: 'Describes this API.\n\n:return: An OpenRPC document',
    signatures: [['struct']],
    params: [],
    returns: { type: any, doc: 'An OpenRPC document' },
    protocols: ['json-rpc'],
    unlisted: true,
    context: true,
    accepts: (args) => args.length === 0,
    invoke: (_args, context) => discoverIn(exchangeOf(context)),
    lower: (document, wire) => (wire === localWire ? document : encodeOnce(document as OpenRpc)),
  },
]

/** Returns the server's own procedures: a multicall has the auth of the server, the others that of introspection. */
export function systemProceduresFor(server: Auth | undefined, introspection: Auth | undefined): readonly Procedure[] {
  return systemProcedures.map((each) => withAuth(each, each.name === multicallName ? server : introspection))
}

function exchangeOf(context: RpcContext): Exchange {
  return (context as CallContext).exchange
}

/** The user's procedures in the order of the source, then the server's own: those that this protocol may call. */
function listMethods(exchange: Exchange): string[] {
  return [...exchange.settings.table.values()]
    .filter((procedure) => !procedure.unlisted && isCallable(procedure, exchange))
    .map((procedure) => procedure.name)
}

/** A chunk of its own, loaded when the first one asks. */
async function discoverIn({ settings }: Exchange): Promise<OpenRpc> {
  const { discover } = await import('../openrpc/discover.js')
  return discover(settings.table, settings.info).document
}

function find(name: string, exchange: Exchange): Procedure {
  const procedure = exchange.settings.table.get(name)
  if (procedure && isCallable(procedure, exchange)) return procedure
  throw new RpcInvalidParams(`Invalid params: name: there is no method ${quoteName(name)}`)
}

function isCallable(procedure: Procedure, { codec }: Exchange): boolean {
  return !codec || isCallableBy(codec.protocol, procedure)
}
