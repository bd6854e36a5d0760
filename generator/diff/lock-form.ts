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

/** Reads a lock as a description without texts and without signatures. Throws UsageError for another value; `name` is its name in messages. */
export function readLock(value: JsonObject, name: string): Description {
  if (value[lockFormat.key] !== lockFormat.version)
    throw new UsageError(`${name} was written by another version of rpc-gen: ${writeAgain}`)
  const wrong = firstWrong(value, 'lock')
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

/** What a value is: a scalar; the name of an object; `[x]`, a list of `x`; or `{x}`, a list whose order does not matter. */
type Form = string

/** The fields of an object in order. Those with a question mark may be missing; further ones are neither written nor read. */
type Fields = Readonly<Record<string, Form>>

const isFlag = (value: unknown) => typeof value === 'boolean'

const scalars: Readonly<Record<string, readonly [expected: string, test: (value: unknown) => boolean]>> = {
  /** It is written if it is true. */
  flag: ['true or false', isFlag],
  boolean: ['a boolean', isFlag],
  number: ['a number', (value) => typeof value === 'number'],
  string: ['a string', (value) => typeof value === 'string'],
  count: ['a number of elements', (value) => Number.isInteger(value) && Number(value) >= 0],
  constant: ['a string, a number, true or false', (value) => /^(?:string|number|boolean)$/.test(typeof value)],
  any: ['', () => true],
}

const objects: Readonly<Record<string, Fields>> = {
  lock: { procedures: '{procedure}', types: '{named}' },
  named: { name: 'string', type: 'type' },
  procedure: {
    name: 'string',
    ...Object.fromEntries(lockedFields.map(({ field, form }) => [`${field}?`, form])),
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

const limits = Object.entries(constraintForms).map(([name, [, limit]]): [string, Form] => [`${name}?`, limit])
const constraints: Fields = Object.fromEntries(limits.sort())

/** Returns the fields of an object; of a type after its kind. What is wrong with it is a text. */
function fieldsOf(form: Form, value: JsonObject): Fields | string {
  // Unlike further fields, constraints that are not known would change what is compared.
  if (form === 'constraints')
    return Object.keys(value).every((name) => Object.hasOwn(constraintForms, name))
      ? constraints
      : ' is not an object of constraints'
  if (form !== 'type') return objects[form] as Fields
  const { kind } = value
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return '.kind is not a kind of type'
  const { name, ...others } = kinds[kind as DescribedType['kind']]
  const sorted = Object.entries({ ...others, 'constraints?': 'constraints' }).sort(([a], [b]) => (a < b ? -1 : 1))
  return { kind: 'string', ...(name !== undefined && { name }), ...Object.fromEntries(sorted) }
}

function isMissing(key: string, value: unknown): boolean {
  return key.endsWith('?') && value === undefined
}

/** Returns what is wrong with a value, such as `.params is not a list`; undefined if it has the form. */
function firstWrong(value: unknown, form: Form, path = ''): string | undefined {
  if (/^[[{]/.test(form)) return wrongInList(value, form, path)
  const scalar = scalars[form]
  if (scalar) return scalar[1](value) ? undefined : `${path} is not ${scalar[0]}`
  if (!isJsonObject(value)) return `${path} is not an object`
  const fields = fieldsOf(form, value)
  if (typeof fields === 'string') return path + fields
  for (const [key, inner] of Object.entries(fields)) {
    const name = key.replace('?', '')
    const wrong = isMissing(key, value[name]) ? undefined : firstWrong(value[name], inner, `${path}.${name}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function wrongInList(value: unknown, form: Form, path: string): string | undefined {
  if (!Array.isArray(value)) return `${path} is not a list`
  const names = new Set<unknown>()
  for (const [i, each] of value.entries()) {
    const wrong = firstWrong(each, form.slice(1, -1), `${path}[${i}]`)
    if (wrong !== undefined) return wrong
    if (named.includes(form) && names.size === names.add(each.name).size)
      return `${path}[${i}].name is that of another one`
  }
  return undefined
}

/** Returns what a lock has of a value. */
export function writtenAs(form: Form, value: unknown): unknown {
  if (form.startsWith('{')) return sortedByText(writtenAs(`[${form.slice(1, -1)}]`, value) as readonly unknown[])
  if (form.startsWith('[')) return (value as readonly unknown[]).map((each) => writtenAs(form.slice(1, -1), each))
  if (Object.hasOwn(scalars, form) || !isJsonObject(value)) return value
  const fields = Object.entries(fieldsOf(form, value)).flatMap(([key, inner]) => {
    const name = key.replace('?', '')
    const isLeftOut = value[name] === undefined || (inner === 'flag' && value[name] === false)
    return isLeftOut ? [] : [[name, writtenAs(inner, value[name])]]
  })
  return Object.fromEntries(fields)
}

function sortedByText(values: readonly unknown[]): readonly unknown[] {
  return values
    .map((each) => [JSON.stringify(each), each] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each)
}
