import type { Codec } from '../call/types.js'
import { isVoid } from '../values/inner-types.js'
import type { WireType } from '../values/types.js'
import type { xmlrpcCodec } from '../xmlrpc/codec.js'
import type { Switches } from './options.js'

/** The encoded value of a void result, and its type. */
const voids: Readonly<Record<Switches['xmlRpcVoid'], { readonly type: WireType; readonly value: unknown }>> = {
  nil: { type: { kind: 'null' }, value: null },
  emptyString: { type: { kind: 'string' }, value: '' },
  true: { type: { kind: 'boolean' }, value: true },
}

/** What makes a codec of XML-RPC, in the chunk of that protocol. */
interface XmlCodecs {
  readonly xmlrpcCodec: typeof xmlrpcCodec
}

/** Returns a codec of XML-RPC with results that the clients of a server can read. */
export function compatibleXmlrpc({ xmlrpcCodec }: XmlCodecs, switches: Switches): Codec {
  const { xmlRpcVoid, xmlRpcBigint: bigint, xmlRpcInvalidText: invalidText, xmlRpcFaultData: faultData } = switches
  const codec = xmlrpcCodec({ bigint, invalidText, faultData })
  const { type, value: voidValue } = voids[xmlRpcVoid]
  return {
    ...codec,
    ...(xmlRpcVoid !== 'nil' && { voidType: type.kind }),
    bigintType: bigint,
    encodeResult(call, value, result) {
      if (!isVoid(result.returns.type)) return codec.encodeResult(call, value, result)
      return codec.encodeResult(call, voidValue, { returns: { type } })
    },
  }
}
