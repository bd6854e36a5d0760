import { UsageError } from '../options.js'
import { ownBranches } from './expand.js'
import type { AnySchema, ForeignSchema } from './foreign.js'
import { type Meeting, meetAll, withoutCovered } from './meet.js'
import { schemaAt } from './reference.js'
import type { Branch, Type } from './type.js'

/** Where schemas stand: what their references start from, and what messages call it. */
export interface Place {
  readonly root: object
  readonly name: string
}

/** Makes types of schemas; each is looked into when it is asked for. */
export interface Types {
  /** The types of one document. */
  of(place: Place): (schema: AnySchema) => Type
  /** All that were made. */
  readonly all: readonly Type[]
}

export function createTypes(): Types {
  const all: Type[] = []
  const make = (branches: () => readonly Branch[]): Type => {
    const type = { id: all.length, branches: once(branches), group: -1 }
    all.push(type)
    return type
  }
  const meeting = meetingOf(make)
  return { of: (place) => typesOf(place, make, meeting), all }
}

type Make = (branches: () => readonly Branch[]) => Type

/** A type that is asked for while it is looked into adds nothing to itself: `A` of `A | string` is a string. */
function once(branches: () => readonly Branch[]): () => readonly Branch[] {
  let known: readonly Branch[] | undefined
  return () => {
    if (!known) {
      known = []
      known = branches()
    }
    return known
  }
}

/** Values of several types at once; the same types give the same one, so that what contains itself ends. */
function meetingOf(make: Make): Meeting {
  const known = new Map<string, Type>()
  const parts = new Map<Type, readonly Type[]>()
  const meeting = (...types: readonly Type[]): Type => {
    const all = [...new Set(types.flatMap((each) => parts.get(each) ?? [each]))].sort((a, b) => a.id - b.id)
    const [only] = all
    if (only && all.length === 1) return only
    const key = all.map(({ id }) => id).join()
    const before = known.get(key)
    if (before) return before
    const type = make(() =>
      meetAll(
        all.map((each) => each.branches()),
        meeting,
      ),
    )
    parts.set(type, all)
    known.set(key, type)
    return type
  }
  return meeting
}

function typesOf(place: Place, make: Make, meeting: Meeting): (schema: AnySchema) => Type {
  const known = new Map<AnySchema, Type>()
  const typeOf = (schema: AnySchema): Type => {
    const target = behind(schema, place)
    const before = known.get(target.schema)
    if (before) return before
    const type = make(() => {
      const branches = expand(target.schema, typeOf, place, meeting)
      const [only] = branches
      return only && branches.length === 1 && target.name ? [{ ...only, name: target.name }] : branches
    })
    known.set(target.schema, type)
    return type
  }
  return typeOf
}

/** The schema behind plain references, and the last name on the way. */
function behind(schema: AnySchema, { root, name }: Place): { readonly schema: AnySchema; readonly name?: string } {
  const seen = new Set<AnySchema>()
  let at = schema
  let last: string | undefined
  while (isReference(at)) {
    if (seen.has(at)) throw new UsageError(`${name} has ${at.$ref}, which is nothing but a reference to itself`)
    seen.add(at)
    last = at.$ref.slice(at.$ref.lastIndexOf('/') + 1)
    at = schemaAt(at.$ref, root, name)
  }
  const plain = last?.replace(/\.input$/, '')
  return plain !== undefined && /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(plain)
    ? { schema: at, name: plain }
    : { schema: at }
}

const remarks = ['$comment', 'description', 'summary', 'title', 'deprecated', 'default', 'examples', 'example']

function isReference(schema: AnySchema): schema is ForeignSchema & { readonly $ref: string } {
  if (typeof schema !== 'object' || typeof schema.$ref !== 'string') return false
  return Object.keys(schema).every((word) => word === '$ref' || remarks.includes(word))
}

function expand(schema: AnySchema, typeOf: (schema: AnySchema) => Type, place: Place, meeting: Meeting): Branch[] {
  if (schema === false) return []
  if (schema === true) return [{ kind: 'any' }]
  const { $ref, anyOf, oneOf, allOf = [] } = schema
  const referred = $ref === undefined ? [] : [schemaAt($ref, place.root, place.name)]
  const unions = [anyOf, oneOf].flatMap((each) => (each ? [each.flatMap((one) => typeOf(one).branches())] : []))
  const all = [...referred, ...allOf].map((each) => typeOf(each).branches())
  return withoutCovered(meetAll([ownBranches(schema, typeOf), ...unions, ...all], meeting))
}
