import { writeSync } from 'node:fs'

/** The status of a process that SIGPIPE ends, as Git and grep are: the reader of a pipe is gone. */
const brokenPipe = 141

/**
 * Ends the process if stdout or stderr cannot be written: their reader is gone, as in `rpc-gen --json | head`, or the disk is full. The status
 * is never that of success, for what could not be printed may be an error.
 */
export function exitOnOutputError({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit(brokenPipe)
  try {
    writeSync(2, `rpc-gen: the output cannot be written: ${message}\n`)
  } catch {
    // Nothing can be printed.
  }
  process.exit(2)
}
