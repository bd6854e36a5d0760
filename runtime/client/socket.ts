/** The used members of a `WebSocket`: that of the platform, or of the package ws. */
export interface WebSocketLike {
  readonly url?: string
  binaryType: string
  /** Sends a message. */
  send(text: string): void
  /** Closes the connection. */
  close(code?: number, reason?: string): void
  /** Adds a listener. */
  // biome-ignore lint/suspicious/noExplicitAny: every platform has other types of events
  addEventListener(type: 'open' | 'message' | 'close' | 'error' | 'pong', listener: (event: any) => void): void
  /** Of ws: destroys a connection that the server does not close too. */
  terminate?(): void
  /** Of ws and Bun. */
  ping?(): void
  /** Of ws. */
  on?(event: 'pong', listener: () => void): unknown
}
