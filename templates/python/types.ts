// What is printed for each kind of type: the annotation, and the converter of its values. For a list of dates these are
//
//   List[datetime]    _List(_DATE)
import type { ModelType, NamedType, OfKind } from '../../generator/model/model.js'
import { call, dict, flat, list, type Python, quote, subscript } from './layout.js'

/** A Python class for a custom scalar, and the functions that convert it: expressions such as `decimal.Decimal`. */
export interface PythonCodec {
  readonly type: string
  readonly decode: string
  readonly encode: string
}

/** What types are printed with. */
export interface PythonTypes {
  readonly types: ReadonlyMap<string, NamedType>
  readonly scalars: ReadonlyMap<string, PythonCodec>
  /** The Python name of a named type. */
  named(name: string): string
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

const kindsOfNone: ReadonlySet<string> = new Set(['null', 'undefined', 'void', 'any'])

/** True if None is a value of a type: the client sends null then, and does not leave an optional value out. */
export function acceptsNone(type: ModelType, own: Pick<PythonTypes, 'types' | 'scalars'>): boolean {
  if (type.kind === 'union') return type.branches.some((each) => acceptsNone(each, own))
  if (type.kind === 'custom') return !own.scalars.has(type.name) && acceptsNone(type.wire, own)
  if (type.kind !== 'ref') return kindsOfNone.has(type.kind)
  const target = targetOf(type, own)
  return acceptsNone(target.kind === 'ref' ? bodyOf(own.types.get(target.name) as NamedType) : target, own)
}

/** The type that is declared for a name: of a custom scalar the one that is sent. */
export function bodyOf({ type }: NamedType): ModelType {
  return type.kind === 'custom' ? type.wire : type
}

/** What an annotation is a `Union` of, so that one of several types has each of them once, and all literals in one. */
export interface Branches {
  readonly isAny?: boolean
  readonly hasNone?: boolean
  /** The values of `Literal`. */
  readonly literals?: readonly Python[]
  readonly others?: readonly Python[]
}

/** The branch of the value None. */
export const none: Branches = { hasNone: true }

/** The branch of one type. */
export function one(type: Python): Branches {
  return { others: [type] }
}

/** The annotation and the conversion of types without parameters. */
const simpleKinds = {
  int: [one('int'), '_INT'],
  double: [one('float'), '_DOUBLE'],
  number: [one('float'), '_NUMBER'],
  string: [one('str'), '_STR'],
  boolean: [one('bool'), '_BOOL'],
  null: [none, '_NULL'],
  undefined: [none, '_NOTHING'],
  void: [none, '_NOTHING'],
  any: [{ isAny: true }, '_ANY'],
  bytes: [one('bytes'), '_BYTES'],
  date: [one('datetime'), '_DATE'],
  url: [one('str'), '_URL'],
} as const satisfies { readonly [Kind in ModelType['kind']]?: readonly [annotation: Branches, converter: string] }

/** The type as an annotation; in a value that is evaluated, names of classes are quoted. */
export function annotation(type: ModelType, own: PythonTypes, evaluated = false): Python {
  return annotationOf([branchesOf(type, own, evaluated)])
}

/** The branches of the annotation of a type. */
export function branchesOf(type: ModelType, own: PythonTypes, evaluated = false): Branches {
  const branches = (each: ModelType) => branchesOf(each, own, evaluated)
  const inner = (each: ModelType) => annotation(each, own, evaluated)
  const named = (text: string) => one(evaluated ? quote(text) : text)
  switch (type.kind) {
    case 'template':
      return one('str')
    case 'bigint':
      return type.value === undefined ? one('int') : literalBranches([type.value], own)
    case 'literal':
      return isFloat(type) ? one('float') : literalBranches([pythonLiteral(type.value)], own)
    case 'array':
      return one(subscript('List', [inner(type.element)]))
    case 'set':
      return one(subscript(isHashable(type.element, own) ? 'Set' : 'List', [inner(type.element)]))
    case 'map':
      return one(subscript('Dict', [keyType(type), inner(type.value)]))
    case 'tuple':
      return tupleBranches(type, branches)
    // An object with declared members only has a name, and a class of that name.
    case 'struct': {
      const values = [...type.members, ...(type.indexes ?? [])].map((each) => branches(each.type))
      return one(subscript('Dict', ['str', annotationOf(values)]))
    }
    case 'union':
      return union(type.branches.map(branches))
    case 'custom': {
      const scalar = own.scalars.get(type.name)
      return scalar ? one(scalar.type) : branches(type.wire)
    }
    case 'ref': {
      const target = targetOf(type, own)
      return target.kind === 'ref' ? named(own.named(target.name)) : branches(target)
    }
    default:
      return simpleKinds[type.kind][0]
  }
}

function literalBranches(values: readonly Python[], own: PythonTypes): Branches {
  own.typing('Literal')
  return { literals: values }
}

/** A tuple of each possible length, or of any length. */
function tupleBranches(
  { elements, required, rest }: OfKind<'tuple'>,
  branches: (type: ModelType) => Branches,
): Branches {
  const all = elements.map((each, i) => (i < required ? branches(each) : union([branches(each), none])))
  if (rest) return one(subscript('Tuple', [annotationOf([...all, branches(rest)]), '...']))
  const texts = all.map((each) => annotationOf([each]))
  const lengths = Array.from({ length: texts.length - required + 1 }, (_, i) => texts.slice(0, required + i))
  return { others: lengths.map((some) => subscript('Tuple', some.length === 0 ? ['()'] : some)) }
}

function union(all: readonly Branches[]): Branches {
  return {
    isAny: all.some(({ isAny }) => isAny),
    hasNone: all.some(({ hasNone }) => hasNone),
    literals: all.flatMap((each) => each.literals ?? []),
    others: all.flatMap((each) => each.others ?? []),
  }
}

/** True if None is the only value. */
export function isNone({ isAny, literals = [], others = [] }: Branches): boolean {
  return !isAny && literals.length + others.length === 0
}

/** `Union[A, B]`, `Optional[A]`: an annotation of branches. */
export function annotationOf(all: readonly Branches[]): Python {
  const { isAny, hasNone, literals = [], others = [] } = union(all)
  if (isAny) return 'Any'
  const types = [
    ...(literals.length > 0 ? [subscript('Literal', distinctTypes(literals))] : []),
    ...distinctTypes(others),
  ]
  const [only] = types
  if (only === undefined) return 'None'
  if (types.length === 1) return hasNone ? subscript('Optional', [only]) : only
  return subscript('Union', hasNone ? [...types, 'None'] : types)
}

/** Returns parts without those that are printed as an earlier one. */
export function distinctTypes(parts: readonly Python[]): readonly Python[] {
  return [...new Map(parts.map((each) => [flat(each), each])).values()]
}

function pythonLiteral(value: string | number | boolean): string {
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
function keyArguments(type: OfKind<'map'>): string[] {
  return type.keys ? [keyType(type), quote(pythonPattern(type.keys.pattern))] : []
}

/** Kinds whose values are, or may be, lists and dicts. */
const unhashable: ReadonlySet<string> = new Set(['any', 'array', 'tuple', 'set', 'map', 'struct'])

/** True if values of a type can be elements of a set. */
function isHashable(type: ModelType, own: PythonTypes, seen: readonly string[] = []): boolean {
  if (type.kind === 'union') return type.branches.every((each) => isHashable(each, own, seen))
  if (type.kind === 'custom') return own.scalars.has(type.name) || isHashable(type.wire, own, seen)
  if (type.kind !== 'ref') return !unhashable.has(type.kind)
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
      return call('_Is', [pythonLiteral(type.value)])
    case 'template':
      return call('_Text', [quote(pythonPattern(type.pattern)), quote(type.text)])
    case 'array':
      return call('_List', [inner(type.element)])
    case 'set':
      return call(isHashable(type.element, own) ? '_Set' : '_List', [inner(type.element)])
    case 'map':
      return call('_Map', [inner(type.value), ...keyArguments(type)])
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
      return simpleKinds[type.kind][1]
  }
}

type Inner = (type: ModelType) => Python

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
  const values = branches.flatMap((each) => (each.kind === 'literal' ? [pythonLiteral(each.value)] : []))
  const others = branches.filter((each) => each.kind !== 'literal').map(inner)
  const parts = [...(values.length > 0 ? [call('_Is', distinctTypes(values))] : []), ...others]
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return call('_Union', [...parts, ...(discriminant === undefined ? [] : [`tag=${quote(discriminant)}`])])
}

/** The expression that converts values of a custom scalar with Python functions. */
export function codec({ name, wire }: OfKind<'custom'>, own: PythonTypes): Python {
  const { type, decode, encode } = own.scalars.get(name) as PythonCodec
  return call('_Codec', [type, converter(wire, own), decode, encode])
}

/** A regular expression that the generator made for keys and templates, as Python has it. */
function pythonPattern(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\$/gs, (part) => (part === '$' ? '\\Z' : part === '\\/' ? '/' : part))
}
