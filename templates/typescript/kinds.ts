// What is printed for each kind of type: one row for the generated module and the client. For `Date` these are
//
//   date    date(v.placed, w)    Date, string over JSON, Date in a client    'date' in the client's table
import type { Kind, ModelType, NameRef, OfKind } from '../../generator/model/model.js'
import { lowerFirst, memberKey, quote, upperFirst } from '../../generator/text.js'
import type { ClientScalar, ClientType } from '../../runtime/client/table.js'
import { innerTypesOf, recordIndex } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { jsonTypesOf } from '../../runtime/description/json-types.js'
import { textOf } from '../../runtime/description/type-text.js'
import { commonFormats } from '../../runtime/values/format.js'
import type { IndexOf, Keys, ScalarKind } from '../../runtime/values/types.js'
import { type ClientTypes, clientStruct, clientTuple, clientUnion, nullMeansOmitted } from './client-types.js'
import { type IndexSignature, memberLayout } from './file.js'
import {
  alternatives,
  braces,
  brackets,
  call,
  flat,
  generic,
  group,
  grouped,
  intersection,
  type Layout,
  literal,
  memberAccess,
  members,
  type Name,
  readonlyList,
  unknownType,
  valueLayout,
} from './layout.js'
import { codegen, codegenNames, identifierOf, wire } from './scope.js'

/** What a definition is printed with, besides its type: the names of the module, and where in it the type is used. */
export interface DefinitionContext {
  readonly types: TypesByName
  /** The names of definitions, by those of their types. */
  readonly definitions: DefinitionNames
  /** The namespaces of the modules that are imported, by path. */
  readonly modules: ReadonlyMap<string, string>
  readonly constants: Constants
  /** The use of the type, after which its constants are named. */
  readonly use: TypeUse
  /** True for types that are defined after the constant that is printed. Absent in functions, which may refer to all types. */
  readonly isLater?: (name: string) => boolean
}

/** The definitions of types without a name, which several definitions may share. */
export interface Constants {
  /** True if a constant defines a type that several definitions and procedures need. */
  isShared(type: ModelType): boolean
  /** Returns the constant of a type that is neither named nor an export of `codegen/v1`. Where it is not defined yet, the context defines it. */
  nameOf(type: ModelType, context: DefinitionContext): Name
}

/** Where a definition or a procedure uses a type: `line` in its member `Quantity`. */
interface TypeUse {
  /** The definition, or the procedure. */
  readonly user: string
  /** Its position among the definitions of named types; that of a procedure is after all of them. */
  readonly at: number
  /** The members of the constants around the type. */
  readonly path: string
  /** The member of a struct that has the type, if it is one. */
  readonly member: string
}

/** How types are written as TypeScript. */
export interface Dialect {
  /** In the sources, over JSON, or in a generated client. */
  readonly name: 'source' | 'json' | 'client'
  /** The type of the values of a custom scalar; absent if values have their wire type. */
  decoded?(type: OfKind<'custom'>): Layout
  named(type: OfKind<'ref'>, dialect: Dialect): Layout
  /** How optional members are printed. Default: `name?: T`. `required`: for a subtype; `undefined`: for a supertype. */
  readonly optional?: 'required' | 'undefined'
}

/** A function of codegen for a type that is defined later: `lazy(() => order)`. */
export const lazy = codegen('lazy')

/** True if the definition of a type is a function, which may be used before its declaration. */
export function isDefinedByFunction(type: ModelType): type is OfKind<'struct'> {
  return type.kind === 'struct' && !recordIndex(type) && !type.constraints
}

/** The printed forms of a kind. */
interface Printer<Type> {
  /** True if the definition is an identifier: an export of `codegen/v1`, or a definition of the module. Default: false. */
  isIdentifier?(type: Type): boolean
  /** A word for the type in names: `stringOrNull`, `lineArray`. Default: none, as that would be incomplete. */
  word?(type: Type, definitions: DefinitionNames): string | undefined
  /** The definition as a value: `array(line)`. */
  value(type: Type, context: DefinitionContext): Layout
  /** The definition applied to a member of a struct: `readArray(v.lines, line, w)`. Default: as a constant. */
  applied?(type: Type, value: Layout, context: DefinitionContext): Layout
  /** The type as TypeScript. */
  text(type: Type, dialect: Dialect): Layout
  /** How a client recognises and converts a value. */
  client(type: Type, table: ClientTypes): ClientType
  /** True if JSON cannot represent a value or a part of it. Default: the inner types decide. */
  isConverted?(type: Type, table: ClientTypes): boolean
}

/** The names of definitions, by those of their types. */
type DefinitionNames = ReadonlyMap<string, string>

/** A type without parts: `int(v.age)`, or `date(v.placed, w)` if its form depends on the protocol. */
function scalar(
  kind: ScalarKind,
  client: ClientScalar,
  dependsOnWire = false,
  name: string = kind,
): Printer<OfKind<ScalarKind>> {
  const texts = scalarTexts({ kind })
  return {
    isIdentifier: () => true,
    word: () => kind,
    value: () => codegen(name),
    applied: (_, value) => call(codegen(name), [value, ...(dependsOnWire ? [wire] : [])]),
    text: (_, dialect) => texts[dialect.name],
    ...clientScalar(client),
  }
}

/** A type that a client converts, unless JSON represents its values. */
function clientScalar(name: ClientScalar): Pick<Printer<ModelType>, 'client' | 'isConverted'> {
  return { client: () => name, isConverted: () => !unchanged.has(name) }
}

const unchanged: ReadonlySet<ClientScalar> = new Set<ClientScalar>(['any', 'string', 'number', 'boolean', 'null'])

/** The type as the source declares it, and its type in JSON. A client does not import the types of rpc-gen, such as Int. */
function scalarTexts(type: OfKind<ScalarKind>): Readonly<Record<Dialect['name'], Layout>> {
  if (type.kind === 'any') return { source: unknownType, json: unknownType, client: unknownType }
  const [json = ''] = jsonTypesOf(type)
  const text = textOf(type)
  if (!codegenNames.includes(text)) return { source: text, json, client: text }
  return { source: codegen(text), json, client: json }
}

/** A type whose definition is made once, as a constant: `read(v.status, orderStatus, w)`. */
function appliedConstant(type: ModelType, value: Layout, context: DefinitionContext): Layout {
  return call(codegen('read'), [value, definitionName(type, context), wire])
}

const classOfBytes = { Uint8Array: 'bytes', Buffer: 'buffer', ArrayBuffer: 'arrayBuffer' } as const

/** The printed forms of every kind. */
const printers: { readonly [K in Kind]: Printer<OfKind<K>> } = {
  int: scalar('int', 'number'),
  double: scalar('double', 'number'),
  number: scalar('number', 'number'),
  string: scalar('string', 'string'),
  boolean: scalar('boolean', 'boolean'),
  null: scalar('null', 'null', false, 'nullType'),
  date: scalar('date', 'date', true),
  url: scalar('url', 'url', true),
  undefined: scalar('undefined', 'undefined', true, 'undefinedType'),
  void: scalar('void', 'undefined', true, 'voidType'),
  any: scalar('any', 'any', true),
  bigint: {
    isIdentifier: ({ value }) => value === undefined,
    word: ({ kind }) => kind,
    value: ({ value }) => (value === undefined ? codegen('bigint') : call(codegen('literal'), [`${value}n`])),
    applied: (type, value, context) =>
      type.value === undefined ? call(codegen('bigint'), [value, wire]) : appliedConstant(type, value, context),
    text: ({ value }, { name }) => {
      if (value === undefined) return name === 'json' ? 'string' : 'bigint'
      return name === 'json' ? quote(value) : `${value}n`
    },
    ...clientScalar('bigint'),
  },
  bytes: {
    isIdentifier: () => true,
    word: ({ kind }) => kind,
    value: (type) => codegen(classOfBytes[type.as]),
    applied: (type, value) => call(codegen(classOfBytes[type.as]), [value, wire]),
    text: (type, { name }) => (name === 'source' ? type.as : name === 'json' ? 'string' : 'Uint8Array'),
    ...clientScalar('bytes'),
  },
  literal: {
    value: ({ value }) => call(codegen('literal'), [valueLayout(value)]),
    applied: (type, value) => call(codegen('readLiteral'), [value, valueLayout(type.value)]),
    // A type is one token: it cannot be a sum of parts.
    text: ({ value }) => flat(valueLayout(value)),
    client: ({ value }) => ['is', value],
  },
  template: {
    value: ({ text, pattern }) => call(codegen('template'), [literal(text), literal(pattern)]),
    text: ({ text }) => intersection(templatesIn(text)),
    client: ({ pattern }) => ['template', pattern],
  },
  array: {
    word: ({ element }, definitions) => ending(typeWord(element, definitions), 'Array'),
    value: ({ element }, context) => call(codegen('array'), [definitionValue(element, context)]),
    applied: ({ element }, value, context) =>
      call(codegen('readArray'), [value, definitionName(element, context), wire]),
    text: ({ element, readonly }, dialect) => listType(element, readonly, dialect),
    client: ({ element }, table) => ['array', table.part(element)],
  },
  set: {
    word: ({ element }, definitions) => ending(typeWord(element, definitions), 'Set'),
    value: ({ element }, context) => call(codegen('set'), [definitionValue(element, context)]),
    text: ({ element, readonly }, dialect) =>
      dialect.name === 'json'
        ? listType(element, false, dialect)
        : generic(dialect.name === 'source' && readonly ? 'ReadonlySet' : 'Set', [typeLayout(element, dialect)]),
    client: ({ element }, table) => ['set', table.part(element)],
    isConverted: () => true,
  },
  map: {
    word: ({ keys, value }, definitions) => (keys ? undefined : ending(typeWord(value, definitions), 'Map')),
    value: (type, context) => call(codegen('map'), [definitionValue(type.value, context), ...keysLayout(type)]),
    text: (type, dialect) => {
      const value = typeLayout(type.value, dialect)
      const keys = type.keys?.text ?? 'string'
      // Only a mapped type can be keyed by literals.
      if (dialect.name === 'json') return members([[type.keys ? `[name in ${keys}]?: ` : '[name: string]: ', value]])
      return generic(dialect.name === 'source' && type.readonly ? 'ReadonlyMap' : 'Map', [keys, value])
    },
    client: ({ keys, value }, table) =>
      keys?.numeric ? ['map', table.part(value), 'number'] : ['map', table.part(value)],
    isConverted: () => true,
  },
  tuple: {
    value: ({ elements, required, rest }, context) => {
      const all = brackets(elements.map((each) => definitionValue(each, context)))
      const least = rest || required < elements.length ? [`${required}`] : []
      return call(codegen('tuple'), [all, ...least, ...(rest ? [definitionValue(rest, context)] : [])])
    },
    text: tupleType,
    client: clientTuple,
    isConverted: (type, table) => nullMeansOmitted(type) || hasConverted(type, table),
  },
  struct: {
    word(type, definitions) {
      const index = recordIndex(type)
      return index && !index.keys ? ending(typeWord(index.type, definitions), 'Record') : undefined
    },
    value(type, context) {
      const index = recordIndex(type)
      if (!index) return context.constants.nameOf(type, context)
      return call(codegen('record'), [definitionValue(index.type, context), ...keysLayout(index)])
    },
    text: structType,
    client: clientStruct,
  },
  union: {
    word: ({ branches }, definitions) => {
      const words = branches.flatMap((each) => typeWord(each, definitions) ?? [])
      return words.length < branches.length
        ? undefined
        : words.map((word, i) => (i === 0 ? word : upperFirst(word))).join('Or')
    },
    value: (type, context) => {
      const [inner, words] = [nullableOf(type), literalWords(type)]
      if (words) return call(codegen('literal'), words)
      if (inner) return call(codegen('nullable'), [definitionValue(inner, context)])
      const branches = brackets(type.branches.map((each) => definitionValue(each, context)))
      const tag = type.discriminant === undefined ? [] : [quote(type.discriminant)]
      return [codegen('union'), '(', branches, [...tag.map((each) => `, ${each}`), ')']]
    },
    applied: (type, value, context) => {
      const [inner, words] = [nullableOf(type), literalWords(type)]
      if (words && words.length <= MAX_WORDS) return call(codegen('readLiteral'), [value, ...words])
      if (!inner) return appliedConstant(type, value, context)
      return call(codegen('readNullable'), [value, definitionName(inner, context), wire])
    },
    text: ({ branches }, dialect) => alternatives(branches.map((each) => typeLayout(each, dialect))),
    client: clientUnion,
  },
  custom: {
    word: ({ kind }) => kind,
    value: (type, context) =>
      call(codegen('scalar'), [quote(type.name), codecAccess(type, context), definitionValue(type.wire, context)]),
    text: (type, dialect) => dialect.decoded?.(type) ?? typeLayout(type.wire, dialect),
    client: ({ name, wire }, table) => (table.codecs ? ['custom', name, table.whole.part(wire)] : table.entry(wire)),
    isConverted: ({ wire }, table) => table.codecs || table.isConverted(wire),
  },
  ref: {
    isIdentifier: () => true,
    word: ({ name }, definitions) => definitions.get(name),
    value: ({ name }, { definitions, types, isLater }) => {
      const definition = definitions.get(name) ?? name
      const type = types.get(name)?.type
      const isUndefined = isLater?.(name) && type && !isDefinedByFunction(type)
      return isUndefined ? call(lazy, [`() => ${definition}`]) : { name: definition }
    },
    text: (type, dialect) => dialect.named(type, dialect),
    client(type, table) {
      const target = table.types.get(type.name)?.type
      const isListed = table === table.whole || table.isConverted(type)
      return isListed || !target ? table.refer(type.name) : table.entry(target)
    },
  },
}

/** The codec of a custom scalar as an expression, `scalars.decimal`, or its type. */
export function codecAccess(
  { codec, name }: OfKind<'custom'>,
  context: Pick<DefinitionContext, 'modules'>,
  access: typeof memberAccess = memberAccess,
): string {
  if (!codec) throw new Error(`the model has no codec of ${name}`)
  return access(namespaceOf(codec.module, context), codec.name)
}

/** The namespace of a module that is imported: `orders`. */
export function namespaceOf(path: string, { modules }: Pick<DefinitionContext, 'modules'>): string {
  return modules.get(path) ?? path
}

/** The template literal types in the text of a type, which are intersected if there are several. */
function templatesIn(text: string): readonly string[] {
  return text.match(/`(?:[^`\\]|\\.)*`/gs) ?? [text]
}

function printerOf(type: ModelType): Printer<ModelType> {
  return printers[type.kind] as Printer<ModelType>
}

/** The definition of a type as an expression, for parameters and results. */
export function definitionValue(type: ModelType, context: DefinitionContext): Layout {
  return context.constants.isShared(type) ? context.constants.nameOf(type, context) : definitionInFull(type, context)
}

/** The same, written out for the constant that defines the type. */
export function definitionInFull(type: ModelType, context: DefinitionContext): Layout {
  const plain = printerOf(type).value(type, context)
  if (!type.constraints) return plain
  const limits = Object.entries(type.constraints).map(([name, limit]) => [`${name}: `, limitValue(name, limit)])
  return call(codegen('constrained'), [plain, braces(limits)])
}

/** A literal, or the export of a format that not every server has. */
function limitValue(name: string, limit: unknown): Layout {
  if (name !== 'format' || commonFormats.includes(`${limit}`)) return valueLayout(limit)
  return codegen(`${identifierOf(`${limit}`)}Format`)
}

/** A member of a struct, checked and converted. */
export function appliedTo(value: Layout, type: ModelType, context: DefinitionContext): Layout {
  const own = type.constraints ? undefined : printerOf(type).applied?.(type, value, context)
  return own ?? appliedConstant(type, value, context)
}

/** The definition of a type as an identifier: its own, an export of `codegen/v1`, or a constant. */
export function definitionName(type: ModelType, context: DefinitionContext): Layout {
  return !type.constraints && hasIdentifier(type)
    ? definitionValue(type, context)
    : context.constants.nameOf(type, context)
}

/** True if the definition of a type without constraints is an identifier. */
export function hasIdentifier(type: ModelType): boolean {
  return printerOf(type).isIdentifier?.(type) ?? false
}

/** Returns a word for a type: its alias, or its content with constraints, `intMinimum1`; undefined if a part or a limit is not a word. */
export function typeWord(type: ModelType, definitions: DefinitionNames): string | undefined {
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

/** Returns the entry of a type in the table of a client. */
export function clientEntry(type: ModelType, table: ClientTypes): ClientType {
  return printerOf(type).client(type, table)
}

/** True if a client converts the values of a type that is not a reference. */
export function isConverted(type: ModelType, table: ClientTypes): boolean {
  return printerOf(type).isConverted?.(type, table) ?? hasConverted(type, table)
}

function hasConverted(type: ModelType, table: ClientTypes): boolean {
  return innerTypesOf(type).some(table.isConverted)
}

/** The type as TypeScript. */
export function typeLayout(type: ModelType, dialect: Dialect): Layout {
  return printerOf(type).text(type, dialect)
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
function literalWords({ branches }: OfKind<'union'>): Layout[] | undefined {
  const words = branches.flatMap((each) =>
    each.kind === 'literal' && !each.constraints ? [valueLayout(each.value)] : [],
  )
  return words.length === branches.length ? words : undefined
}

function listType(element: ModelType, readonly: boolean | undefined, dialect: Dialect): Layout {
  const list = [grouped(typeLayout(element, dialect)), '[]']
  return dialect.name === 'source' && readonly ? readonlyList(list) : list
}

function tupleType({ elements, required, rest, labels = [], readonly }: OfKind<'tuple'>, dialect: Dialect): Layout {
  const items = elements.map((each, i): Layout => {
    const label = labels[i]
    if (i < required) return [label ? `${label}: ` : '', typeLayout(each, dialect)]
    const text = isOnlyUndefined(each, dialect) ? 'never' : typeLayout(each, dialect)
    return label ? [`${label}?: `, text] : [grouped(text), '?']
  })
  const label = labels[elements.length]
  const others = rest ? [[label ? `...${label}: ` : '...', grouped(typeLayout(rest, dialect)), '[]']] : []
  const list = group('[]', [...items, ...others], { isTerminated: !rest })
  return dialect.name === 'source' && readonly ? readonlyList(list) : list
}

/**
 * True if the type of an optional member has to be `never`, so that the object is a subtype of the declared one: to
 * `b?: never`, undefined is not assignable under exactOptionalPropertyTypes, or without strictNullChecks.
 */
function isOnlyUndefined({ kind }: ModelType, { optional }: Dialect): boolean {
  return optional === 'required' && kind === 'undefined'
}

/** An object type. A recursive one cannot be written with Record. */
function structType(type: OfKind<'struct'>, dialect: Dialect): Layout {
  if (type.members.length === 0 && !type.indexes) return 'Record<string, never>'
  const index = recordIndex(type)
  if (dialect.name === 'source' && index)
    return generic('Record', [index.keys?.text ?? 'string', typeLayout(index.type, dialect)])
  return members([
    ...type.members.map(({ name, type: of, optional }) => {
      const text = typeLayout(of, dialect)
      if (optional && isOnlyUndefined(of, dialect)) return `${memberKey(name)}?: never`
      if (!optional || dialect.optional === 'required') return [`${memberKey(name)}: `, text]
      return [`${memberKey(name)}?: `, dialect.optional === 'undefined' ? alternatives([text, 'undefined']) : text]
    }),
    ...indexSignatures(type, dialect).map(memberLayout),
  ])
}

/** The index signatures: an optional member beside them may be undefined, unless exactOptionalPropertyTypes is set. */
export function indexSignatures(
  type: OfKind<'struct'>,
  dialect: Dialect,
): (Omit<IndexSignature, 'doc'> & { readonly index: IndexOf<NameRef> })[] {
  return (type.indexes ?? []).map((index) => {
    const text = typeLayout(index.type, dialect)
    const hasOptional = type.members.some(({ optional }) => optional)
    return {
      index,
      keys: index.keys?.text ?? 'string',
      type: hasOptional ? alternatives([text, 'undefined']) : text,
    }
  })
}
