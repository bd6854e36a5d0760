import type { ModelType, NamedType, ProcedureModel, ThrowsModel } from '../../generator/model/model.js'
import { memberKey } from '../../generator/text.js'
import type { ClientMethod, ClientType } from '../../runtime/client/table.js'
import { structureOf } from '../../runtime/description/described-types.js'
import { type ClientTypes, clientStruct } from './client-types.js'
import { clientEntry, isConverted } from './kinds.js'
import { print, valueLayout } from './layout.js'

/** The table of the values that the client converts, as JSON cannot represent them. Other procedures and types are left out. */
export function clientTable(
  procedures: readonly ProcedureModel[],
  types: readonly NamedType[],
  codecs: boolean,
): string {
  const used = new Map<string, Use>()
  const table = createClientTypes(types, codecs, used)
  const methods = procedures.map((procedure) => [procedure.name, clientMethod(procedure, table)] as const)
  const usedTypes = () => Array.from(used, ([name, use]) => [name, namedType(name, use, table)] as const)
  // A type may refer to further types, and more of a type that is already printed may then be needed.
  for (let before = -1; before < sizeOf(used); ) {
    before = sizeOf(used)
    usedTypes()
  }
  const converted = methods.filter(([, method]) => Object.keys(method).length > 0)
  const named = usedTypes()
  const lists = [
    `  methods: ${entryLines(converted)},`,
    ...(named.length > 0 ? [`  types: ${entryLines(named)},`] : []),
  ]
  // Without `as const`, TypeScript widens the literal of a member such as `toString` to string.
  return `const table: ClientTable = {\n${lists.join('\n')}\n} as const`
}

/** One entry a line, even if they would fit in one. */
function entryLines(entries: readonly (readonly [name: string, value: unknown])[]): string {
  if (entries.length === 0) return '{}'
  const lines = entries.map(([name, value]) => `    ${print([`${memberKey(name)}: `, valueLayout(value)], 4, 4, 1)},`)
  return `{\n${lines.join('\n')}\n  }`
}

/** What the table contains of a named type besides the values to convert. */
interface Use {
  /** The discriminants of the unions that it is a branch of. */
  readonly tags: Set<string>
  /** True if everything is needed, because a union recognises it by its parts. */
  isWhole: boolean
}

function sizeOf(used: ReadonlyMap<string, Use>): number {
  return [...used.values()].reduce((sum, { tags, isWhole }) => sum + tags.size + (isWhole ? 2 : 1), 0)
}

function createClientTypes(all: readonly NamedType[], codecs: boolean, used: Map<string, Use>): ClientTypes {
  const needs = new Set<string>()
  const shared = {
    types: new Map(all.map((type) => [type.name, type])),
    codecs,
    isConverted: (type: ModelType): boolean => (type.kind === 'ref' ? needs.has(type.name) : isConverted(type, table)),
  }
  const refer = (name: string, isWhole: boolean, tag?: string): ClientType => {
    const use = used.get(name) ?? { tags: new Set(), isWhole }
    used.set(name, use)
    use.isWhole ||= isWhole
    if (tag !== undefined) use.tags.add(tag)
    return ['ref', name]
  }
  const whole: ClientTypes = {
    ...shared,
    get whole() {
      return whole
    },
    part: (type) => whole.entry(type),
    entry: (type) => clientEntry(type, whole),
    refer: (name) => refer(name, true),
  }
  const table: ClientTypes = {
    ...shared,
    whole,
    part: (type) => (table.isConverted(type) ? table.entry(type) : 'any'),
    entry: (type) => clientEntry(type, table),
    refer: (name, tag) => refer(name, false, tag),
  }
  // Computed from the leaves up, so that recursive types end. Most types follow those that contain them.
  const leavesFirst = all.toReversed()
  for (let before = -1; before < needs.size; ) {
    before = needs.size
    for (const { name, type } of leavesFirst) if (table.isConverted(type)) needs.add(name)
  }
  return table
}

function namedType(name: string, { tags, isWhole }: Use, types: ClientTypes): ClientType {
  const type = types.types.get(name)?.type ?? { kind: 'any' }
  const table = isWhole ? types.whole : types
  return type.kind === 'struct' ? clientStruct(type, table, tags) : table.entry(type)
}

function clientMethod(
  { params, returns, paramsObject, subscription, idempotent, throws = [] }: ProcedureModel,
  table: ClientTypes,
): ClientMethod {
  const rest = params.find((param) => param.rest)
  const restNeeds = rest !== undefined && table.isConverted(rest.type)
  const single = params.filter((param) => !param.rest)
  const last = restNeeds ? single.length : single.findLastIndex(({ type }) => table.isConverted(type)) + 1
  const listed = single.slice(0, last).map(({ name, type }) => [name, table.part(type)] as const)
  return {
    ...(last > 0 ? { params: Object.fromEntries(listed) } : {}),
    ...(paramsObject ? { object: true } : {}),
    ...(restNeeds ? { rest: [rest.name, table.part(rest.type)] as const } : {}),
    ...(subscription ? { items: table.part(returns.type) } : {}),
    ...(!subscription && table.isConverted(returns.type) ? { result: table.part(returns.type) } : {}),
    ...errorsOf(throws, table),
    ...(idempotent ? { idempotent } : {}),
  }
}

/** The data of errors by code; of one code it may have several types. */
function errorsOf(throws: readonly ThrowsModel[], table: ClientTypes): Pick<ClientMethod, 'errors'> {
  const byCode = new Map<number, ModelType>()
  for (const { code, data } of throws) {
    const known = code === undefined ? undefined : byCode.get(code)
    if (code === undefined || !data || (known && structureOf(known) === structureOf(data))) continue
    byCode.set(code, known ? { kind: 'union', branches: [known, data] } : data)
  }
  const errors = [...byCode].filter(([, type]) => table.isConverted(type))
  const entries = errors.map(([code, type]) => [code, table.part(type)] as const)
  return entries.length === 0 ? {} : { errors: Object.fromEntries(entries) }
}
