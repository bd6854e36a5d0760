import type { ClientMethod, ClientScalar, ClientType } from '../../runtime/client/table.js'
import { innerTypesOf } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ClientTableParts } from '../../templates/client.js'
import { valueLayout } from '../../templates/layout.js'
import type { ModelType, NamedType, ParamModel, ProcedureModel } from '../model/model.js'
import type { Kind, Of } from './kinds.js'

/** How the client converts values that JSON cannot represent. Procedures and types without such values are left out. */
export function clientTable(
  procedures: readonly ProcedureModel[],
  types: readonly NamedType[],
  codecs: boolean,
): ClientTableParts {
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const needs = namesThatNeed(byName, codecs)
  const table: Table = { types: byName, codecs, needs, used: new Set(), tags: new Map() }
  const methods = procedures.flatMap((procedure) => {
    const method = methodOf(procedure, table)
    return Object.keys(method).length === 0 ? [] : [{ name: procedure.name, value: valueLayout(method) }]
  })
  const print = () => Array.from(table.used, (name) => ({ name, value: valueLayout(namedType(name, table)) }))
  // A type may refer to further types, and types that are already printed may then need more tags.
  for (let before = -1; before < sizeOf(table); ) {
    before = sizeOf(table)
    print()
  }
  return { methods, types: print() }
}

function sizeOf({ used, tags }: Table): number {
  return [...tags.values()].reduce((sum, names) => sum + names.size, used.size)
}

/** What decides whether a value is converted. */
interface Conversions {
  /** True if custom scalars are converted. */
  readonly codecs: boolean
  /** The names of types that contain a value to convert. */
  readonly needs: ReadonlySet<string>
}

interface Table extends Conversions {
  readonly types: TypesByName
  /** The names that the table refers to. */
  readonly used: Set<string>
  /** The members that distinguish a struct or a list from other branches of a union, by its name. */
  readonly tags: Map<string, Set<string>>
}

function methodOf(
  { params, returns, paramsObject, subscription, idempotent }: ProcedureModel,
  table: Table,
): ClientMethod {
  const rest = params.find((param) => param.rest)
  const restNeeds = rest !== undefined && isConverted(rest.type, table)
  const single = params.filter((param) => !param.rest)
  const last = restNeeds ? single.length : single.findLastIndex(({ type }) => isConverted(type, table)) + 1
  return {
    ...(last > 0 ? { params: membersOf(single.slice(0, last), table) } : {}),
    ...(paramsObject ? { object: true } : {}),
    ...(restNeeds ? { rest: [rest.name, clientType(rest.type, table)] as const } : {}),
    ...(subscription ? { items: clientType(returns.type, table) } : {}),
    ...(!subscription && isConverted(returns.type, table) ? { result: clientType(returns.type, table) } : {}),
    ...(idempotent ? { idempotent } : {}),
  }
}

function membersOf(params: readonly Pick<ParamModel, 'name' | 'type'>[], table: Table): Record<string, ClientType> {
  return Object.fromEntries(params.map(({ name, type }) => [name, clientType(type, table)]))
}

/** Returns how a value is converted; `any` if it is unchanged. */
function clientType(type: ModelType, table: Table): ClientType {
  return isConverted(type, table) ? rowOf(type).converted(type, table) : 'any'
}

/** Returns the type that recognises a value, even if it is not converted; of a struct the distinguishing members, `levels` deep. */
function recognisedType(type: ModelType, table: Table, levels = maxLevels): ClientType {
  return rowOf(type).recognised(type, table, levels)
}

function isConverted(type: ModelType, table: Conversions): boolean {
  return rowOf(type).isConverted(type, table)
}

/** How the client handles a kind. */
interface ClientKind<Type> {
  /** True if JSON cannot represent a value or a part of it. */
  isConverted(type: Type, table: Conversions): boolean
  /** How a value is converted. */
  converted(type: Type, table: Table): ClientType
  /** How a value is recognised as a branch of a union. */
  recognised(type: Type, table: Table, levels: number): ClientType
  /** True if a branch of a union is recognised by its parts. */
  readonly isContainer: boolean
  /** True if null may be a value. */
  acceptsNull(type: Type): boolean
}

/** A kind without parts. */
function scalar(name: ClientScalar, isChanged: boolean, isNull = false): ClientKind<ModelType> {
  return {
    isConverted: () => isChanged,
    converted: () => name,
    recognised: () => name,
    isContainer: false,
    acceptsNull: () => isNull,
  }
}

/** A kind whose parts decide whether it is converted. */
const composite = {
  isConverted: (type: ModelType, table: Conversions) => innerTypesOf(type).some((part) => isConverted(part, table)),
  isContainer: true,
  acceptsNull: () => false,
}

const clientKinds: { readonly [K in Kind]: ClientKind<Of<K>> } = {
  int: scalar('number', false),
  double: scalar('number', false),
  number: scalar('number', false),
  string: scalar('string', false),
  boolean: scalar('boolean', false),
  null: scalar('null', false, true),
  any: scalar('any', false, true),
  bigint: scalar('bigint', true),
  bytes: scalar('bytes', true),
  date: scalar('date', true),
  url: scalar('url', true),
  undefined: scalar('undefined', true, true),
  void: scalar('undefined', true, true),
  literal: { ...scalar('any', false), recognised: ({ value }) => ['is', value] },
  template: { ...scalar('any', false), recognised: ({ pattern }) => ['template', pattern] },
  array: {
    ...composite,
    converted: ({ element }, table) => ['array', clientType(element, table)],
    recognised: (type, table) => ['array', clientType(type.element, table)],
  },
  set: {
    ...composite,
    isConverted: () => true,
    converted: ({ element }, table) => ['set', clientType(element, table)],
    recognised: ({ element }, table, levels) => [
      'set',
      levels > 0 ? recognisedType(element, table, levels - 1) : clientType(element, table),
    ],
  },
  map: {
    ...composite,
    isConverted: () => true,
    converted: (type, table) => mapType(type, clientType(type.value, table)),
    recognised: (type, table, levels) =>
      mapType(type, levels > 0 ? recognisedType(type.value, table, levels - 1) : clientType(type.value, table)),
  },
  tuple: {
    ...composite,
    isConverted: (type, table) => hasHoles(type) || composite.isConverted(type, table),
    converted: (type, table) => tupleType(type, table),
    recognised(type, table, levels) {
      if (levels > 0 && hasTag(type, table.types)) return tupleType(type, table, true, levels - 1)
      return isConverted(type, table) ? tupleType(type, table) : ['array', 'any']
    },
  },
  struct: {
    ...composite,
    converted: (type, table) => structType(type, table, noNames),
    recognised: (type, table, levels) => structType(type, table, tagsOf(type, table.types, levels), levels),
  },
  union: {
    ...composite,
    isContainer: false,
    converted: unionType,
    recognised: (type, table, levels) =>
      isConverted(type, table)
        ? unionType(type, table)
        : ['union', type.branches.map((branch) => recognisedType(branch, table, levels))],
    acceptsNull: ({ branches }) => branches.some(acceptsNull),
  },
  custom: {
    ...composite,
    isContainer: false,
    isConverted: ({ wire }, table) => table.codecs || isConverted(wire, table),
    converted: ({ name, wire }, table) =>
      table.codecs ? ['custom', name, recognisedType(wire, table)] : clientType(wire, table),
    recognised: (type, table, levels) =>
      table.codecs ? clientType(type, table) : recognisedType(type.wire, table, levels),
  },
  ref: {
    isConverted: ({ name }, { needs }) => needs.has(name),
    converted({ name }, table) {
      table.used.add(name)
      return ['ref', name]
    },
    recognised: ({ name }, table, levels) => recognisedRef(name, table, levels),
    isContainer: false,
    acceptsNull: () => true,
  },
}

function rowOf(type: ModelType): ClientKind<ModelType> {
  return clientKinds[type.kind] as ClientKind<ModelType>
}

/** Elements are printed as a union needs them to recognise the list: with its lengths, and with null for an omitted one. */
function tupleType(type: Of<'tuple'>, table: Table, isTagged = false, levels = maxLevels): ClientType {
  const { elements, rest, required } = type
  const isRecognised = (i: number) => isTagged || i >= required
  const types = elements.map((each, i) =>
    isRecognised(i) ? recognisedType(each, table, levels) : clientType(each, table),
  )
  const others = rest
    ? isTagged
      ? recognisedType(rest, table, levels)
      : clientType(rest, table)
    : isTagged
      ? 'never'
      : 'any'
  if (hasHoles(type) || (isTagged && required < elements.length)) return ['tuple', types, others, required]
  return rest ? ['tuple', types, others] : ['tuple', types]
}

function mapType({ keys }: Of<'map'>, value: ClientType): ClientType {
  return keys?.numeric ? ['map', value, 'number'] : ['map', value]
}

const noNames: ReadonlySet<string> = new Set()

/** How many levels of a branch are searched for tags, so that recursive types end. */
const maxLevels = 3

/** The members that are converted, and the tags. */
function structType(
  { members, indexes = [] }: Of<'struct'>,
  table: Table,
  tags: ReadonlySet<string>,
  levels = maxLevels,
): ClientType {
  const isBranch = tags !== noNames && levels > 0
  const wanted = members.filter(({ name, type }) => tags.has(name) || isConverted(type, table))
  const listed = (all: typeof wanted) =>
    Object.fromEntries(
      all.map(({ name, type }) => [
        name,
        tags.has(name) ? recognisedType(type, table, levels - 1) : clientType(type, table),
      ]),
    )
  const required = listed(wanted.filter(({ optional }) => !optional))
  const optional = listed(wanted.filter((each) => each.optional))
  const others = indexes.map(({ type, keys }): readonly [string, ClientType] => [
    keys?.pattern ?? '',
    isBranch ? recognisedType(type, table, levels - 1) : clientType(type, table),
  ])
  const [only] = others
  if (only) return ['struct', required, optional, others.length > 1 ? Object.fromEntries(others) : only[1]]
  return Object.keys(optional).length > 0 ? ['struct', required, optional] : ['struct', required]
}

function unionType({ branches, discriminant }: Of<'union'>, table: Table): ClientType {
  const all = branches.map((branch) => branchType(branch, discriminant, table))
  return discriminant === undefined ? ['union', all] : ['union', all, discriminant]
}

/** A branch is recognised by its tag; without one, a struct by its distinguishing members and a list by its elements. */
function branchType(type: ModelType, discriminant: string | undefined, table: Table): ClientType {
  const target = type.kind === 'ref' ? table.types.get(type.name)?.type : type
  if (!target || !rowOf(target).isContainer) return recognisedType(type, table)
  const names = target.kind === 'struct' ? decidingNames(target, table.types, maxLevels) : ['[]']
  const tags = discriminant === undefined ? names : [discriminant]
  if (type.kind !== 'ref') return taggedType(target, table, new Set(tags))
  table.used.add(type.name)
  table.tags.set(type.name, new Set([...(table.tags.get(type.name) ?? []), ...tags]))
  return ['ref', type.name]
}

function namedType(name: string, table: Table): ClientType {
  return taggedType(table.types.get(name)?.type ?? { kind: 'any' }, table, table.tags.get(name) ?? noNames)
}

function taggedType(type: ModelType, table: Table, tags: ReadonlySet<string>): ClientType {
  if (type.kind === 'struct') return structType(type, table, tags)
  if (tags.size === 0) return clientType(type, table)
  if (type.kind === 'tuple') return tupleType(type, table, true)
  return type.kind === 'array' ? ['array', recognisedType(type.element, table)] : recognisedType(type, table)
}

/** Returns a struct's distinguishing members, or its name if it is converted, so that recursive types end. */
function recognisedRef(name: string, table: Table, levels: number): ClientType {
  const target = table.types.get(name)?.type
  if (!table.needs.has(name))
    return target && levels > 0 ? recognisedType(target, table, innerLevels(target, levels)) : 'any'
  const names = target?.kind === 'struct' ? tagsOf(target, table.types, levels) : noNames
  const all = target?.kind === 'tuple' && hasTag(target, table.types) ? new Set(['[]']) : names
  if (all.size > 0) table.tags.set(name, new Set([...(table.tags.get(name) ?? []), ...all]))
  return clientType({ kind: 'ref', name }, table)
}

/** Unions have fewer levels than structs, since every branch is printed. */
function innerLevels({ kind }: ModelType, levels: number): number {
  return kind === 'union' || kind === 'ref' ? Math.min(levels - 1, 1) : levels
}

/** Computed from the leaves up, so that recursive types end. */
function namesThatNeed(types: TypesByName, codecs: boolean): ReadonlySet<string> {
  const needs = new Set<string>()
  for (let before = -1; before < needs.size; ) {
    before = needs.size
    for (const { name, type } of types.values()) if (isConverted(type, { codecs, needs })) needs.add(name)
  }
  return needs
}

/** True if null represents an omitted element. Named types are not examined; they may accept null themselves. */
function hasHoles(type: ModelType): boolean {
  return type.kind === 'tuple' && type.elements.slice(type.required).some((each) => !acceptsNull(each))
}

function acceptsNull(type: ModelType): boolean {
  return rowOf(type).acceptsNull(type)
}

/**
 * Returns the members that may distinguish a struct within a branch from another one: literals and templates, also in structs that are
 * up to `levels` deep in it, and required members if there are none.
 */
function tagsOf(struct: Of<'struct'>, types: TypesByName, levels: number): ReadonlySet<string> {
  const tags = struct.members.filter(({ type }) => isTag(type, types, levels))
  const hasTag = tags.some(({ optional }) => !optional)
  return namesOf(hasTag || levels === 0 ? tags : decidingMembers(struct, types, levels))
}

/** Returns the members that may distinguish a branch from another one: required members, and optional tags. */
function decidingNames(struct: Of<'struct'>, types: TypesByName, levels: number): ReadonlySet<string> {
  return namesOf(decidingMembers(struct, types, levels))
}

function decidingMembers({ members }: Of<'struct'>, types: TypesByName, levels: number): Of<'struct'>['members'] {
  return members.filter(({ type, optional }) => !optional || isTag(type, types, levels))
}

function namesOf(members: Of<'struct'>['members']): ReadonlySet<string> {
  return new Set(members.map(({ name }) => name))
}

function isTag(type: ModelType, types: TypesByName, levels: number): boolean {
  if (type.kind === 'union') return type.branches.every(isText)
  const target = type.kind === 'ref' ? types.get(type.name)?.type : type
  if (target?.kind !== 'struct') return target !== undefined && isText(target)
  return levels > 0 && target.members.some((each) => !each.optional && isTag(each.type, types, levels - 1))
}

/** True if a list has an element that may distinguish it from other lists. */
function hasTag({ elements, required }: Of<'tuple'>, types: TypesByName): boolean {
  return elements.slice(0, required).some((each) => isTag(each, types, 0))
}

function isText({ kind }: ModelType): boolean {
  return kind === 'literal' || kind === 'template'
}
