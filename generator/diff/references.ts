import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import { UsageError } from '../diagnostics/diagnostic.js'

/** What a reference leads to, and the last of the references on the way. */
interface ReferenceTarget {
  readonly value: unknown
  readonly ref: string
}

/** The values that references (JSON Pointers, RFC 6901) of a document lead to. */
export class References {
  readonly root: JsonObject
  readonly file: string
  readonly #followed = new Map<unknown, ReferenceTarget>()

  constructor(root: JsonObject, file: string) {
    this.root = root
    this.file = file
  }

  /** Follows a reference, and those that it leads to if they have nothing beside them; `ref` is the last one. */
  follow(start: unknown): ReferenceTarget {
    const seen = new Set<unknown>()
    let [value, ref] = [start, '']
    while (isJsonObject(value) && typeof value['$ref'] === 'string' && (ref === '' || hasOneMember(value))) {
      const known = this.#followed.get(value)
      if (known) return this.#remember(seen, known)
      ref = value['$ref']
      if (seen.has(value)) throw new UsageError(`${this.file} has ${ref}, which refers only to itself`)
      seen.add(value)
      value = this.#lookUp(ref)
    }
    return this.#remember(seen, { value, ref })
  }

  #remember(references: Iterable<unknown>, target: ReferenceTarget): ReferenceTarget {
    for (const each of references) this.#followed.set(each, target)
    return target
  }

  #lookUp(ref: string): unknown {
    const { file } = this
    if (!ref.startsWith('#'))
      throw new UsageError(
        `${file} refers to ${ref}, outside of the file: only references within the file are supported`,
      )
    const [start, ...parts] = decoded(ref.slice(1)).split('/')
    const found = start === '' ? parts.reduce(memberByPointer, this.root) : undefined
    if (found === undefined) throw new UsageError(`${file} refers to ${ref}, which does not exist`)
    return found
  }
}

/** Reads no more members: many references may lead to one object with a reference. */
function hasOneMember(value: JsonObject): boolean {
  let count = 0
  for (const _name in value) if (++count > 1) return false
  return count === 1
}

function memberByPointer(value: unknown, part: string): unknown {
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isMember ? (value as JsonObject)[name] : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
