// The definitions of types, which check and convert values, and the types that a file declares. `interface Order { note?: string }` is
//
//   function order(v: any, w: Wire): any { … if (isPresent(v.note, w)) out.note = string(v.note) … }
import type { ModelType, NamedType, OfKind } from '../../generator/model/model.js'
import { isIdentifier, lowerFirst, memberKey, quote, upperFirst } from '../../generator/text.js'
import { acceptsNull, rejectsUndefined } from '../../runtime/description/json-types.js'
import type { EnumConstant, TypeNotes, ValueNotes } from '../../runtime/values/types.js'
import { paragraphs, withConstraintText } from '../docs.js'
import type { TypeDeclaration } from './file.js'
import {
  appliedTo,
  type DefinitionContext,
  type Dialect,
  definitionInFull,
  definitionName,
  indexSignatures,
  isDefinedByFunction,
  keysLayout,
  lazy,
  typeLayout,
} from './kinds.js'
import {
  braces,
  brackets,
  call,
  containsName,
  docBlock,
  flat,
  grouped,
  indentLines,
  intersection,
  isName,
  type Layout,
  lineWidth,
  literal,
  type Name,
  print,
  property,
  members as typeMembers,
  valueLayout,
} from './layout.js'
import { codegen, identifierOf, wire } from './scope.js'

type Struct = OfKind<'struct'>
type StructMember = Struct['members'][number]

/** The layout of a definition: a line, or the head of a function with the lines of its body. */
export interface DefinitionLayout {
  readonly head: Layout
  readonly body?: readonly Layout[]
}

/** Returns the layout of a type's definition under a name: a function for a struct, a constant for any other type. */
export function definitionLayout(name: Name, type: ModelType, context: DefinitionContext): DefinitionLayout {
  if (isDefinedByFunction(type)) return structFunction(name, type, context)
  const value = definitionInFull(type, context)
  // `alias` gives the definition its own name; the one that it refers to keeps another.
  const own = isName(value) ? call(codegen('alias'), [value]) : value
  // TypeScript could not infer the type of a constant that refers to itself by `lazy(() => later)`.
  const annotation = containsName(own, (each) => each === lazy) ? [': ', codegen('Type')] : ''
  return { head: ['const ', name, annotation, ' = ', own] }
}

/** The text of a definition: of a function whose body has one line in one line, if that fits. */
export function definitionText({ head, body }: DefinitionLayout): string {
  if (!body) return print(head)
  const [only = '', ...others] = body
  const line = `${flat(head)} { ${flat(only)} }`
  if (others.length === 0 && line.length <= lineWidth) return line
  return `${flat(head)} {\n${body.map((each) => `  ${print(each, 2)}`).join('\n')}\n}`
}

/**
 * `function order(v: any, w: Wire): any { … }`: the required members in one literal, then a statement for each optional one and each index
 * signature:
 *
 *   const out: any = { id: string(v?.id) }
 *   if (isPresent(v.note, w)) out.note = string(v.note)
 *   return out
 */
function structFunction(name: Name, type: Struct, context: DefinitionContext): DefinitionLayout {
  const required = type.members.filter(({ optional }) => !optional)
  const optional = type.members.filter((each) => each.optional)
  const rejecting = required.findIndex((each) => rejectsOthers(each, context))
  const members = braces(required.map((each, i) => memberProperty(each, i <= rejecting, context)))
  const indexes = indexCalls(name, type, context)
  const last = indexes.pop()
  const check = call(codegen('readStruct'), ['v'])
  const before = rejecting < 0 && required.length > 0 ? [check] : []
  // `readStruct` returns an object without members.
  const first = rejecting < 0 && required.length === 0 ? check : members
  const rest = [...optionalStatements(name, optional, type, context), ...indexes]
  const body: Layout[] =
    rest.length === 0 && !last
      ? [...before, ['return ', first]]
      : [
          ...before,
          [first === check ? 'const out = ' : 'const out: any = ', first],
          ...rest,
          ['return ', last ?? 'out'],
        ]
  const usesWire = containsName(body, (each) => each === wire)
  return { head: ['function ', name, '(v: any', usesWire ? [', w: ', codegen('Wire')] : '', '): any'], body }
}

/** True if a member rejects every value that is not a struct: it rejects undefined, and values of other classes have no such member. */
function rejectsOthers({ name, type }: StructMember, context: DefinitionContext): boolean {
  return rejectsUndefined(type, context.types) && !platformHas(name)
}

/** `id: string(v.id)`, or `id: string(v?.id)` if the value may not be an object. */
function memberProperty(member: StructMember, isAnyValue: boolean, context: DefinitionContext): Layout {
  const value = memberValue(member, isAnyValue ? '?' : '')
  return property(member.name, appliedTo(value, member.type, inMember(member.name, context)))
}

/** Returns the context of a member, after which its constants are named. */
function inMember(name: string, context: DefinitionContext): DefinitionContext {
  return { ...context, use: { ...context.use, member: upperFirst(lowerFirst(identifierOf(name))) } }
}

/** A struct with more members looks for those that a value has. */
const MAX_NARROW = 50

function isWide({ members }: Struct): boolean {
  return members.length > MAX_NARROW
}

/** An assignment for each optional member, or `readOptionalMembers(v, order, () => [['note', string], …], w, out)` for very many. */
function optionalStatements(
  name: Name,
  optional: readonly StructMember[],
  type: Struct,
  context: DefinitionContext,
): Layout[] {
  if (!isWide(type) || optional.length === 0) return optional.map((each) => assignment(each, context))
  const list = optional.map((each) => {
    return brackets([quote(each.name), definitionName(each.type, inMember(each.name, context))])
  })
  const listed: Layout = ['() => ', brackets(list)]
  return [call(codegen('readOptionalMembers'), ['v', name, listed, wire, 'out'])]
}

/** `readIndexSignature(v, ['id'], number, w, out)` for each index signature, with the members that are not read by it. */
function indexCalls(name: Name, type: Struct, context: DefinitionContext): Layout[] {
  const known = isWide(type) ? name : brackets(type.members.map((each) => quote(each.name)))
  const at = inMember('indexSignature', context)
  return (type.indexes ?? []).map((index) => {
    const args = ['v', known, definitionName(index.type, at), wire, 'out', ...keysLayout(index)]
    return call(codegen('readIndexSignature'), args)
  })
}

/** `if (isPresent(v.note, w)) out.note = string(v.note)` */
function assignment(member: StructMember, context: DefinitionContext): Layout {
  const { name, type } = member
  const value = memberValue(member)
  const test = codegen(acceptsNull(type, context.types) ? 'isPresentOrNull' : 'isPresent')
  const checked = appliedTo(value, type, inMember(name, context))
  const condition: Layout = ['if (', test, '(', value, ', ', wire, ')) ']
  if (name !== '__proto__')
    return [...condition, isIdentifier(name) ? `out.${name}` : `out[${quote(name)}]`, ' = ', checked]
  return [...condition, call(codegen('setMember'), ['out', quote(name), checked])]
}

/** Returns how a member is read: with `ownMember` if every object inherits a property of that name. */
function memberValue({ name }: StructMember, optional: '' | '?' = ''): Layout {
  if (name in Object.prototype) return call(codegen('ownMember'), ['v', quote(name)])
  if (isIdentifier(name)) return `v${optional}.${name}`
  return `v${optional}${optional && '.'}[${quote(name)}]`
}

/** Names that a string, number, boolean, symbol, function, array, Date, Uint8Array, Buffer, ArrayBuffer, Map, Set or URL has, beside indices. */
const platformNames = new Set(
  (
    'BYTES_PER_ELEMENT add anchor apply arguments at big bind blink bold buffer byteLength byteOffset call caller charAt ' +
    'charCodeAt clear codePointAt compare ' +
    'concat copy copyWithin delete description detached difference endsWith entries equals every fill filter find findIndex findLast ' +
    'findLastIndex fixed flat flatMap fontcolor fontsize forEach get has hash host hostname href includes indexOf inspect ' +
    'intersection isDisjointFrom isSubsetOf isSupersetOf isWellFormed italics join keys lastIndexOf length link localeCompare ' +
    'map match matchAll maxByteLength name normalize offset origin padEnd padStart parent password pathname pop port protocol prototype push ' +
    'reduce reduceRight repeat replace replaceAll resizable resize reverse search searchParams set shift size slice small some ' +
    'sort splice split startsWith strike sub subarray substr substring sup swap16 swap32 swap64 symmetricDifference transfer ' +
    'transferToFixedLength trim trimEnd trimLeft trimRight trimStart union unshift username values with write'
  ).split(' '),
)

/** True if a value that is not a struct may have a property of this name. */
export function platformHas(name: string): boolean {
  return platformNames.has(name) || name in Object.prototype || /^(?:\d+$|(?:get|set|to|read|write)[A-Z])/.test(name)
}

/** `order: [order, { note: 'For the courier' }]`: a type, its docs, and the order of its members. */
export function describeEntry(named: NamedType, constant: Name): Layout {
  const { name, type } = named
  const members = type.kind === 'struct' ? type.members : []
  const own = notesLayout(named)
  const notes = members.flatMap((each) => {
    const layout = notesLayout(each)
    return layout === undefined ? [] : [{ name: each.name, layout }]
  })
  const docs = [
    ...(own === undefined ? [] : [["'': ", own]]),
    ...notes.flatMap((each) => (each.name === '' ? [] : [[`${memberKey(each.name)}: `, each.layout]])),
  ]
  const unnamed = notes.flatMap((each) => (each.name === '' ? [each.layout] : []))
  const isOrdered = isReordered(members) || unnamed.length > 0
  const order = isOrdered ? [brackets(members.map((each) => quote(each.name))), ...unnamed] : []
  // A type and its definition may differ only in the case of the first letter.
  const shown = upperFirst(constant.name) === name ? constant.name : name
  if (docs.length === 0 && order.length === 0) return property(shown, constant)
  return property(shown, brackets([constant, braces(docs), ...order]))
}

/** Returns docs as the runtime reads them: the text alone, or an object if there is more; undefined if there are none. */
export function notesLayout(notes: TypeNotes & ValueNotes): Layout | undefined {
  const { doc, deprecated, deprecation, default: value, constants } = notes
  const more = [
    ...(deprecated ? ['deprecated: true'] : []),
    ...(deprecation === undefined ? [] : [['deprecation: ', literal(deprecation)]]),
    ...(value === undefined ? [] : [['default: ', valueLayout(value)]]),
    ...(constants ? [['constants: ', brackets(constants.map(valueLayout))]] : []),
  ]
  if (more.length === 0) return doc === undefined ? undefined : literal(doc)
  return braces([...(doc === undefined ? [] : [['doc: ', literal(doc)]]), ...more])
}

/** True if an optional member is declared before a required one: definitions have the required ones first. */
function isReordered(members: readonly StructMember[]): boolean {
  const first = members.findIndex(({ optional }) => optional)
  return first >= 0 && members.slice(first).some(({ optional }) => !optional)
}

/** A named type in a dialect that the file declares: an interface, or an alias if it is not an object. `brand` has the members of its brand. */
export function ownType(
  name: string,
  { type, ...notes }: NamedType,
  dialect: Dialect,
  isPublic: boolean,
  brand: readonly Layout[] = [],
): TypeDeclaration {
  const head = { name, isCompact: !isPublic, doc: isPublic ? memberDoc(notes, type) : '' }
  if (type.kind !== 'struct') {
    const text = typeLayout(type, dialect)
    return { ...head, type: brand.length === 0 ? text : intersection([grouped(text), typeMembers(brand)]) }
  }
  const members = type.members.map((each) => ({
    name: each.name,
    type: typeLayout(each.type, dialect),
    doc: isPublic ? memberDoc(each, each.type) : '',
    ...(each.optional ? { optional: true } : {}),
  }))
  const others = indexSignatures(type, dialect).map(({ index, ...each }) => ({
    ...each,
    doc: isPublic ? memberDoc({}, index.type) : '',
  }))
  return { ...head, members: [...members, ...others], ...(brand.length === 0 ? {} : { brand }) }
}

/** Returns docs as TSDoc: the text, the constraints of the type, the default and the deprecation. */
function memberDoc(notes: ValueNotes, type?: ModelType): string {
  const { deprecated, deprecation = '', default: value } = notes
  const tags = [
    ...(value === undefined ? [] : [`@defaultValue ${JSON.stringify(value)}`]),
    ...(deprecated ? [tsdocTag('@deprecated', deprecation)] : []),
  ]
  return paragraphs([type ? withConstraintText(notes.doc ?? '', type) : (notes.doc ?? ''), tags.join('\n')])
}

/** A tag with a text, whose further lines are indented. */
export function tsdocTag(name: string, text: string): string {
  return `${name} ${text.replace(/\n/g, '\n  ')}`.trimEnd()
}

/** The names of the values of an enum as a constant of a client, with their docs. */
export function constantsText(name: string, constants: readonly EnumConstant[]): string {
  const members = constants.map((each) => {
    const text = `${memberKey(each.name)}: ${typeof each.value === 'string' ? quote(each.value) : each.value},`
    return indentLines(`${docBlock(memberDoc(each))}${text}`, 2)
  })
  return `/** The names of the values of \`${name}\`. */\nexport const ${name} = {\n${members.join('\n')}\n} as const`
}
