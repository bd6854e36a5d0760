import type { ProtocolName } from '../protocol.js'
import type { Announced } from './description.js'

/** Whether a protocol may call a procedure. */
export function isCallableBy(protocol: ProtocolName, { protocols }: Pick<Announced, 'protocols'>): boolean {
  return protocols?.includes(protocol) ?? true
}
