export interface RunningServer {
  /** The address that it printed. */
  readonly url: string
  /** Ends it; resolves to its exit code, null if it was killed. */
  stop(): Promise<number | null>
  readonly ended: Promise<number | null>
  /** The text that it has written to stderr so far. */
  log(): string
}

export function startServer(
  file: string,
  options?: {
    cwd?: string
    port?: number
    env?: Readonly<Record<string, string>>
    command?: readonly string[]
    addressIn?: (output: string) => string | undefined
    onLog?: (text: string) => unknown
  },
): Promise<RunningServer>
