// The form of a lock: what it has of procedures and types. A lock is written by this table, and what is read is checked by it, so that a lock
// which was edited or merged by hand is an error that names the place:
//
//     procedures[0].params[1].type.kind is not a kind of type
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import type { DescribedType, Description } from '../../runtime/description/description.js'
import { constraintForms } from '../../runtime/values/constraints.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import { lockedFields } from './properties.js'

/** The version of the form. */
export const lockFormat = { key: 'rpcLock', version: 2 } as const

export const writeAgain = 'write it again with --lock'

/** A value has another form than that of a lock; the message is its place, and what it is not. */
class WrongForm extends Error {}

/** Reads a lock as a description without texts and without signatures. Throws UsageError for another value; `name` is its name in messages. */
export function readLock(value: JsonObject, name: string): Description {
  if (value[lockFormat.key] !== lockFormat.version)
    throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
  try {
    const { procedures, types } = lockedForm(value, 'lock', false) as Description
    return { types, procedures: procedures.map((each) => ({ ...each, description: '', signatures: [] })) }
  } catch (error) {
    if (!(error instanceof WrongForm)) throw error
    throw new UsageError(`${name} is not a lock as rpc-gen writes it: ${error.message.slice(1)}: ${writeAgain}`)
  }
}

/** What a value is: a scalar; the name of an object; `[x]`, a list of `x`; or `{x}`, a list whose order does not matter. */
type Form = string

/** The fields of an object in order. Those with a question mark may be missing; further ones are neither written nor read. */
type Fields = Readonly<Record<string, Form>>

const scalars: Readonly<Record<string, readonly [expected: string, test: (value: unknown) => boolean]>> = {
  /** It is written if it is true. */
  flag: ['true or false', (value) => typeof value === 'boolean'],
  boolean: ['a boolean', (value) => typeof value === 'boolean'],
  number: ['a number', (value) => typeof value === 'number'],
  string: ['a string', (value) => typeof value === 'string'],
  count: ['a number of elements', (value) => Number.isInteger(value) && Number(value) >= 0],
  constant: ['a string, a number, true or false', (value) => /^(?:string|number|boolean)$/.test(typeof value)],
  any: ['', () => true],
}

const limits = Object.entries(constraintForms).map(([name, [, limit]]): [string, Form] => [`${name}?`, limit])

const objects: Readonly<Record<string, Fields>> = {
  lock: { procedures: '{procedure}', types: '{named}' },
  named: { name: 'string', type: 'type' },
  procedure: {
    name: 'string',
    ...Object.fromEntries(Object.entries(lockedFields).map(([name, form]) => [`${name}?`, form])),
    'security?': '[[rule]]',
    params: '[param]',
    'overloads?': '[signature]',
    returns: 'result',
    'throws?': '[error]',
  },
  signature: { params: '[param]', returns: 'result' },
  param: { name: 'string', 'optional?': 'flag', 'rest?': 'flag', type: 'type' },
  result: { type: 'type' },
  error: { code: 'number' },
  rule: { rule: 'string', 'args?': '[any]', 'scheme?': 'scheme' },
  scheme: { name: 'string', scheme: 'string', 'header?': 'string', 'cookie?': 'string' },
  member: { name: 'string', 'optional?': 'flag', type: 'type' },
  index: { 'keys?': 'keys', type: 'type' },
  keys: { pattern: 'string', text: 'string' },
  constraints: Object.fromEntries(limits.sort()),
  schema: { 'contentEncoding?': 'string', 'format?': 'string', 'pattern?': 'string' },
}

/** Objects that have different names in a list: a merge may leave one twice. */
const named: readonly Form[] = ['{procedure}', '{named}', '{member}']

const plain: Fields = {}

const kinds: Readonly<Record<DescribedType['kind'], Fields>> = {
  ...{ int: plain, double: plain, number: plain, string: plain, boolean: plain, date: plain, url: plain, null: plain },
  ...{ undefined: plain, void: plain, any: plain, bytes: plain },
  bigint: { 'value?': 'string' },
  literal: { value: 'constant' },
  template: { pattern: 'string', text: 'string' },
  ref: { name: 'string' },
  array: { element: 'type' },
  set: { element: 'type' },
  tuple: { elements: '[type]', required: 'count', 'rest?': 'type' },
  map: { 'keys?': 'keys', value: 'type' },
  struct: { 'indexes?': '[index]', members: '{member}' },
  union: { branches: '{type}' },
  custom: { name: 'string', 'schema?': 'schema', wire: 'type' },
}

/** The fields of a type by its kind: the kind, the name, and the others by name. */
const typeFields: Readonly<Record<string, Fields>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, { name, ...others }]) => {
    const sorted = Object.entries({ ...others, 'constraints?': 'constraints' }).sort(([a], [b]) => (a < b ? -1 : 1))
    return [kind, { kind: 'string', ...(name !== undefined && { name }), ...Object.fromEntries(sorted) }]
  }),
)

function fieldsOf(form: Form, value: JsonObject, path: string): Fields {
  // Unlike further fields, constraints that are not known would change what is compared.
  if (form === 'constraints' && !Object.keys(value).every((name) => Object.hasOwn(constraintForms, name)))
    throw new WrongForm(`${path} is not an object of constraints`)
  if (form !== 'type') return objects[form] as Fields
  const { kind } = value
  if (typeof kind !== 'string' || !Object.hasOwn(typeFields, kind))
    throw new WrongForm(`${path}.kind is not a kind of type`)
  return typeFields[kind] as Fields
}

/** Returns what a lock has of a value, in its order if it is `sorted`. Throws WrongForm for one of another form, as one that was read may be. */
export function lockedForm(value: unknown, form: Form, sorted: boolean, path = ''): unknown {
  if (/^[[{]/.test(form)) return lockedList(value, form, sorted, path)
  const [expected, test] = scalars[form] ?? ['an object', isJsonObject]
  if (!test(value)) throw new WrongForm(`${path} is not ${expected}`)
  if (form in scalars) return value
  const object = value as JsonObject
  const fields = Object.entries(fieldsOf(form, object, path)).flatMap(([key, inner]) => {
    const name = key.replace('?', '')
    const isMissing = name !== key && (object[name] === undefined || (inner === 'flag' && object[name] === false))
    return isMissing ? [] : [[name, lockedForm(object[name], inner, sorted, `${path}.${name}`)]]
  })
  return Object.fromEntries(fields)
}

/** A list whose order does not matter is sorted by the text of its elements. */
function lockedList(value: unknown, form: Form, sorted: boolean, path: string): unknown {
  if (!Array.isArray(value)) throw new WrongForm(`${path} is not a list`)
  const all = value.map((each, i) => lockedForm(each, form.slice(1, -1), sorted, `${path}[${i}]`))
  const names = new Set<unknown>()
  const twice = named.includes(form) ? value.findIndex(({ name }) => names.size === names.add(name).size) : -1
  if (twice >= 0) throw new WrongForm(`${path}[${twice}].name is that of another one`)
  if (!sorted || form.startsWith('[')) return all
  const texts = all.map((each) => [JSON.stringify(each), each] as const)
  return texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}
