import { onAbort } from '../on-abort.js'
import type { Settings } from './settings.js'
import type { RpcCall } from './transport.js'

/** How a call is made: the options, and the signals that end it. */
export interface Calling {
  readonly settings: Settings
  readonly signals: readonly AbortSignal[]
}

/** A call that is written, and not yet on its way. */
export interface Written {
  readonly call: RpcCall
  readonly text: unknown
}

/** A call that has not ended. Of `resolve` and `reject` the first counts. */
export interface Pending extends Written {
  promise: Promise<unknown>
  readonly resolve: (outcome: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Called when the call has ended. */
  onEnd?: () => void
}

/**
 * Opens a call. It ends when it is settled, an Error being as good as a rejection, or when one of the signals is
 * aborted, and listens to these no longer.
 */
export function open(written: Written, { settings: { codec, transport }, signals }: Calling): Pending {
  const { method, id } = written.call
  let pending = written as Pending
  const settled = new Promise<unknown>((resolve, reject) => {
    pending = { ...written, resolve, reject } as Pending
  })
  const leave = signals.map((signal) => onAbort(signal, pending.reject))
  pending.promise = settled
    .finally(() => {
      leave.forEach((end) => void end())
      transport.end?.(written.call)
      pending.onEnd?.()
    })
    .then((outcome) => {
      if (outcome instanceof Error) {
        codec?.decodeError?.(method, outcome)
        throw outcome
      }
      return codec && id ? codec.decode(method, outcome) : outcome
    })
  return pending
}
