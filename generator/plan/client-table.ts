import type { ClientMethod, ClientScalar, ClientType } from '../../runtime/client/table.js'
import { innerTypesOf } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ScalarKind } from '../../runtime/values/types.js'
import type { ClientTableParts } from '../../templates/client.js'
import { valueLayout } from '../../templates/layout.js'
import type { ModelType, NamedType, ParamModel, ProcedureModel } from '../model/model.js'

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

interface Table {
  readonly types: TypesByName
  /** True if custom scalars are converted. */
  readonly codecs: boolean
  /** The names of types that contain a value to convert. */
  readonly needs: ReadonlySet<string>
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
  const restNeeds = rest !== undefined && isConverted(rest.type, table.needs)
  const single = params.filter((param) => !param.rest)
  const last = restNeeds ? single.length : single.findLastIndex(({ type }) => isConverted(type, table.needs)) + 1
  return {
    ...(last > 0 ? { params: membersOf(single.slice(0, last), table) } : {}),
    ...(paramsObject ? { object: true } : {}),
    ...(restNeeds ? { rest: [rest.name, clientType(rest.type, table)] as const } : {}),
    ...(subscription ? { items: clientType(returns.type, table) } : {}),
    ...(!subscription && isConverted(returns.type, table.needs) ? { result: clientType(returns.type, table) } : {}),
    ...(idempotent ? { idempotent } : {}),
  }
}

function membersOf(params: readonly Pick<ParamModel, 'name' | 'type'>[], table: Table): Record<string, ClientType> {
  return Object.fromEntries(params.map(({ name, type }) => [name, clientType(type, table)]))
}

/** Returns how a value is converted; `any` if it is unchanged. */
function clientType(type: ModelType, table: Table): ClientType {
  if (type.kind === 'custom' && table.codecs) return ['custom', type.name, recognisedType(type.wire, table)]
  if (!isConverted(type, table.needs)) return 'any'
  switch (type.kind) {
    case 'ref':
      table.used.add(type.name)
      return ['ref', type.name]
    case 'void':
      return 'undefined'
    case 'array':
    case 'set':
      return [type.kind, clientType(type.element, table)]
    case 'map':
      return mapType(type, clientType(type.value, table))
    case 'tuple':
      return tupleType(type, table)
    case 'struct':
      return structType(type, table, noNames)
    case 'union':
      return unionType(type, table)
    case 'custom':
      return clientType(type.wire, table)
    default:
      return type.kind as ClientType
  }
}

type Of<Kind extends ModelType['kind']> = Extract<ModelType, { kind: Kind }>

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
  { members, rest }: Of<'struct'>,
  table: Table,
  tags: ReadonlySet<string>,
  levels = maxLevels,
): ClientType {
  const isBranch = tags !== noNames && levels > 0
  const wanted = members.filter(({ name, type }) => tags.has(name) || isConverted(type, table.needs))
  const listed = (all: typeof wanted) =>
    Object.fromEntries(
      all.map(({ name, type }) => [
        name,
        tags.has(name) ? recognisedType(type, table, levels - 1) : clientType(type, table),
      ]),
    )
  const required = listed(wanted.filter(({ optional }) => !optional))
  const optional = listed(wanted.filter((each) => each.optional))
  if (rest)
    return ['struct', required, optional, isBranch ? recognisedType(rest, table, levels - 1) : clientType(rest, table)]
  return Object.keys(optional).length > 0 ? ['struct', required, optional] : ['struct', required]
}

function unionType({ branches, discriminant }: Of<'union'>, table: Table): ClientType {
  const all = branches.map((branch) => branchType(branch, discriminant, table))
  return discriminant === undefined ? ['union', all] : ['union', all, discriminant]
}

const hasParts: ReadonlySet<ModelType['kind']> = new Set(['struct', 'map', 'array', 'tuple', 'set'])

/** A branch is recognised by its tag; without one, a struct by its distinguishing members and a list by its elements. */
function branchType(type: ModelType, discriminant: string | undefined, table: Table): ClientType {
  const target = type.kind === 'ref' ? table.types.get(type.name)?.type : type
  if (!target || !hasParts.has(target.kind)) return recognisedType(type, table)
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

/** Returns the type that recognises a value, also if it is not converted; of a struct the distinguishing members, `levels` deep. */
function recognisedType(type: ModelType, table: Table, levels = maxLevels): ClientType {
  if (type.kind === 'ref') return recognisedRef(type.name, table, levels)
  if (type.kind === 'custom' && !table.codecs) return recognisedType(type.wire, table, levels)
  if (type.kind === 'custom') return clientType(type, table)
  if (type.kind === 'struct') return structType(type, table, tagsOf(type, table.types, levels), levels)
  if (type.kind === 'tuple' && levels > 0 && hasTag(type, table.types)) return tupleType(type, table, true, levels - 1)
  if (type.kind === 'set' && levels > 0) return ['set', recognisedType(type.element, table, levels - 1)]
  if (type.kind === 'map' && levels > 0) return mapType(type, recognisedType(type.value, table, levels - 1))
  if (isConverted(type, table.needs)) return clientType(type, table)
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'number':
      return 'number'
    case 'template':
      return ['template', type.pattern]
    case 'string':
    case 'boolean':
    case 'null':
      return type.kind
    case 'literal':
      return ['is', type.value]
    case 'array':
    case 'tuple':
      return ['array', 'any']
    case 'union':
      return ['union', type.branches.map((branch) => recognisedType(branch, table, levels))]
    default:
      return 'any'
  }
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

/** Kinds that JSON represents unchanged. */
type Plain = 'int' | 'double' | 'number' | 'string' | 'boolean' | 'null' | 'any'

/** The names of the other kinds without parts in the table of a client. */
const converted: Readonly<Record<Exclude<ScalarKind, Plain> | 'bytes' | 'bigint', ClientScalar>> = {
  bigint: 'bigint',
  bytes: 'bytes',
  date: 'date',
  undefined: 'undefined',
  url: 'url',
  void: 'undefined',
}

/** Computed from the leaves up, so that recursive types end. */
function namesThatNeed(types: TypesByName, codecs: boolean): ReadonlySet<string> {
  const custom = codecs ? [...types.values()].filter(({ type }) => type.kind === 'custom') : []
  const needs = new Set(custom.map(({ name }) => name))
  for (let before = -1; before < needs.size; ) {
    before = needs.size
    for (const { name, type } of types.values()) if (isConverted(type, needs)) needs.add(name)
  }
  return needs
}

function isConverted(type: ModelType, needs: ReadonlySet<string>): boolean {
  if (type.kind === 'ref') return needs.has(type.name)
  if (type.kind === 'set' || type.kind === 'map' || Object.hasOwn(converted, type.kind)) return true
  return hasHoles(type) || innerTypesOf(type).some((part) => isConverted(part, needs))
}

/** True if null represents an omitted element. Named types are not examined; they may accept null themselves. */
function hasHoles(type: ModelType): boolean {
  return type.kind === 'tuple' && type.elements.slice(type.required).some((each) => !mayBeNull(each))
}

function mayBeNull(type: ModelType): boolean {
  if (type.kind === 'union') return type.branches.some(mayBeNull)
  return ['ref', 'any', 'null', 'undefined', 'void'].includes(type.kind)
}

type StructType = Extract<ModelType, { kind: 'struct' }>

/**
 * Returns the members that may distinguish a struct within a branch from another one: literals and templates, also in structs that are
 * up to `levels` deep in it, and required members if there are none.
 */
function tagsOf(struct: StructType, types: TypesByName, levels: number): ReadonlySet<string> {
  const tags = struct.members.filter(({ type }) => isTag(type, types, levels))
  const hasTag = tags.some(({ optional }) => !optional)
  return namesOf(hasTag || levels === 0 ? tags : decidingMembers(struct, types, levels))
}

/** Returns the members that may distinguish a branch from another one: required members, and optional tags. */
function decidingNames(struct: StructType, types: TypesByName, levels: number): ReadonlySet<string> {
  return namesOf(decidingMembers(struct, types, levels))
}

function decidingMembers({ members }: StructType, types: TypesByName, levels: number): StructType['members'] {
  return members.filter(({ type, optional }) => !optional || isTag(type, types, levels))
}

function namesOf(members: StructType['members']): ReadonlySet<string> {
  return new Set(members.map(({ name }) => name))
}

function isTag(type: ModelType, types: TypesByName, levels: number): boolean {
  if (type.kind === 'union') return type.branches.every(isText)
  const target = type.kind === 'ref' ? types.get(type.name)?.type : type
  if (target?.kind !== 'struct') return target !== undefined && isText(target)
  return levels > 0 && target.members.some((each) => !each.optional && isTag(each.type, types, levels - 1))
}

/** True if a list has an element that may distinguish it from other lists. */
function hasTag({ elements, required }: Extract<ModelType, { kind: 'tuple' }>, types: TypesByName): boolean {
  return elements.slice(0, required).some((each) => isTag(each, types, 0))
}

function isText({ kind }: ModelType): boolean {
  return kind === 'literal' || kind === 'template'
}
