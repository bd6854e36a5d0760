import { callsPart } from './calls.js'
import { clientPart } from './client.js'
import { errorsPart } from './errors.js'
import { scalarsPart } from './scalars.js'
import { streamMethod, streamsPart } from './streams.js'
import { transportEnd, transportStart } from './transport.js'
import { valuesPart } from './values.js'

/**
 * The part of a Python client that every one has: errors, conversions, the transport, batches; and that of clients with subscriptions.
 * Formatted as black does.
 */
export function pythonRuntime(hasStreams: boolean): string {
  const parts = [
    errorsPart,
    scalarsPart,
    valuesPart,
    callsPart,
    transportStart + (hasStreams ? streamMethod : '') + transportEnd,
    clientPart,
  ]
  return [...parts, ...(hasStreams ? [streamsPart] : [])].join('\n\n')
}

/** The imports of every client: those of modules, then names of modules. */
export const modules =
  'base64 decimal enum io json math os random re selectors socket ssl sys threading time warnings weakref'.split(' ')

/** The names of typing that every client has. */
export const typingNames =
  'TYPE_CHECKING Any Callable Dict Final Generic List Mapping Optional Sequence Set Tuple Type TypeVar Union cast'.split(
    ' ',
  )

/** The names of clients with subscriptions. */
export const streamNames = ['Generator', 'Iterable', 'Iterator', 'Stream', 'closing', 'suppress']

/** Other names that every client imports. */
export const importedNames = [
  'dataclass',
  'field',
  'replace',
  'datetime',
  'timezone',
  'parsedate_to_datetime',
  'urlsplit',
  'annotations',
  'ParamSpec',
  'Self',
]

/** The names of http.client. */
export const httpNames = ['HTTPConnection', 'HTTPResponse', 'HTTPSConnection']

/** The public names of every client. */
export const publicNames = (
  'AuthenticationError Batch Client ForbiddenError Headers HttpTransport InternalError InvalidParams Issue MethodNotFound Pending Retry ' +
  'RpcClient RpcError RpcTimeout RpcValueError Transport TransportError UNSET Unset'
).split(' ')

/** The members of a client that are not procedures. */
export const clientMembers = ['batch', 'call', 'close', 'notify', 'with_options']
