import { innerTypesOf, mapInnerTypes } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import { constrain, unmetBy } from './constrain.js'
import { flatten } from './forms.js'
import type { ModelType } from './model.js'
import { structureOf } from './part.js'

type Of<Kind extends ModelType['kind']> = Extract<ModelType, { kind: Kind }>

/** Kinds that are assignable to each other in TypeScript, the narrowest first: `number` is assignable to Int. */
const numbers: readonly string[] = ['int', 'double', 'number']

/** Named types that are compared already: those are assumed to agree. */
type Open = ReadonlySet<string>

/**
 * Returns the type that fulfils two declarations of one member, such as its own and that of an index signature: TypeScript does not
 * distinguish Int from number and knows no constraints. Undefined if no type fulfils both.
 */
export function narrowed(
  type: ModelType,
  by: ModelType,
  types: TypesByName,
  open: Open = new Set(),
): ModelType | undefined {
  const options = flatten(by, types)
  if (type.kind === 'any' || options.some((each) => each.kind === 'any' || isSame(each, type))) return type
  if (type.kind === 'union') return mapAll(type, type.branches, (each) => narrowed(each, by, types, open))
  if (type.kind === 'ref') return narrowedRef(type, by, types, open)
  if (type.kind === 'literal') return fitsLiteral(type, options) ? type : undefined
  const alike = options.filter(
    ({ kind }) => kind === type.kind || (numbers.includes(kind) && numbers.includes(type.kind)),
  )
  // TypeScript has checked types of different kinds, such as a template and a string.
  if (alike.length === 0) return type
  const found = alike.map((each) => both(type, each, types, open))
  return found.some((each) => each && isSame(each, type)) ? type : found.length === 1 ? found[0] : undefined
}

/** Returns the intersection of two types of one kind. */
function both(type: ModelType, by: ModelType, types: TypesByName, open: Open): ModelType | undefined {
  const others = otherParts(type, by)
  const inside = mapAll(type, innerTypesOf(type), (each, i) => {
    const other = others[i]
    return other ? narrowed(each, other, types, open) : each
  })
  const kind = numbers.find((each) => each === type.kind || each === by.kind) ?? type.kind
  const narrower = inside && ({ ...inside, kind } as ModelType)
  return narrower && by.constraints ? constrain(narrower, by.constraints) : narrower
}

/** Returns the parts of another type that correspond to the parts of a type; members correspond by name. */
function otherParts(type: ModelType, by: ModelType): readonly (ModelType | undefined)[] {
  if (type.kind !== 'struct' || by.kind !== 'struct') return innerTypesOf(by)
  const rest = by.keys ? undefined : by.rest
  return [...type.members.map(({ name }) => by.members.find((each) => each.name === name)?.type ?? rest), rest]
}

/** A named type is kept or rejected: the intersection of two would have no name. */
function narrowedRef(type: Of<'ref'>, by: ModelType, types: TypesByName, open: Open): ModelType | undefined {
  const pair = JSON.stringify([type.name, by])
  const target = types.get(type.name)?.type
  if (!target || open.has(pair)) return type
  const result = narrowed(target, by, types, new Set([...open, pair]))
  return result && isSame(result, target) ? type : undefined
}

function fitsLiteral({ value }: Of<'literal'>, options: readonly ModelType[]): boolean {
  if (typeof value === 'boolean') return true
  const isBase = ({ kind }: ModelType) => (typeof value === 'string' ? kind === 'string' : numbers.includes(kind))
  const bases = options.filter(isBase)
  const fits = ({ kind, constraints = {} }: ModelType) =>
    (kind !== 'int' || value === (Number(value) | 0)) && unmetBy(value, constraints) === undefined
  return bases.length === 0 || bases.some(fits)
}

/** Returns the type with other parts; undefined if one of them is. */
function mapAll(
  type: ModelType,
  parts: readonly ModelType[],
  change: (part: ModelType, at: number) => ModelType | undefined,
): ModelType | undefined {
  const changed = parts.map(change)
  let at = 0
  return changed.includes(undefined) ? undefined : mapInnerTypes(type, (part) => changed[at++] ?? part)
}

function isSame(one: ModelType, other: ModelType): boolean {
  return structureOf(one) === structureOf(other)
}
