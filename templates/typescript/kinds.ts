import type { Kind, ModelType, NameRef, OfKind } from '../../generator/model/model.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { commonFormats } from '../../runtime/values/format.js'
import type { IndexOf, Keys } from '../../runtime/values/types.js'
import {
  alternatives,
  braces,
  brackets,
  call,
  flat,
  generic,
  intersection,
  key,
  type Layout,
  literal,
  memberPath,
  members,
  quote,
  upperFirst,
  valueLayout,
} from '../layout.js'
import { type IndexSignature, memberLayout } from './file.js'
import { identifierOf, lowerFirst } from './scope.js'

/** Names for printing a definition; records which ones are used. */
export interface Names {
  readonly types: TypesByName
  /** A name of `rpc-gen/codegen/v1`. */
  codegen(name: string): string
  /** The namespace of a module that is imported. */
  module(path: string): string
  /** The parameter that specifies the direction and the protocol. */
  wire(): string
  /** The definition of a named type; in a constant `lazy(() => order)` if it is defined later. */
  named(name: string): Layout
  /** True if a constant defines a type that several definitions and procedures need. */
  isShared(type: ModelType): boolean
  /** The constant of a type that is neither named nor an export of `codegen/v1`; `member` is the member that needs it. */
  constant(type: ModelType, member?: string): string
}

/** How types are written as TypeScript. */
export interface Form {
  /** In the sources, over JSON, or in a generated client. */
  readonly name: 'source' | 'json' | 'client'
  codegen(name: string): string
  /** The type of the values of a custom scalar; absent if values have their wire type. */
  decoded?(type: OfKind<'custom'>): Layout
  named(type: OfKind<'ref'>, form: Form): Layout
  /** How optional members are printed. Default: `name?: T`. `required`: for a subtype; `undefined`: for a supertype. */
  readonly optional?: 'required' | 'undefined'
}

/** The printed forms of a kind. */
interface Printer<Type> {
  /** True if the definition is an identifier: an export of `codegen/v1`, or a definition of the module. Default: false. */
  isIdentifier?(type: Type): boolean
  /** A word for the type in names: `stringOrNull`, `lineArray`. Default: none, as that would be incomplete. */
  word?(type: Type, definitions: Definitions): string | undefined
  /** The definition as a value: `array(line)`. */
  value(type: Type, names: Names): Layout
  /** The definition applied to a member of a struct: `readArray(v.lines, line, w)`. Default: as a constant. */
  applied?(type: Type, value: Layout, names: Names): Layout
  /** The type as TypeScript. */
  text(type: Type, form: Form): Layout
}

/** The names of definitions, by those of their types. */
type Definitions = ReadonlyMap<string, string>

type Texts = Readonly<Record<Form['name'], string>>

/** A type without parts: `int(v.age)`, or `date(v.placed, w)` if its form depends on the protocol. */
function scalar(name: string, texts: Texts, dependsOnWire = false): Printer<ModelType> {
  return {
    isIdentifier: () => true,
    word: ({ kind }) => kind,
    value: (_, names) => names.codegen(name),
    applied: (_, value, names) => call(names.codegen(name), [value, ...(dependsOnWire ? [names.wire()] : [])]),
    text: (_, form) => (/^(?:Int|Double)$/.test(texts[form.name]) ? form.codegen(texts[form.name]) : texts[form.name]),
  }
}

/** The same text in every form. */
function same(text: string): Texts {
  return { source: text, json: text, client: text }
}

/** A type whose definition is made once, as a constant: `read(v.status, orderStatus, w)`. */
function appliedConstant(type: ModelType, value: Layout, names: Names): Layout {
  return call(names.codegen('read'), [value, definition(type, names), names.wire()])
}

const classOfBytes = { Uint8Array: 'bytes', Buffer: 'buffer', ArrayBuffer: 'arrayBuffer' } as const

/** The printed forms of every kind. */
const printers: { readonly [K in Kind]: Printer<OfKind<K>> } = {
  int: scalar('int', { source: 'Int', json: 'number', client: 'number' }),
  double: scalar('double', { source: 'Double', json: 'number', client: 'number' }),
  number: scalar('number', same('number')),
  string: scalar('string', same('string')),
  boolean: scalar('boolean', same('boolean')),
  null: scalar('nullType', same('null')),
  date: scalar('date', { source: 'Date', json: 'string', client: 'Date' }, true),
  url: scalar('url', { source: 'URL', json: 'string', client: 'URL' }, true),
  undefined: scalar('undefinedType', { source: 'undefined', json: 'null', client: 'undefined' }, true),
  void: scalar('voidType', { source: 'void', json: 'null', client: 'void' }, true),
  any: scalar('any', same('unknown'), true),
  bigint: {
    isIdentifier: ({ value }) => value === undefined,
    word: ({ kind }) => kind,
    value: ({ value }, names) =>
      value === undefined ? names.codegen('bigint') : call(names.codegen('literal'), [`${value}n`]),
    applied: (type, value, names) =>
      type.value === undefined
        ? call(names.codegen('bigint'), [value, names.wire()])
        : appliedConstant(type, value, names),
    text: ({ value }, { name }) => {
      if (value === undefined) return name === 'json' ? 'string' : 'bigint'
      return name === 'json' ? quote(value) : `${value}n`
    },
  },
  bytes: {
    isIdentifier: () => true,
    word: ({ kind }) => kind,
    value: (type, names) => names.codegen(classOfBytes[type.as]),
    applied: (type, value, names) => call(names.codegen(classOfBytes[type.as]), [value, names.wire()]),
    text: (type, { name }) => (name === 'source' ? type.as : name === 'json' ? 'string' : 'Uint8Array'),
  },
  literal: {
    value: ({ value }, names) => call(names.codegen('literal'), [valueLayout(value)]),
    applied: (type, value, names) => call(names.codegen('readLiteral'), [value, valueLayout(type.value)]),
    // A type is one token: it cannot be a sum of parts.
    text: ({ value }) => flat(valueLayout(value)),
  },
  template: {
    value: ({ text, pattern }, names) => call(names.codegen('template'), [literal(text), literal(pattern)]),
    text: ({ text }) => intersection(templatesIn(text)),
  },
  array: {
    word: ({ element }, definitions) => ending(wordOf(element, definitions), 'Array'),
    value: ({ element }, names) => call(names.codegen('array'), [definitionValue(element, names)]),
    applied: ({ element }, value, names) =>
      call(names.codegen('readArray'), [value, definition(element, names), names.wire()]),
    text: ({ element, readonly }, form) => listText(element, readonly, form),
  },
  set: {
    word: ({ element }, definitions) => ending(wordOf(element, definitions), 'Set'),
    value: ({ element }, names) => call(names.codegen('set'), [definitionValue(element, names)]),
    text: ({ element, readonly }, form) =>
      form.name === 'json'
        ? listText(element, false, form)
        : generic(form.name === 'source' && readonly ? 'ReadonlySet' : 'Set', [textOf(element, form)]),
  },
  map: {
    word: ({ keys, value }, definitions) => (keys ? undefined : ending(wordOf(value, definitions), 'Map')),
    value: (type, names) => call(names.codegen('map'), [definitionValue(type.value, names), ...keysLayout(type)]),
    text: (type, form) => {
      const value = textOf(type.value, form)
      const keys = type.keys?.text ?? 'string'
      // Only a mapped type can be keyed by literals.
      if (form.name === 'json') return members([[type.keys ? `[name in ${keys}]?: ` : '[name: string]: ', value]])
      return generic(form.name === 'source' && type.readonly ? 'ReadonlyMap' : 'Map', [keys, value])
    },
  },
  tuple: {
    value: ({ elements, required, rest }, names) => {
      const all = brackets(elements.map((each) => definitionValue(each, names)))
      const least = rest || required < elements.length ? [`${required}`] : []
      return call(names.codegen('tuple'), [all, ...least, ...(rest ? [definitionValue(rest, names)] : [])])
    },
    text: tupleText,
  },
  struct: {
    word(type, definitions) {
      const index = recordIndex(type)
      return index && !index.keys ? ending(wordOf(index.type, definitions), 'Record') : undefined
    },
    value(type, names) {
      const index = recordIndex(type)
      if (!index) return names.constant(type)
      return call(names.codegen('record'), [definitionValue(index.type, names), ...keysLayout(index)])
    },
    text: (type, form) => structText(type, form),
  },
  union: {
    word: ({ branches }, definitions) => {
      const words = branches.flatMap((each) => wordOf(each, definitions) ?? [])
      return words.length < branches.length
        ? undefined
        : words.map((word, i) => (i === 0 ? word : upperFirst(word))).join('Or')
    },
    value: (type, names) => {
      const [inner, words] = [nullableOf(type), wordsOf(type)]
      if (words) return call(names.codegen('literal'), words)
      if (inner) return call(names.codegen('nullable'), [definitionValue(inner, names)])
      const branches = brackets(type.branches.map((each) => definitionValue(each, names)))
      const tag = type.discriminant === undefined ? [] : [quote(type.discriminant)]
      return [`${names.codegen('union')}(`, branches, [...tag.map((each) => `, ${each}`), ')']]
    },
    applied: (type, value, names) => {
      const [inner, words] = [nullableOf(type), wordsOf(type)]
      if (words && words.length <= MAX_WORDS) return call(names.codegen('readLiteral'), [value, ...words])
      if (!inner) return appliedConstant(type, value, names)
      return call(names.codegen('readNullable'), [value, definition(inner, names), names.wire()])
    },
    text: (type, form) => {
      const texts = type.branches.map((each) => textOf(each, form))
      return texts.some((each) => flat(each) === 'unknown') ? 'unknown' : alternatives(texts)
    },
  },
  custom: {
    word: ({ kind }) => kind,
    value: (type, names) =>
      call(names.codegen('scalar'), [quote(type.name), codecText(type, names), definitionValue(type.wire, names)]),
    text: (type, form) => form.decoded?.(type) ?? textOf(type.wire, form),
  },
  ref: {
    isIdentifier: () => true,
    word: ({ name }, definitions) => definitions.get(name),
    value: ({ name }, names) => names.named(name),
    text: (type, form) => form.named(type, form),
  },
}

/** The codec of a custom scalar as an expression, `scalars.decimal`, or its type. */
export function codecText(
  { codec, name }: OfKind<'custom'>,
  { module }: Pick<Names, 'module'>,
  text: typeof memberPath = memberPath,
): string {
  if (!codec) throw new Error(`the model has no codec of ${name}`)
  return text(module(codec.module), codec.name)
}

/** The template literal types in the text of a type, which are intersected if there are several. */
function templatesIn(text: string): readonly string[] {
  return text.match(/`(?:[^`\\]|\\.)*`/gs) ?? [text]
}

function printerOf(type: ModelType): Printer<ModelType> {
  return printers[type.kind] as Printer<ModelType>
}

/** The definition of a type as an expression, for parameters and results. */
export function definitionValue(type: ModelType, names: Names): Layout {
  return names.isShared(type) ? names.constant(type) : ownValue(type, names)
}

/** The same, written out for the constant that defines the type. */
export function ownValue(type: ModelType, names: Names): Layout {
  const plain = printerOf(type).value(type, names)
  if (!type.constraints) return plain
  const limits = Object.entries(type.constraints).map(([name, limit]) => [`${name}: `, limitValue(name, limit, names)])
  return call(names.codegen('constrained'), [plain, braces(limits)])
}

/** A literal, or the export of a format that not every server has. */
function limitValue(name: string, limit: unknown, names: Names): Layout {
  if (name !== 'format' || commonFormats.includes(`${limit}`)) return valueLayout(limit)
  return names.codegen(`${identifierOf(`${limit}`)}Format`)
}

/** A member of a struct, checked and converted. */
export function appliedTo(value: Layout, type: ModelType, names: Names): Layout {
  const own = type.constraints ? undefined : printerOf(type).applied?.(type, value, names)
  return own ?? appliedConstant(type, value, names)
}

/** The definition of a type as an identifier: its own, an export of `codegen/v1`, or a constant. */
export function definition(type: ModelType, names: Names): Layout {
  return !type.constraints && hasIdentifier(type) ? definitionValue(type, names) : names.constant(type)
}

/** True if the definition of a type without constraints is an identifier. */
export function hasIdentifier(type: ModelType): boolean {
  return printerOf(type).isIdentifier?.(type) ?? false
}

/** Returns a word for a type: its alias, or its content with constraints, `intMinimum1`; undefined if a part or a limit is not a word. */
export function wordOf(type: ModelType, definitions: Definitions): string | undefined {
  if (type.alias !== undefined) return lowerFirst(type.alias)
  const limits = Object.entries(type.constraints ?? {}).map(limitWord)
  return limits.includes(undefined) ? undefined : ending(printerOf(type).word?.(type, definitions), limits.join(''))
}

/** `Minimum1`, `FormatEmail`, `UniqueItems`; undefined if the limit cannot be part of a name. */
function limitWord([name, limit]: [string, unknown]): string | undefined {
  if (limit === true) return upperFirst(name)
  if (name === 'format') return `Format${upperFirst(identifierOf(`${limit}`))}`
  return /^\d+$/.test(`${limit}`) ? `${upperFirst(name)}${limit}` : undefined
}

/** A word with an ending. */
function ending(word: string | undefined, end: string): string | undefined {
  return word === undefined ? undefined : word + end
}

/** The type as TypeScript. */
export function textOf(type: ModelType, form: Form): Layout {
  return printerOf(type).text(type, form)
}

/** Returns the index signature of an object that has nothing else. */
export function recordIndex({ members, indexes = [] }: OfKind<'struct'>): IndexOf<NameRef> | undefined {
  return members.length === 0 && indexes.length === 1 ? indexes[0] : undefined
}

/** The keys of an index signature, as an argument. */
export function keysLayout({ keys }: { readonly keys?: Keys }): Layout[] {
  if (!keys) return []
  const numeric = keys.numeric ? [`numeric: ${quote(keys.numeric)}`] : []
  return [braces([`text: ${quote(keys.text)}`, ['pattern: ', literal(keys.pattern)], ...numeric])]
}

/** Returns the other branch of `T | null`. */
function nullableOf({ branches, discriminant }: OfKind<'union'>): ModelType | undefined {
  const [inner, last, ...others] = branches
  if (others.length > 0 || last?.kind !== 'null' || discriminant !== undefined) return undefined
  return inner?.kind === 'null' ? undefined : inner
}

/** More literals are a constant, which knows them by their values. */
const MAX_WORDS = 50

/** Returns the literals of a union that has no other branches. */
function wordsOf({ branches }: OfKind<'union'>): Layout[] | undefined {
  const words = branches.flatMap((each) =>
    each.kind === 'literal' && !each.constraints ? [valueLayout(each.value)] : [],
  )
  return words.length === branches.length ? words : undefined
}

/** Returns a type to which `[]` or `?` can be appended. */
export function grouped(text: Layout): Layout {
  const isJoined = typeof text === 'object' && 'separator' in text && [' |', ' &'].includes(text.separator)
  return isJoined || isReadonly(text) ? ['(', text, ')'] : text
}

/** True for a list whose first part is `readonly `. */
function isReadonly(text: Layout): boolean {
  return Array.isArray(text) && text[0] === readonlyList
}

const readonlyList = 'readonly '

function listText(element: ModelType, readonly: boolean | undefined, form: Form): Layout {
  const text = textOf(element, form)
  return [form.name === 'source' && readonly ? readonlyList : '', grouped(text), '[]']
}

function tupleText({ elements, required, rest, labels = [], readonly }: OfKind<'tuple'>, form: Form): Layout {
  const items = elements.map((each, i): Layout => {
    const label = labels[i]
    if (i < required) return [label ? `${label}: ` : '', textOf(each, form)]
    const text = isAbsent(each, form) ? 'never' : textOf(each, form)
    return label ? [`${label}?: `, text] : [grouped(text), '?']
  })
  const label = labels[elements.length]
  const others = rest ? [[label ? `...${label}: ` : '...', grouped(textOf(rest, form)), '[]']] : []
  return [form.name === 'source' && readonly ? readonlyList : '', brackets([...items, ...others])]
}

/**
 * True if the type of an optional member has to be `never`, so that the object is a subtype of the declared one: to
 * `b?: never`, undefined is not assignable under exactOptionalPropertyTypes, or without strictNullChecks.
 */
function isAbsent({ kind }: ModelType, { optional }: Form): boolean {
  return optional === 'required' && kind === 'undefined'
}

/** An object type. A recursive one cannot be written with Record. */
function structText(type: OfKind<'struct'>, form: Form): Layout {
  if (type.members.length === 0 && !type.indexes) return 'Record<string, never>'
  const index = recordIndex(type)
  if (form.name === 'source' && index)
    return generic('Record', [index.keys?.text ?? 'string', textOf(index.type, form)])
  return members([
    ...type.members.map(({ name, type: of, optional }) => {
      const text = textOf(of, form)
      if (optional && isAbsent(of, form)) return `${key(name)}?: never`
      if (!optional || form.optional === 'required') return [`${key(name)}: `, text]
      const isWider = form.optional === 'undefined' && flat(text) !== 'unknown'
      return [`${key(name)}?: `, isWider ? alternatives([text, 'undefined']) : text]
    }),
    ...indexSignatures(type, form).map(memberLayout),
  ])
}

/** The index signatures: an optional member beside them may be undefined, unless exactOptionalPropertyTypes is set. */
export function indexSignatures(
  type: OfKind<'struct'>,
  form: Form,
): (Omit<IndexSignature, 'doc'> & { readonly index: IndexOf<NameRef> })[] {
  return (type.indexes ?? []).map((index) => {
    const text = textOf(index.type, form)
    const isWider = type.members.some(({ optional }) => optional) && flat(text) !== 'unknown'
    return {
      index,
      keys: index.keys?.text ?? 'string',
      type: isWider ? alternatives([text, 'undefined']) : text,
    }
  })
}
