/** Wrong usage of the command, its options or its configuration. The command prints the message and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
