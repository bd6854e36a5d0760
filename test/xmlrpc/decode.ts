import type { Call } from '../../runtime/call.js'
import type { Limits } from '../../runtime/limits.js'
import { readCall } from '../../runtime/xmlrpc/message.js'
import { readOddCall } from '../../runtime/xmlrpc/odd.js'
import { OutsideCore } from '../../runtime/xmlrpc/outside.js'

/** What the codec does, without waiting for the second reader. */
export function decodeCall(text: string, limits: Limits): Call {
  try {
    return readCall(text, limits)
  } catch (error) {
    if (error instanceof OutsideCore) return readOddCall(text, limits)
    throw error
  }
}
