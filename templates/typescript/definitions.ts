import type { ModelType, NamedType, NameRef, OfKind } from '../../generator/model/model.js'
import { docText, withDefault } from '../../runtime/description/description.js'
import { acceptsNull, rejectsUndefined } from '../../runtime/description/json-types.js'
import { describeConstraints } from '../../runtime/values/constraints.js'
import type { EnumConstant, IndexOf, Notes, TypeNotes, ValueNotes } from '../../runtime/values/types.js'
import {
  braces,
  brackets,
  call,
  docBlock,
  flat,
  group,
  indentLines,
  intersection,
  isIdentifier,
  key,
  type Layout,
  lineWidth,
  literal,
  print,
  property,
  quote,
  members as typeMembers,
  upperFirst,
  valueLayout,
} from '../layout.js'
import type { TypeDeclaration } from './file.js'
import {
  appliedTo,
  definition,
  type Form,
  grouped,
  indexSignatures,
  keysLayout,
  type Names,
  ownValue,
  recordIndex,
  textOf,
} from './kinds.js'
import { identifierOf, lowerFirst } from './scope.js'

type Struct = OfKind<'struct'>
type Member = Struct['members'][number]

/** True if the definition of a type is a function, which may be used before its declaration. */
export function isFunction(type: ModelType): type is Struct {
  return type.kind === 'struct' && !recordIndex(type) && !type.constraints
}

/** Returns the definition of a type under a name: a function for a struct, a constant for any other type. */
export function definitionText(name: string, type: ModelType, names: Names): string {
  if (isFunction(type)) return structFunction(name, type, names)
  const value = ownValue(type, names)
  // `alias` gives the definition its own name; the one that it refers to keeps another.
  const own = typeof value === 'string' ? call(names.codegen('alias'), [value]) : value
  return print([`const ${name}${hasRef(own) ? `: ${names.codegen('Type')}` : ''} = `, own])
}

/** The annotation of a constant that refers to itself by `lazy(() => later)`, which TypeScript could not infer. */
function hasRef(value: Layout): boolean {
  if (typeof value === 'string') return false
  if (Array.isArray(value)) return value.some(hasRef)
  return 'open' in value && (value.open === 'lazy(' || value.items.some(hasRef))
}

/**
 * `function order(v: any, w: Wire): any { … }`: the required members in one literal, then the optional ones.
 * A value that is not a struct is rejected by the first required member, unless a value of another class may have that member.
 */
function structFunction(name: string, type: Struct, names: Names): string {
  let usesWire = false
  const own: Names = {
    ...names,
    wire() {
      usesWire = true
      return 'w'
    },
  }
  const isWide = type.members.length > MAX_NARROW
  const required = type.members.filter(({ optional }) => !optional)
  const optional = type.members.filter((each) => each.optional)
  const deciding = required.findIndex((each) => rejectsUndefined(each.type, names.types) && !platformHas(each.name))
  const members = required.map((each, i) => {
    return property(
      each.name,
      appliedTo(access(each, names, i <= deciding ? '?' : ''), each.type, within(own, each.name)),
    )
  })
  const literals = braces(members)
  const indexes = (type.indexes ?? []).map((each) => {
    return indexCall(isWide ? name : knownNames(type), each, within(own, 'indexSignature'))
  })
  const isDone = optional.length === 0 && indexes.length === 0
  const guard = deciding < 0 ? [`${names.codegen('readStruct')}(v)`] : []
  const lines: Layout[] = [
    ...(guard.length > 0 && required.length === 0
      ? [[isDone ? 'return ' : 'const out = ', ...guard]]
      : [...guard, [isDone ? 'return ' : 'const out: any = ', literals]]),
    ...(isWide && optional.length > 0
      ? [optionalsCall(name, optional, own)]
      : optional.map((each) => assignment(each, own))),
    ...indexes.map((each, i) => (i === indexes.length - 1 ? ['return ', each] : each)),
    ...(optional.length > 0 && indexes.length === 0 ? ['return out'] : []),
  ]
  const head = `function ${name}(v: any${usesWire ? `, w: ${names.codegen('Wire')}` : ''}): any {`
  const [only = '', ...others] = lines
  const line = `${head} ${flat(only)} }`
  if (others.length === 0 && line.length <= lineWidth) return line
  return `${head}\n${lines.map((each) => `  ${print(each, 2)}`).join('\n')}\n}`
}

/** Names constants after the member that needs them. */
function within(names: Names, member: string): Names {
  const own = upperFirst(lowerFirst(identifierOf(member)))
  return { ...names, constant: (type, inner = '') => names.constant(type, own + inner) }
}

/** A struct with more members looks for those that a value has. */
const MAX_NARROW = 50

/** `readOptionalMembers(v, order, () => [['note', string], …], w, out)` */
function optionalsCall(name: string, members: readonly Member[], names: Names): Layout {
  const list = members.map((each) => {
    return brackets([quote(each.name), definition(each.type, within(names, each.name))])
  })
  const listed: Layout = ['() => ', brackets(list)]
  return call(names.codegen('readOptionalMembers'), ['v', name, listed, names.wire(), 'out'])
}

function knownNames({ members }: Struct): Layout {
  return brackets(members.map((each) => quote(each.name)))
}

function indexCall(known: Layout, index: IndexOf<NameRef>, names: Names): Layout {
  const args = ['v', known, definition(index.type, names), names.wire(), 'out', ...keysLayout(index)]
  return call(names.codegen('readIndexSignature'), args)
}

/** `if (isPresent(v.note, w)) out.note = string(v.note)` */
function assignment(member: Member, names: Names): Layout {
  const { name, type } = member
  const value = access(member, names)
  const test = names.codegen(acceptsNull(type, names.types) ? 'isPresentOrNull' : 'isPresent')
  const checked = appliedTo(value, type, within(names, name))
  const condition: Layout = [`if (${test}(`, value, `, ${names.wire()})) `]
  if (name !== '__proto__')
    return [...condition, isIdentifier(name) ? `out.${name}` : `out[${quote(name)}]`, ' = ', checked]
  return [...condition, call(names.codegen('setMember'), ['out', quote(name), checked])]
}

/** Returns how a member is read: with `member` if every object inherits a property of that name. */
function access({ name }: Member, names: Names, optional: '' | '?' = ''): Layout {
  if (name in Object.prototype) return `${names.codegen('ownMember')}(v, ${quote(name)})`
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

function platformHas(name: string): boolean {
  return platformNames.has(name) || name in Object.prototype || /^(?:\d+$|(?:get|set|to|read|write)[A-Z])/.test(name)
}

/** `order: [order, { note: 'For the courier' }]`: a type, its docs, and the order of its members. */
export function describeEntry(named: NamedType, constant: string): Layout {
  const { name, type } = named
  const members = type.kind === 'struct' ? type.members : []
  const own = notesLayout(named)
  const notes = members.flatMap((each) => {
    const layout = notesLayout(each)
    return layout === undefined ? [] : [{ name: each.name, layout }]
  })
  const docs = [
    ...(own === undefined ? [] : [["'': ", own]]),
    ...notes.flatMap((each) => (each.name === '' ? [] : [[`${key(each.name)}: `, each.layout]])),
  ]
  const unnamed = notes.flatMap((each) => (each.name === '' ? [each.layout] : []))
  const isOrdered = isReordered(members) || unnamed.length > 0
  const order = isOrdered ? [brackets(members.map((each) => quote(each.name))), ...unnamed] : []
  // A type and its definition may differ only in the case of the first letter.
  const shown = upperFirst(constant) === name ? constant : name
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
    ...(constants ? [group('constants: [', constants.map(valueLayout), ']')] : []),
  ]
  if (more.length === 0) return doc === undefined ? undefined : literal(doc)
  return braces([...(doc === undefined ? [] : [['doc: ', literal(doc)]]), ...more])
}

/** True if an optional member is declared before a required one: definitions have the required ones first. */
function isReordered(members: readonly Member[]): boolean {
  const first = members.findIndex(({ optional }) => optional)
  return first >= 0 && members.slice(first).some(({ optional }) => !optional)
}

/** A named type in a form that the file declares: an interface, or an alias if it is not an object. `brand` has the members of its brand. */
export function ownType(
  name: string,
  { type, ...notes }: NamedType,
  form: Form,
  isPublic: boolean,
  brand: readonly Layout[] = [],
): TypeDeclaration {
  const head = { name, isCompact: !isPublic, doc: isPublic ? memberDoc(notes, type) : '' }
  if (type.kind !== 'struct') {
    const text = textOf(type, form)
    return { ...head, type: brand.length === 0 ? text : intersection([grouped(text), typeMembers(brand)]) }
  }
  const members = type.members.map((each) => ({
    name: each.name,
    type: textOf(each.type, form),
    doc: isPublic ? memberDoc(each, each.type) : '',
    ...(each.optional ? { optional: true } : {}),
  }))
  const others = indexSignatures(type, form).map(({ index, ...each }) => ({
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
  return [type ? withLimits(notes.doc ?? '', type) : (notes.doc ?? ''), tags.join('\n')].filter(Boolean).join('\n\n')
}

/** The docs of a parameter in one text. */
export function paramDoc(notes: ValueNotes, type: ModelType): string {
  return withDefault(limitedDoc(notes, type), notes.default)
}

/** Docs in one text: with the deprecation, and the constraints of the type. */
export function limitedDoc(notes: Notes, type: ModelType): string {
  return withLimits(docText(notes) ?? '', type)
}

/** A tag with a text, whose further lines are indented. */
export function tsdocTag(name: string, text: string): string {
  return `${name} ${text.replace(/\n/g, '\n  ')}`.trimEnd()
}

/** The names of the values of an enum as a constant of a client, with their docs. */
export function constantsText(name: string, constants: readonly EnumConstant[]): string {
  const members = constants.map((each) => {
    const text = `${key(each.name)}: ${typeof each.value === 'string' ? quote(each.value) : each.value},`
    return indentLines(`${docBlock(memberDoc(each))}${text}`, 2)
  })
  return `/** The names of the values of \`${name}\`. */\nexport const ${name} = {\n${members.join('\n')}\n} as const`
}

/** Adds the constraints of a type to a description, for editors: `Constraints: from 0 to 150.` */
export function withLimits(doc: string, type: ModelType): string {
  const limits = limitsOf(type)
  return limits === '' ? doc : `${doc}${doc === '' ? '' : '\n\n'}Constraints: ${limits}.`
}

/** Those of elements and of the values of a Map or a record too; a named type has its own description. */
function limitsOf(type: ModelType): string {
  if (type.kind === 'union') return [...new Set(type.branches.map(limitsOf))].filter(Boolean).join(', or ')
  const own = type.constraints ? [describeConstraints(type.constraints)] : []
  const inner = partsOf(type).flatMap(([name, part]) => {
    const limits = limitsOf(part)
    if (limits === '') return []
    return [limits.startsWith(`${name} `) ? limits : `${name} ${limits}`]
  })
  return [...own, ...inner].join(', ')
}

/** The types of the elements or values, and what to call these. */
function partsOf(type: ModelType): (readonly [name: string, type: ModelType])[] {
  if (type.kind === 'array' || type.kind === 'set') return [['each', type.element]]
  if (type.kind === 'map') return [['each', type.value]]
  if (type.kind === 'tuple') {
    const elements = type.elements.map((each, i) => [`element ${i}`, each] as const)
    return [...elements, ...(type.rest ? [['each further one', type.rest] as const] : [])]
  }
  const record = type.kind === 'struct' ? recordIndex(type) : undefined
  return record ? [['each', record.type]] : []
}
