import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import { UsageError } from '../diagnostics/diagnostic.js'

/** What a reference leads to, and the last of the references on the way. */
interface ReferenceTarget {
  readonly value: unknown
  readonly ref: string
}

/** What may be compared as text of one document: about 8 MB, by characters and parts. */
const MAX_TEXT = 2 ** 24

/** What a part of a text counts beside its characters. */
const PART = 4

/** The values that references (JSON Pointers, RFC 6901) of a document lead to. */
export class References {
  readonly root: JsonObject
  readonly file: string
  readonly #followed = new Map<unknown, ReferenceTarget>()
  /** The characters and parts of schemas that may still be compared as text. */
  #text = MAX_TEXT

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

  /**
   * Returns the text of a constant, or that of a schema without annotations, whose references `references` receives. It has the texts of the schemas
   * in it, which have their own ones too.
   */
  textOf(value: unknown, references?: JsonObject[]): string {
    const texts: string[] = []
    writeCanonical(value, texts, references, references ? 'schema' : 'value')
    const text = texts.join('')
    this.#text -= text.length + PART * texts.length + 100 * (references?.length ?? 0)
    if (this.#text < 0)
      throw new UsageError(`${this.file} has schemas in schemas that are too large to be compared as text`)
    return text
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

/** Keywords that do not limit values. */
const annotations = new Set(
  `$comment $id $schema $defs $anchor id definitions description summary title deprecated default examples example readOnly writeOnly
  contentMediaType externalDocs discriminator`.split(/\s+/),
)

/** True for a keyword that does not limit values. */
export function isAnnotation(word: string): boolean {
  return annotations.has(word) || word.startsWith('x-')
}

/** What a part of a schema is: a schema, or a list of them; schemas by names; or another value. */
type Part = 'schema' | 'names' | 'value'

const withNames = new Set('properties patternProperties dependentSchemas'.split(' '))
const withSchemas = new Set(
  `allOf anyOf oneOf not if then else items prefixItems additionalItems additionalProperties contains propertyNames unevaluatedItems
  unevaluatedProperties`.split(/\s+/),
)

function partIn(part: Part, name: string): Part {
  if (part === 'schema') return withNames.has(name) ? 'names' : withSchemas.has(name) ? 'schema' : 'value'
  return part === 'names' ? 'schema' : 'value'
}

/**
 * Writes JSON with members in order, so that equal values have equal texts; a reference is written as its number. Texts are joined once, not at
 * each level.
 */
function writeCanonical(value: unknown, texts: string[], references: JsonObject[] | undefined, part: Part): void {
  const isList = Array.isArray(value)
  if (!isList && !isJsonObject(value)) {
    texts.push(JSON.stringify(value) ?? 'null')
    return
  }
  texts.push(isList ? '[' : '{')
  const members = Object.entries(value).filter(([name]) => isList || part !== 'schema' || !isAnnotation(name))
  if (!isList) members.sort(([a], [b]) => (a < b ? -1 : 1))
  members.forEach(([name, each], i) => {
    texts.push(i > 0 ? ',' : '', isList ? '' : `${JSON.stringify(name)}:`)
    if (references && name === '$ref' && typeof each === 'string' && !isList) texts.push(`${references.push(value)}`)
    else writeCanonical(each, texts, references, isList ? part : partIn(part, name))
  })
  texts.push(isList ? ']' : '}')
}
