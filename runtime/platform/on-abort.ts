type Listener = (reason: unknown) => void

/** The listeners of each signal, which share one listener on it, because Node warns of a leak from eleven on. */
const listenersOf = new WeakMap<AbortSignal, Set<Listener>>()

/** Calls a listener with the reason when the signal is aborted. Returns a function that removes it. */
export function onAbort(signal: AbortSignal, listener: Listener): () => void {
  const listeners = listenersOf.get(signal) ?? new Set()
  listenersOf.set(signal, listeners.add(listener))
  signal.addEventListener('abort', callListeners)
  return () => {
    listeners.delete(listener)
    if (!listeners.size) signal.removeEventListener('abort', callListeners)
  }
}

/** One function for all signals, so that it is added once to each. */
function callListeners(this: AbortSignal): void {
  listenersOf.get(this)?.forEach((listener) => void listener(this.reason))
}
