import { UsageError } from '../options.js'
import type { AnySchema } from './foreign.js'

/**
 * What a reference leads to: a JSON Pointer (RFC 6901) into the document. Throws UsageError, which names the reference,
 * where it leads nowhere.
 */
export function lookUp(ref: string, root: object, name: string): unknown {
  if (!ref.startsWith('#')) throw new UsageError(`${name} refers to ${ref}, outside of the file: that is not read`)
  for (const pointer of [ref.slice(1), decoded(ref.slice(1))]) {
    const found = follow(pointer, root)
    if (found !== undefined) return found
  }
  throw new UsageError(`${name} refers to ${ref}, which is not there`)
}

/** The schema that a reference leads to. */
export function schemaAt(ref: string, root: object, name: string): AnySchema {
  const found = lookUp(ref, root, name)
  if (typeof found === 'boolean' || (typeof found === 'object' && found !== null && !Array.isArray(found))) return found
  throw new UsageError(`${name} refers to ${ref}, which is no schema`)
}

function follow(pointer: string, root: object): unknown {
  if (pointer === '') return root
  if (!pointer.startsWith('/')) return undefined
  const names = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined,
    root,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
