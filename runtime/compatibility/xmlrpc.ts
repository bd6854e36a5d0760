import type { Codec } from '../call/types.js'
import { isVoid } from '../values/inner-types.js'
import type { WireType } from '../values/types.js'
import type { xmlrpcCodec } from '../xmlrpc/codec.js'
import type { Switches } from './options.js'

/** The encoded value of a void result, and its type. */
const voids: Readonly<Record<Switches['xmlRpcVoid'], readonly [type: WireType, value: unknown]>> = {
  nil: [{ kind: 'null' }, null],
  emptyString: [{ kind: 'string' }, ''],
  true: [{ kind: 'boolean' }, true],
}

/** What makes a codec of XML-RPC, in the chunk of that protocol. */
export interface XmlCodecs {
  readonly xmlrpcCodec: typeof xmlrpcCodec
}

/** Returns a codec of XML-RPC with results that the clients of a server can read. */
export function compatibleCodec({ xmlrpcCodec }: XmlCodecs, switches: Switches): Codec {
  const { xmlRpcVoid, xmlRpcBigint: bigint, xmlRpcInvalidText: invalidText, xmlRpcFaultData: faultData } = switches
  const codec = xmlrpcCodec({ bigint, invalidText, faultData })
  const [voidType, voidValue] = voids[xmlRpcVoid]
  return {
    ...codec,
    ...(xmlRpcVoid !== 'nil' && { voidType: voidType.kind }),
    bigintType: bigint,
    encodeResult(call, type, value) {
      return isVoid(type) ? codec.encodeResult(call, voidType, voidValue) : codec.encodeResult(call, type, value)
    },
  }
}
