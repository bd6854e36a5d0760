import { UsageError } from '../options.js'

export type Fields = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A schema of any tool and any draft; `true` accepts everything, `false` nothing. */
export type AnySchema = ForeignSchema | boolean

/** The keywords of JSON Schema that the comparison understands; there may be others. */
export interface ForeignSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly allOf?: readonly AnySchema[]
  readonly minimum?: number
  readonly maximum?: number
  /** A limit; in draft 4 whether the limit beside it is exclusive. */
  readonly exclusiveMinimum?: number | boolean
  readonly exclusiveMaximum?: number | boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly AnySchema[]
  /** A list of schemas before 2020-12. */
  readonly items?: AnySchema | readonly AnySchema[]
  readonly additionalItems?: AnySchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly additionalProperties?: AnySchema
}

/** Keywords that do not limit values. */
export const remarks: ReadonlySet<string> = new Set(
  '$comment description summary title deprecated default examples example'.split(' '),
)

/** Keywords that limit values and are compared as text. */
const opaqueWords =
  `not if then else contains minContains maxContains propertyNames minProperties maxProperties dependencies
  dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties`.split(/\s+/)

/** Returns the keywords of a schema that limit values and are compared as text. */
export function opaqueOf(schema: ForeignSchema): string[] {
  const words = schema as Readonly<Record<string, unknown>>
  return opaqueWords.filter((word) => words[word] !== undefined).map((word) => `${word} ${textOf(words[word])}`)
}

/** JSON with members in order, so that equal values have equal texts. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members
    .map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`)
    .sort()
    .join()}}`
}

/**
 * Returns the target of a reference: a JSON Pointer (RFC 6901) into the document. Throws UsageError, which names the reference,
 * if it cannot be resolved.
 */
export function lookUp(ref: string, root: object, name: string): unknown {
  if (!ref.startsWith('#'))
    throw new UsageError(`${name} refers to ${ref}, outside of the file: only references within the file are supported`)
  for (const pointer of [ref.slice(1), decoded(ref.slice(1))]) {
    const found = follow(pointer, root)
    if (found !== undefined) return found
  }
  throw new UsageError(`${name} refers to ${ref}, which does not exist`)
}

/** Returns the schema that a reference points to. */
export function schemaAt(ref: string, root: object, name: string): AnySchema {
  const found = lookUp(ref, root, name)
  if (typeof found === 'boolean' || (typeof found === 'object' && found !== null && !Array.isArray(found))) return found
  throw new UsageError(`${name} refers to ${ref}, which is not a schema`)
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
