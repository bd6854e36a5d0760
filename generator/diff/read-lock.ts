// Reads a lock. All that is compared of it is checked before, so that a lock which was edited or merged by hand is an error that names the place:
//
//     rpc.lock.json is not a lock as rpc-gen writes it: procedures[0].params[1].type.kind is not a kind of type: write it again with --lock
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import type { DescribedProcedure, DescribedType, Description } from '../../runtime/description/description.js'
import { signaturesOf } from '../../runtime/description/signatures.js'
import { constraintForms } from '../../runtime/values/constraints.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import { lockedFields } from './properties.js'

/** The version of the lock's form. */
export const lockFormat = { key: 'rpcLock', version: 2 } as const

export const writeAgain = 'write it again with --lock'

/** Reads a lock as a description without texts and without signatures. Throws UsageError for another value; `name` is its name in messages. */
export function readLock(value: JsonObject, name: string): Description {
  if (value[lockFormat.key] !== lockFormat.version)
    throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
  const wrong = firstWrong(value, lock, '')
  if (wrong) throw new UsageError(`${name} is not a lock as rpc-gen writes it: ${wrong.slice(1)}: ${writeAgain}`)
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

/** What `system.methodSignature` returns grows with the square of the optional params: with more params it is left out. */
const MAX_PARAMS = 100

/** Adds what `system.methodSignature` returns: only a document has it. */
export function withSignatures({ procedures, types }: Description): Description {
  const byName = new Map(types.map((each) => [each.name, each.type]))
  const add = (of: DescribedProcedure): DescribedProcedure => {
    const overloads = (of.overloads ?? [of]).map(({ params, returns = of.returns }) => ({ params, returns }))
    const few = overloads.every(({ params }) => params.length <= MAX_PARAMS) ? overloads : []
    return { ...of, signatures: signaturesOf(few, (reference) => byName.get(reference.name)) }
  }
  return { types, procedures: procedures.map(add) }
}

/** The form of a value: a test, or the members of an object, of which those with a question mark may be missing. Further members are not read. */
type Form = Test | Members
type Members = { readonly [name: string]: Form }

/** Returns what is wrong with a value, such as `.params is not a list`; undefined if it has the form. */
type Test = (value: unknown, path: string) => string | undefined

function firstWrong(value: unknown, form: Form, path: string): string | undefined {
  if (typeof form === 'function') return form(value, path)
  if (!isJsonObject(value)) return `${path} is not an object`
  for (const [key, inner] of Object.entries(form)) {
    const name = key.replace('?', '')
    const isMissing = name !== key && value[name] === undefined
    const wrong = isMissing ? undefined : firstWrong(value[name], inner, `${path}.${name}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function listOf(form: Form): Test {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path} is not a list`
    for (const [i, each] of value.entries()) {
      const wrong = firstWrong(each, form, `${path}[${i}]`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
}

/** The same for elements that have different names: a merge may leave one twice. */
function namedListOf(form: Members): Test {
  const isList = listOf(form)
  return (value, path) => {
    const wrong = isList(value, path)
    if (wrong !== undefined) return wrong
    const names = new Set<unknown>()
    const twice = (value as readonly JsonObject[]).findIndex(({ name }) => names.size === names.add(name).size)
    return twice < 0 ? undefined : `${path}[${twice}].name is that of another one`
  }
}

function valueThat(expected: string, isIt: (value: unknown) => boolean): Test {
  return (value, path) => (isIt(value) ? undefined : `${path} is not ${expected}`)
}

const text = valueThat('a string', (value) => typeof value === 'string')
const flag = valueThat('true or false', (value) => typeof value === 'boolean')
const number = valueThat('a number', (value) => typeof value === 'number')
const count = valueThat('a number of elements', (value) => Number.isInteger(value) && Number(value) >= 0)
const kind = valueThat('a kind of type', (value) => typeof value === 'string' && Object.hasOwn(kinds, value))
const constant = valueThat('a string, a number, true or false', (value) =>
  /^(?:string|number|boolean)$/.test(typeof value),
)
const anything = valueThat('', () => true)

const limits: Members = Object.fromEntries(
  Object.entries(constraintForms).map(([name, [, limit]]) => {
    return [`${name}?`, valueThat(`a ${limit}`, (value) => typeof value === limit)]
  }),
)

/** Unlike further members, constraints that are not known would change what is compared. */
function constraints(value: unknown, path: string): string | undefined {
  const isKnown = isJsonObject(value) && Object.keys(value).every((name) => Object.hasOwn(constraintForms, name))
  return isKnown ? firstWrong(value, limits, path) : `${path} is not an object of constraints`
}

/** A declaration, since types contain types. */
function type(value: unknown, path: string): string | undefined {
  const wrong = firstWrong(value, { kind, 'constraints?': constraints }, path)
  return wrong ?? firstWrong(value, kinds[(value as DescribedType).kind], path)
}

const keys = { text, pattern: text }
const schema = { 'format?': text, 'pattern?': text, 'contentEncoding?': text }

/** A kind without further properties. */
const plain = {}

const kinds: Readonly<Record<DescribedType['kind'], Members>> = {
  ...{ int: plain, double: plain, number: plain, string: plain, boolean: plain, date: plain, url: plain, null: plain },
  ...{ undefined: plain, void: plain, any: plain, bytes: plain },
  bigint: { 'value?': text },
  literal: { value: constant },
  template: keys,
  ref: { name: text },
  array: { element: type },
  set: { element: type },
  tuple: { elements: listOf(type), required: count, 'rest?': type },
  map: { 'keys?': keys, value: type },
  struct: {
    members: namedListOf({ name: text, 'optional?': flag, type }),
    'indexes?': listOf({ type, 'keys?': keys }),
  },
  union: { branches: listOf(type) },
  custom: { name: text, wire: type, 'schema?': schema },
}

const signature = {
  params: listOf({ name: text, 'optional?': flag, 'rest?': flag, type }),
  returns: { type },
}

const rule = {
  rule: text,
  'args?': listOf(anything),
  'scheme?': { name: text, scheme: text, 'header?': text, 'cookie?': text },
}

/** The forms of the fields that the table of properties has. */
const fieldForms = { flag, texts: listOf(text) }

const procedure = {
  name: text,
  ...Object.fromEntries(lockedFields.map(({ field, form }) => [`${field}?`, fieldForms[form]])),
  'security?': listOf(listOf(rule)),
  ...signature,
  'overloads?': listOf(signature),
  'throws?': listOf({ code: number }),
}

const lock = { procedures: namedListOf(procedure), types: namedListOf({ name: text, type }) }
