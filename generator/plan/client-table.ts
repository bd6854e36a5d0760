import type { ClientMethod, ClientType } from '../../runtime/client/table.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ClientTableParts } from '../../templates/client.js'
import { valueLayout } from '../../templates/layout.js'
import type { ModelType, NamedType, ParamModel, ProcedureModel } from '../model/model.js'
import { hasHoles, isConverted, namesThatNeed } from './client-needs.js'
import { decidingNames, hasTag, tagsOf } from './client-tags.js'

/** How values travel, as far as JSON has no form for them: procedures and types that are like all others are left out. */
export function clientTable(procedures: readonly ProcedureModel[], types: readonly NamedType[]): ClientTableParts {
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const needs = namesThatNeed(byName)
  const told: Told = { types: byName, needs, used: new Set(), telling: new Map() }
  const methods = procedures.flatMap((procedure) => {
    const method = methodOf(procedure, told)
    return Object.keys(method).length === 0 ? [] : [{ name: procedure.name, value: valueLayout(method) }]
  })
  const written = () => Array.from(told.used, (name) => ({ name, value: valueLayout(namedType(name, told)) }))
  // What is written may refer to further types, and ask for more of those that are written already.
  for (let before = -1; before < sizeOf(told); ) {
    before = sizeOf(told)
    written()
  }
  return { methods, types: written() }
}

function sizeOf({ used, telling }: Told): number {
  return [...telling.values()].reduce((sum, names) => sum + names.size, used.size)
}

interface Told {
  readonly types: TypesByName
  /** The names of types in which something needs converting. */
  readonly needs: ReadonlySet<string>
  /** The names that the table refers to. */
  readonly used: Set<string>
  /** By the name of a struct or a list, the members that tell it from the other branches of a union. */
  readonly telling: Map<string, Set<string>>
}

function methodOf({ params, returns, idempotent }: ProcedureModel, told: Told): ClientMethod {
  const rest = params.find((param) => param.rest)
  const restNeeds = rest !== undefined && isConverted(rest.type, told.needs)
  const single = params.filter((param) => !param.rest)
  const last = restNeeds ? single.length : single.findLastIndex(({ type }) => isConverted(type, told.needs)) + 1
  return {
    ...(last > 0 ? { params: membersOf(single.slice(0, last), told) } : {}),
    ...(restNeeds ? { rest: [rest.name, clientType(rest.type, told)] as const } : {}),
    ...(isConverted(returns.type, told.needs) ? { result: clientType(returns.type, told) } : {}),
    ...(idempotent ? { idempotent } : {}),
  }
}

function membersOf(params: readonly Pick<ParamModel, 'name' | 'type'>[], told: Told): Record<string, ClientType> {
  return Object.fromEntries(params.map(({ name, type }) => [name, clientType(type, told)]))
}

/** Where nothing needs converting, `any`. */
function clientType(type: ModelType, told: Told): ClientType {
  if (!isConverted(type, told.needs)) return 'any'
  switch (type.kind) {
    case 'ref':
      told.used.add(type.name)
      return ['ref', type.name]
    case 'void':
      return 'undefined'
    case 'array':
    case 'set':
      return [type.kind, clientType(type.element, told)]
    case 'map':
      return mapType(type, clientType(type.value, told))
    case 'tuple':
      return tupleType(type, told)
    case 'struct':
      return structType(type, told, noNames)
    case 'union':
      return unionType(type, told)
    default:
      return type.kind as ClientType
  }
}

type Of<Kind extends ModelType['kind']> = Extract<ModelType, { kind: Kind }>

/** What an element is has to be said where null stands for one that is not there, and in a union, where lengths count too. */
function tupleType(type: Of<'tuple'>, told: Told, telling = false, levels = mostLevels): ClientType {
  const { elements, rest, required } = type
  const tells = (i: number) => telling || i >= required
  const types = elements.map((each, i) => (tells(i) ? tellingType(each, told, levels) : clientType(each, told)))
  const others = rest ? (telling ? tellingType(rest, told, levels) : clientType(rest, told)) : telling ? 'never' : 'any'
  if (hasHoles(type) || (telling && required < elements.length)) return ['tuple', types, others, required]
  return rest ? ['tuple', types, others] : ['tuple', types]
}

function mapType({ keys }: Of<'map'>, value: ClientType): ClientType {
  return keys?.numeric ? ['map', value, 'number'] : ['map', value]
}

const noNames: ReadonlySet<string> = new Set()

/** How deep in a branch its tags are looked for: types which contain themselves end there. */
const mostLevels = 3

/** The members that need converting, and those that tell the type from others. */
function structType(
  { members, rest }: Of<'struct'>,
  told: Told,
  telling: ReadonlySet<string>,
  levels = mostLevels,
): ClientType {
  const isBranch = telling !== noNames && levels > 0
  const wanted = members.filter(({ name, type }) => telling.has(name) || isConverted(type, told.needs))
  const table = (all: typeof wanted) =>
    Object.fromEntries(
      all.map(({ name, type }) => [
        name,
        telling.has(name) ? tellingType(type, told, levels - 1) : clientType(type, told),
      ]),
    )
  const required = table(wanted.filter(({ optional }) => !optional))
  const optional = table(wanted.filter((each) => each.optional))
  if (rest)
    return ['struct', required, optional, isBranch ? tellingType(rest, told, levels - 1) : clientType(rest, told)]
  return Object.keys(optional).length > 0 ? ['struct', required, optional] : ['struct', required]
}

function unionType({ branches, discriminant }: Of<'union'>, told: Told): ClientType {
  const all = branches.map((branch) => branchType(branch, discriminant, told))
  return discriminant === undefined ? ['union', all] : ['union', all, discriminant]
}

const hasParts: ReadonlySet<ModelType['kind']> = new Set(['struct', 'map', 'array', 'tuple', 'set'])

/** A branch says enough of itself to be told from the others, a struct by what has to be in it, a list by its elements. */
function branchType(type: ModelType, discriminant: string | undefined, told: Told): ClientType {
  const target = type.kind === 'ref' ? told.types.get(type.name)?.type : type
  if (!target || !hasParts.has(target.kind)) return tellingType(type, told)
  const names = target.kind === 'struct' ? decidingNames(target, told.types, mostLevels) : ['[]']
  const telling = discriminant === undefined ? names : [discriminant]
  if (type.kind !== 'ref') return toldBy(target, told, new Set(telling))
  told.used.add(type.name)
  told.telling.set(type.name, new Set([...(told.telling.get(type.name) ?? []), ...telling]))
  return ['ref', type.name]
}

/** What the table says of a name. */
function namedType(name: string, told: Told): ClientType {
  return toldBy(told.types.get(name)?.type ?? { kind: 'any' }, told, told.telling.get(name) ?? noNames)
}

function toldBy(type: ModelType, told: Told, telling: ReadonlySet<string>): ClientType {
  if (type.kind === 'struct') return structType(type, told, telling)
  if (telling.size === 0) return clientType(type, told)
  if (type.kind === 'tuple') return tupleType(type, told, true)
  return type.kind === 'array' ? ['array', tellingType(type.element, told)] : tellingType(type, told)
}

/** What kind of value it is, also where it needs no converting; of a struct what decides up to `levels` deep in it. */
function tellingType(type: ModelType, told: Told, levels = mostLevels): ClientType {
  if (type.kind === 'ref') return tellingRef(type.name, told, levels)
  if (type.kind === 'struct') return structType(type, told, tagsOf(type, told.types, levels), levels)
  if (type.kind === 'tuple' && levels > 0 && hasTag(type, told.types)) return tupleType(type, told, true, levels - 1)
  if (type.kind === 'set' && levels > 0) return ['set', tellingType(type.element, told, levels - 1)]
  if (type.kind === 'map' && levels > 0) return mapType(type, tellingType(type.value, told, levels - 1))
  if (isConverted(type, told.needs)) return clientType(type, told)
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
      return ['union', type.branches.map((branch) => tellingType(branch, told, levels))]
    default:
      return 'any'
  }
}

/** A struct by what decides; where something in it needs converting, under its name. Types that contain themselves end. */
function tellingRef(name: string, told: Told, levels: number): ClientType {
  const target = told.types.get(name)?.type
  if (!told.needs.has(name))
    return target && levels > 0 ? tellingType(target, told, innerLevels(target, levels)) : 'any'
  const names = target?.kind === 'struct' ? tagsOf(target, told.types, levels) : noNames
  const all = target?.kind === 'tuple' && hasTag(target, told.types) ? new Set(['[]']) : names
  if (all.size > 0) told.telling.set(name, new Set([...(told.telling.get(name) ?? []), ...all]))
  return clientType({ kind: 'ref', name }, told)
}

/** Less is said of a union than of a struct, since each of its branches says it. */
function innerLevels({ kind }: ModelType, levels: number): number {
  return kind === 'union' || kind === 'ref' ? Math.min(levels - 1, 1) : levels
}
