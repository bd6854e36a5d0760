import { type Printable, printableOf } from './print.js'
import { type ArrayBranch, type Branch, byName, type ObjectBranch, type Type } from './type.js'

type Words = readonly (readonly [word: string, value: Printable])[]

/** A branch as JSON Schema. */
export function plainSchema(branch: Branch, schemaOf: (type: Type) => Printable): Printable {
  const schema = new Map<string, Printable>()
  const again: Printable[] = []
  for (const [word, value] of [...wordsOf(branch, schemaOf), ...(branch.opaque ?? []).map(opaqueWord)]) {
    if (schema.has(word)) again.push(new Map([[word, value]]))
    else schema.set(word, value)
  }
  return again.length === 0 ? schema : schema.set('allOf', again)
}

function opaqueWord(text: string): readonly [string, Printable] {
  const space = text.indexOf(' ')
  return [text.slice(0, space), printableOf(JSON.parse(text.slice(space + 1)))]
}

function wordsOf(branch: Branch, schemaOf: (type: Type) => Printable): Words {
  switch (branch.kind) {
    case 'any':
      return []
    case 'null':
      return [['type', 'null']]
    case 'literal':
      return [['enum', [branch.value]]]
    case 'constant':
      return [['const', printableOf(JSON.parse(branch.text))]]
    case 'number':
      return numberWords(branch)
    case 'string':
      return stringWords(branch)
    case 'array':
      return arrayWords(branch, schemaOf)
    case 'object':
      return objectWords(branch, schemaOf)
  }
}

function numberWords({ integer, least, most, above, below, steps }: Extract<Branch, { kind: 'number' }>): Words {
  const isInt = integer && least === -(2 ** 31) && most === 2 ** 31 - 1
  const limits: Words = [
    ...limit(above ? 'exclusiveMinimum' : 'minimum', least),
    ...limit(below ? 'exclusiveMaximum' : 'maximum', most),
  ]
  return [
    ['type', integer ? 'integer' : 'number'],
    ...(isInt ? ([['format', 'int32']] as const) : limits),
    ...steps.map((step) => ['multipleOf', step] as const),
  ]
}

function limit(word: string, value: number): Words {
  return Number.isFinite(value) ? [[word, value]] : []
}

function stringWords({ least, most, patterns, formats }: Extract<Branch, { kind: 'string' }>): Words {
  return [
    ['type', 'string'],
    ...(least > 0 ? limit('minLength', least) : []),
    ...limit('maxLength', most),
    ...patterns.map((pattern) => ['pattern', pattern] as const),
    ...formats.map((format) => [format === 'base64' ? 'contentEncoding' : 'format', format] as const),
  ]
}

function arrayWords({ prefix, rest, least, most, unique }: ArrayBranch, schemaOf: (type: Type) => Printable): Words {
  return [
    ['type', 'array'],
    ...(prefix.length > 0 ? ([['prefixItems', prefix.map(schemaOf)]] as const) : []),
    ['items', rest ? schemaOf(rest) : false],
    ...(least > 0 ? limit('minItems', least) : []),
    ...(rest ? limit('maxItems', most) : []),
    ...(unique ? ([['uniqueItems', true]] as const) : []),
  ]
}

function objectWords({ members, patterns, others }: ObjectBranch, schemaOf: (type: Type) => Printable): Words {
  const schemas = (types: readonly [string, Type][]) => new Map(types.map(([name, type]) => [name, schemaOf(type)]))
  const all = byName(members)
  const required = all.filter(([, each]) => each.required).map(([name]) => name)
  return [
    ['type', 'object'],
    ...(all.length > 0 ? ([['properties', schemas(all.map(([name, { type }]) => [name, type]))]] as const) : []),
    ...(required.length > 0 ? ([['required', required]] as const) : []),
    ...(patterns.size > 0 ? ([['patternProperties', schemas(byName(patterns))]] as const) : []),
    ...(others === 'dropped'
      ? []
      : ([['additionalProperties', others === 'refused' ? false : schemaOf(others)]] as const)),
  ]
}
