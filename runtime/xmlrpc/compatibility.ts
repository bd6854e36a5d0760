import type { Codec } from '../call/types.js'
import type { Switches } from '../compatibility.js'
import type { WireType } from '../values/types.js'
import { isVoid } from '../values/unions.js'

/** The encoded value of a void result, and its type. */
const voids: Readonly<Record<Switches['xmlRpcVoid'], readonly [type: WireType, value: unknown]>> = {
  nil: [{ kind: 'null' }, null],
  emptyString: [{ kind: 'string' }, ''],
  true: [{ kind: 'boolean' }, true],
}

/** Returns the codec of XML-RPC with void results that every client can read. */
export function compatibleCodec(xmlrpc: Codec, { xmlRpcVoid }: Switches): Codec {
  const [voidType, voidValue] = voids[xmlRpcVoid]
  return {
    ...xmlrpc,
    voidType: voidType.kind,
    encodeResult(call, type, value) {
      return isVoid(type) ? xmlrpc.encodeResult(call, voidType, voidValue) : xmlrpc.encodeResult(call, type, value)
    },
  }
}
