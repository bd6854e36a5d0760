import type { WSContext } from 'hono/ws'
import { later, repeat } from '../platform/timers.js'

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
  /** Of ws and Bun. */
  terminate?(): void
  /** Of ws. */
  pause?(): void
  resume?(): void
}

/** How long a client has to close a connection that the server closes, before the socket is destroyed with what it has buffered. */
const CLOSE_MS = 2000

/** 4008 is for 1008 (RFC 6455 section 7.4.2: for private use). */
const APPLICATION_CODES = 3000

/**
 * Closes a socket. A client that does not read does not close it either, and hosts keep what they have buffered for it for up to 30 seconds: so the
 * socket is destroyed after two, on hosts that can.
 */
export function disconnect(socket: WSContext, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // Some hosts accept codes of applications only, as a browser does: older versions of Deno.
    socket.close(APPLICATION_CODES + code, reason)
  }
  later(CLOSE_MS, () => (socket.raw as HostSocket | undefined)?.terminate?.())
}

/** Stops reading from a socket, where the host can; returns a function that continues. */
export function pauseReading(raw: unknown): (() => void) | undefined {
  const socket = (raw ?? {}) as HostSocket
  if (!socket.pause || !socket.resume) return undefined
  socket.pause()
  return () => socket.resume?.()
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
  return repeat(pingMs, () => {
    if (!isAlive) return socket.terminate?.()
    isAlive = false
    socket.ping?.()
  })
}
