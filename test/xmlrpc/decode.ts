import type { Call } from '../../runtime/call/call.js'
import type { Limits } from '../../runtime/call/limits.js'
import { readCallOutsideCore } from '../../runtime/xmlrpc/fallback.js'
import { OutsideCore } from '../../runtime/xmlrpc/invalid.js'
import { readCall } from '../../runtime/xmlrpc/message.js'

/** What the codec does, without waiting for the second reader. */
export function decodeCall(text: string, limits: Limits): Call {
  try {
    return readCall(text, limits)
  } catch (error) {
    if (error instanceof OutsideCore) return readCallOutsideCore(text, limits)
    throw error
  }
}
