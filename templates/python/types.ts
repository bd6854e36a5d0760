// What is printed for each kind of type: the annotation, and the converter of its values. For a list of dates these are
//
//   List[datetime]    _List(_DATE)
import type { ModelType, NamedType, OfKind } from '../../generator/model/model.js'
import { call, dict, flat, list, type Python, quote, subscript } from './layout.js'

/** A Python class for a custom scalar, and the functions that convert it: expressions such as `decimal.Decimal`. */
export interface PythonScalar {
  readonly type: string
  readonly decode: string
  readonly encode: string
}

/** What types are printed with. */
export interface PythonTypes {
  readonly types: ReadonlyMap<string, NamedType>
  readonly scalars: ReadonlyMap<string, PythonScalar>
  /** The Python name of a named type. */
  named(name: string): string
  /** The class of an object without a name. */
  inline(type: OfKind<'struct'>): string
  /** Records that a name of `typing` is used. */
  typing(name: string): string
}

/** Returns the type that a reference means: one with a name of its own, or one that is written where it is used. */
export function targetOf(ref: OfKind<'ref'>, own: Pick<PythonTypes, 'types' | 'scalars'>): ModelType {
  const type = own.types.get(ref.name)?.type ?? { kind: 'any' }
  const plain = type.kind === 'custom' && !own.scalars.has(type.name) ? type.wire : type
  if (plain.kind === 'ref') return targetOf(plain, own)
  return plain.kind === 'custom' ? plain : ref
}

/** True if None is a value of a type: the client sends null then, and does not leave an optional value out. */
export function acceptsNone(type: ModelType, own: Pick<PythonTypes, 'types' | 'scalars'>): boolean {
  switch (type.kind) {
    case 'null':
    case 'undefined':
    case 'void':
    case 'any':
      return true
    case 'union':
      return type.branches.some((each) => acceptsNone(each, own))
    case 'custom':
      return !own.scalars.has(type.name) && acceptsNone(type.wire, own)
    case 'ref': {
      const target = targetOf(type, own)
      return target.kind === 'ref'
        ? acceptsNone(bodyOf(own.types.get(target.name) as NamedType), own)
        : acceptsNone(target, own)
    }
    default:
      return false
  }
}

/** The type that is declared for a name: of a custom scalar the one that is sent. */
export function bodyOf({ type }: NamedType): ModelType {
  return type.kind === 'custom' ? type.wire : type
}

/** The annotation and the conversion of types without parameters. */
const scalars = {
  int: ['int', '_INT'],
  double: ['float', '_DOUBLE'],
  number: ['float', '_NUMBER'],
  string: ['str', '_STR'],
  boolean: ['bool', '_BOOL'],
  null: ['None', '_NULL'],
  undefined: ['None', '_NOTHING'],
  void: ['None', '_NOTHING'],
  any: ['Any', '_ANY'],
  bytes: ['bytes', '_BYTES'],
  date: ['datetime', '_DATE'],
  url: ['str', '_URL'],
} as const satisfies { readonly [Kind in ModelType['kind']]?: readonly [annotation: string, converter: string] }

/** The type as an annotation; in a value that is evaluated, names of classes are quoted. */
export function annotation(type: ModelType, own: PythonTypes, evaluated = false): Python {
  const inner = (each: ModelType) => annotation(each, own, evaluated)
  const name = (text: string) => (evaluated ? quote(text) : text)
  switch (type.kind) {
    case 'template':
      return 'str'
    case 'bigint':
      return type.value === undefined ? 'int' : subscript(own.typing('Literal'), [type.value])
    case 'literal':
      return isFloat(type) ? 'float' : subscript(own.typing('Literal'), [literal(type.value)])
    case 'array':
      return subscript('List', [inner(type.element)])
    case 'set':
      return subscript(isHashable(type.element, own) ? 'Set' : 'List', [inner(type.element)])
    case 'map':
      return subscript('Dict', [keyType(type), inner(type.value)])
    case 'tuple':
      return tupleAnnotation(type, inner)
    case 'struct': {
      if (!type.indexes) return name(own.inline(type))
      const values = [...type.members, ...type.indexes].map((each) => inner(each.type))
      return subscript('Dict', ['str', union(values)])
    }
    case 'union':
      return union(type.branches.map(inner))
    case 'custom':
      return own.scalars.get(type.name)?.type ?? inner(type.wire)
    case 'ref': {
      const target = targetOf(type, own)
      return target.kind === 'ref' ? name(own.named(target.name)) : inner(target)
    }
    default:
      return scalars[type.kind][0]
  }
}

type Inner = (type: ModelType) => Python

/** A tuple of each possible length, or of any length. */
function tupleAnnotation({ elements, required, rest }: OfKind<'tuple'>, inner: Inner): Python {
  const all = elements.map((each, i) => (i < required ? inner(each) : union([inner(each), 'None'])))
  if (rest) return subscript('Tuple', [union([...all, inner(rest)]), '...'])
  const lengths = Array.from({ length: all.length - required + 1 }, (_, i) => {
    const some = all.slice(0, required + i)
    return subscript('Tuple', some.length === 0 ? ['()'] : some)
  })
  return union(lengths)
}

/** `Union[A, B]`, `Optional[A]`, with each type once, and literals in one. */
export function union(parts: readonly Python[]): Python {
  const all = parts.flatMap((each) => branchesOf(each))
  const literals = all.flatMap((each) => (isNamed(each, 'Literal[') ? each.items : []))
  const others = all.filter((each) => !isNamed(each, 'Literal['))
  const joined = literals.length > 0 ? [subscript('Literal', distinct(literals)), ...others] : others
  const each = distinct(joined)
  if (each.some((part) => part === 'Any')) return 'Any'
  const some = each.filter((part) => part !== 'None')
  const [only] = some
  if (only === undefined) return 'None'
  const isOptional = some.length < each.length
  if (some.length === 1) return isOptional ? subscript('Optional', [only]) : only
  return subscript('Union', isOptional ? [...some, 'None'] : some)
}

function branchesOf(part: Python): readonly Python[] {
  if (isNamed(part, 'Union[')) return part.items
  return isNamed(part, 'Optional[') ? [...part.items, 'None'] : [part]
}

function isNamed(part: Python, open: string): part is Extract<Python, { open: string }> {
  return typeof part === 'object' && 'open' in part && part.open === open
}

function distinct(parts: readonly Python[]): readonly Python[] {
  return [...new Map(parts.map((each) => [flat(each), each])).values()]
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'string' ? quote(value) : number(value)
}

function number(value: number): string {
  return Object.is(value, -0) ? '-0.0' : `${value}`.replace('e+', 'e')
}

function isFloat({ value }: OfKind<'literal'>): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value)
}

function keyType({ keys }: OfKind<'map'>): string {
  return keys?.numeric === 'int' ? 'int' : keys?.numeric ? 'float' : 'str'
}

/** The type of keys, and the regular expression that they match. */
function keysOf({ keys, ...type }: OfKind<'map'>): string[] {
  return keys ? [keyType({ keys, ...type }), quote(pythonPattern(keys.pattern))] : []
}

const hashable: ReadonlySet<string> = new Set(
  'int double number string boolean null undefined void bigint bytes date url literal template'.split(' '),
)

/** True if values of a type can be elements of a set. */
function isHashable(type: ModelType, own: PythonTypes, seen: readonly string[] = []): boolean {
  if (type.kind === 'union') return type.branches.every((each) => isHashable(each, own, seen))
  if (type.kind === 'custom') return own.scalars.has(type.name) || isHashable(type.wire, own, seen)
  if (type.kind !== 'ref') return hashable.has(type.kind)
  const target = own.types.get(type.name)
  return target !== undefined && !seen.includes(type.name) && isHashable(target.type, own, [...seen, type.name])
}

/** The expression that checks and converts values of a type. */
export function converter(type: ModelType, own: PythonTypes): Python {
  const inner = (each: ModelType) => converter(each, own)
  switch (type.kind) {
    case 'bigint':
      return type.value === undefined ? '_BIGINT' : call('_Integer', [type.value])
    case 'literal':
      return call('_Is', [literal(type.value)])
    case 'template':
      return call('_Text', [quote(pythonPattern(type.pattern)), quote(type.text)])
    case 'array':
      return call('_List', [inner(type.element)])
    case 'set':
      return call(isHashable(type.element, own) ? '_Set' : '_List', [inner(type.element)])
    case 'map':
      return call('_Map', [inner(type.value), ...keysOf(type)])
    case 'tuple': {
      const { elements, rest, required } = type
      const more = rest || required < elements.length ? [rest ? inner(rest) : 'None', `${required}`] : []
      return call('_Tuple', [list(elements.map(inner)), ...more])
    }
    case 'struct':
      return structConverter(type, inner)
    case 'union':
      return unionConverter(type, inner)
    case 'custom':
      return own.scalars.has(type.name) ? call('_Ref', [quote(type.name)]) : inner(type.wire)
    case 'ref': {
      const target = targetOf(type, own)
      return target.kind === 'ref' ? call('_Ref', [quote(own.named(target.name))]) : inner(target)
    }
    default:
      return scalars[type.kind][1]
  }
}

/** Required members, optional ones, and the types of others by the regular expressions of their names. */
function structConverter({ members, indexes = [] }: OfKind<'struct'>, inner: Inner): Python {
  const some = (isOptional: boolean) => {
    const found = members.filter(({ optional = false }) => optional === isOptional)
    return dict(found.map((each) => [each.name, inner(each.type)]))
  }
  const others = indexes.map(({ keys, type }) => [keys ? pythonPattern(keys.pattern) : '', inner(type)] as const)
  const optional = some(true)
  const rest = others.length > 0 ? [optional, dict(others)] : optional.items.length > 0 ? [optional] : []
  return call('_Struct', [some(false), ...rest])
}

/** Literals are one branch. */
function unionConverter({ branches, discriminant }: OfKind<'union'>, inner: Inner): Python {
  const values = branches.flatMap((each) => (each.kind === 'literal' ? [literal(each.value)] : []))
  const others = branches.filter((each) => each.kind !== 'literal').map(inner)
  const parts = [...(values.length > 0 ? [call('_Is', distinct(values))] : []), ...others]
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return call('_Union', [...parts, ...(discriminant === undefined ? [] : [`tag=${quote(discriminant)}`])])
}

/** The expression that converts values of a custom scalar with Python functions. */
export function codec({ name, wire }: OfKind<'custom'>, own: PythonTypes): Python {
  const { type, decode, encode } = own.scalars.get(name) as PythonScalar
  return call('_Codec', [type, converter(wire, own), decode, encode])
}

/** A regular expression that the generator made for keys and templates, as Python has it. */
export function pythonPattern(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\$/gs, (part) => (part === '$' ? '\\Z' : part === '\\/' ? '/' : part))
}
