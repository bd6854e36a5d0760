/** The members of host sockets that Hono's WSContext lacks. */
interface HostSocket {
  /** Of ws, Deno and browsers. */
  readonly bufferedAmount?: number
  /** Of Bun. */
  getBufferedAmount?(): number
  /** Of ws and Bun. */
  ping?(): void
  /** Of ws. */
  on?(event: 'pong', listener: () => void): void
  terminate?(): void
}

/** Returns the bytes that a host has accepted and not yet sent; 0 on Workers, which do not report it. */
export function bufferedAmountOf(raw: unknown): number {
  const socket = (raw ?? {}) as HostSocket
  return socket.bufferedAmount ?? socket.getBufferedAmount?.() ?? 0
}

/** Pings a socket of ws; a socket that has not replied by the next ping is terminated. Returns a function that stops the pings. */
export function keepAlive(raw: unknown, pingMs: number): () => void {
  const socket = (raw ?? {}) as HostSocket
  if (!pingMs || !socket.ping || !socket.on || !socket.terminate) return () => {}
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer: { unref?(): void } & ReturnType<typeof setInterval> = setInterval(() => {
    if (!isAlive) return socket.terminate?.()
    isAlive = false
    socket.ping?.()
  }, pingMs)
  timer.unref?.()
  return () => clearInterval(timer)
}
