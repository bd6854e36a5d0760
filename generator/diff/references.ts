import { UsageError } from '../options.js'

export type Fields = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isRecord(value)
}

/**
 * Returns the value that a chain of references ends at, and the last reference on the way. Objects that `isReference` rejects are not
 * followed. Throws UsageError for a reference that cannot be resolved or refers only to itself; `file` is the document's name in messages.
 */
export function resolveReferences(
  start: unknown,
  root: object,
  file: string,
  isReference: (value: Fields) => boolean = () => true,
): { readonly value: unknown; readonly ref?: string } {
  const seen = new Set<unknown>()
  let found: { readonly value: unknown; readonly ref?: string } = { value: start }
  for (;;) {
    const { value } = found
    if (!isRecord(value) || typeof value['$ref'] !== 'string' || (found.ref !== undefined && !isReference(value)))
      return found
    const ref = value['$ref']
    if (seen.has(value)) throw new UsageError(`${file} has ${ref}, which refers only to itself`)
    seen.add(value)
    found = { value: lookUp(ref, root, file), ref }
  }
}

/** Returns the target of a reference: a JSON Pointer (RFC 6901) into the document. */
function lookUp(ref: string, root: object, file: string): unknown {
  if (!ref.startsWith('#'))
    throw new UsageError(`${file} refers to ${ref}, outside of the file: only references within the file are supported`)
  const [start, ...parts] = decoded(ref.slice(1)).split('/')
  const found = start === '' ? parts.reduce(memberOf, root) : undefined
  if (found === undefined) throw new UsageError(`${file} refers to ${ref}, which does not exist`)
  return found
}

function memberOf(value: unknown, part: string): unknown {
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isMember ? (value as Fields)[name] : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
