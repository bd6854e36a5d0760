// Reads a lock. All that is compared of it is checked before, so that a lock which was edited or merged by hand is an error that names the place:
//
//     rpc.lock.json is not a lock as rpc-gen writes it: procedures[0].params[1].type.kind is not a kind of type: write it again with --lock
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import type { DescribedProcedure, DescribedType, Description } from '../../runtime/description/description.js'
import { signaturesOf } from '../../runtime/description/signatures.js'
import { constraintForms } from '../../runtime/values/constraints.js'
import { UsageError } from '../diagnostics/diagnostic.js'

/** The version of the lock's form. */
export const lockFormat = { key: 'rpcLock', version: 2 } as const

export const writeAgain = 'write it again with --lock'

/** Reads a lock as a description without texts and without signatures. Throws UsageError for another value; `name` is its name in messages. */
export function readLock(value: JsonObject, name: string): Description {
  if (value[lockFormat.key] !== lockFormat.version)
    throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
  const wrong = lock(value)
  if (wrong) {
    const place = `${wrong.path.slice(1)} is not ${wrong.expected}`
    throw new UsageError(`${name} is not a lock as rpc-gen writes it: ${place}: ${writeAgain}`)
  }
  const { procedures, types } = value as unknown as Description
  return {
    types,
    procedures: procedures.map((each) => ({
      ...each,
      description: '',
      throws: (each.throws ?? []).map((error) => ({ ...error, name: '', text: '' })),
      signatures: [],
    })),
  }
}

/** Adds what `system.methodSignature` returns, which grows with the square of the optional params: only a document has it. */
export function withSignatures({ procedures, types }: Description): Description {
  const byName = new Map(types.map((each) => [each.name, each.type]))
  const add = (of: DescribedProcedure): DescribedProcedure => {
    const overloads = (of.overloads ?? [of]).map(({ params, returns = of.returns }) => ({ params, returns }))
    return { ...of, signatures: signaturesOf(overloads, (reference) => byName.get(reference.name)) }
  }
  return { types, procedures: procedures.map(add) }
}

/** What is wrong with a value: the path inside of it, and what is expected there. */
interface Mismatch {
  readonly path: string
  readonly expected: string
}

/** Returns what is wrong with a value; undefined if it has the shape. */
type Shape = (value: unknown) => Mismatch | undefined

function valueThat(expected: string, isIt: (value: unknown) => boolean): Shape {
  return (value) => (isIt(value) ? undefined : { path: '', expected })
}

/** A missing member is undefined. */
function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value))
}

function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return { path: '', expected: 'a list' }
    return firstWrong(value.map((each, i) => [`[${i}]`, each, shape]))
  }
}

/** Further members are not read. */
function objectOf(members: Readonly<Record<string, Shape>>): Shape {
  const shapes = Object.entries(members)
  return (value) => {
    if (!isJsonObject(value)) return { path: '', expected: 'an object' }
    return firstWrong(shapes.map(([name, shape]) => [`.${name}`, value[name], shape]))
  }
}

function firstWrong(parts: readonly (readonly [path: string, value: unknown, shape: Shape])[]): Mismatch | undefined {
  for (const [path, value, shape] of parts) {
    const wrong = shape(value)
    if (wrong) return { path: path + wrong.path, expected: wrong.expected }
  }
  return undefined
}

const text = valueThat('a string', (value) => typeof value === 'string')
const flag = valueThat('true or false', (value) => typeof value === 'boolean')
const count = valueThat('a number of elements', (value) => Number.isInteger(value) && Number(value) >= 0)
const anything: Shape = () => undefined

const keys = objectOf({ text, pattern: text })
const member = objectOf({ name: text, optional: optional(flag), type })
const index = objectOf({ type, keys: optional(keys) })
const element = objectOf({ element: type })

/** A kind without further properties. */
const plain = anything

const kinds: Readonly<Record<DescribedType['kind'], Shape>> = {
  ...{ int: plain, double: plain, number: plain, string: plain, boolean: plain, date: plain, url: plain, null: plain },
  ...{ undefined: plain, void: plain, any: plain, bytes: plain },
  bigint: objectOf({ value: optional(text) }),
  literal: objectOf({
    value: valueThat('a string, a number, true or false', (value) => /^(?:string|number|boolean)$/.test(typeof value)),
  }),
  template: objectOf({ text, pattern: text }),
  ref: objectOf({ name: text }),
  array: element,
  set: element,
  tuple: objectOf({ elements: listOf(type), required: count, rest: optional(type) }),
  map: objectOf({ keys: optional(keys), value: type }),
  struct: objectOf({ members: listOf(member), indexes: optional(listOf(index)) }),
  union: objectOf({ branches: listOf(type) }),
  custom: objectOf({
    name: text,
    wire: type,
    schema: optional(objectOf({ format: optional(text), pattern: optional(text), contentEncoding: optional(text) })),
  }),
}

const limits = objectOf(
  Object.fromEntries(
    Object.entries(constraintForms).map(([name, [, limit]]) => {
      return [name, optional(valueThat(`a ${limit}`, (value) => typeof value === limit))]
    }),
  ),
)

/** Unlike further members, constraints that are not known would change what is compared. */
function constraints(value: unknown): Mismatch | undefined {
  const isKnown = Object.keys(isJsonObject(value) ? value : {}).every((name) => Object.hasOwn(constraintForms, name))
  return isKnown ? limits(value) : { path: '', expected: 'an object of constraints' }
}

const ofAnyKind = objectOf({
  kind: valueThat('a kind of type', (value) => typeof value === 'string' && Object.hasOwn(kinds, value)),
  constraints: optional(constraints),
})

/** A declaration, since types contain types. */
function type(value: unknown): Mismatch | undefined {
  return ofAnyKind(value) ?? kinds[(value as DescribedType).kind](value)
}

const signature = {
  params: listOf(objectOf({ name: text, optional: optional(flag), rest: optional(flag), type })),
  returns: objectOf({ type }),
}

const rule = objectOf({
  rule: text,
  args: optional(listOf(anything)),
  scheme: optional(objectOf({ name: text, scheme: text, header: optional(text), cookie: optional(text) })),
})

const procedure = objectOf({
  name: text,
  protocols: optional(listOf(text)),
  paramsObject: optional(flag),
  subscription: optional(flag),
  idempotent: optional(flag),
  security: optional(listOf(listOf(rule))),
  ...signature,
  overloads: optional(listOf(objectOf(signature))),
  throws: optional(listOf(objectOf({ code: valueThat('a number', (value) => typeof value === 'number') }))),
})

const lock = objectOf({ procedures: listOf(procedure), types: listOf(objectOf({ name: text, type })) })
