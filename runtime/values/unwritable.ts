/** A value cannot travel; `path` says which, from the value that was to be written. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable'
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(path === '' ? reason : `${path}: ${reason}`, options)
    this.path = path
    this.reason = reason
  }
}

const longest = 200

/** The same error as seen from around the value: `segment` is `lines`, `[2]` or `["first line"]`. */
export function unwritableIn(segment: string, error: unknown): Unwritable {
  if (!(error instanceof Unwritable)) {
    return new Unwritable(segment, error instanceof Error ? error.message : String(error), { cause: error })
  }
  // A value that contains itself has a path without an end.
  if (error.path.length > longest) return error
  const joint = error.path === '' || error.path.startsWith('[') ? '' : '.'
  return new Unwritable(segment + joint + error.path, error.reason, { cause: error.cause })
}
