import type {
  Kind,
  ModelType,
  NamedType,
  OfKind,
  ParamModel,
  ProcedureModel,
  ThrowsModel,
} from '../../generator/model/model.js'
import type { ClientMethod, ClientScalar, ClientType } from '../../runtime/client/table.js'
import { flatten, innerTypesOf, structureOf } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { jsonTypesOf } from '../../runtime/description/json-types.js'
import { key, print, valueLayout } from '../layout.js'

/** The table of the values that the client converts, as JSON cannot represent them. Other procedures and types are left out. */
export function clientTable(
  procedures: readonly ProcedureModel[],
  types: readonly NamedType[],
  codecs: boolean,
): string {
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const needs = namesThatNeed(byName, codecs)
  const table: Table = { types: byName, codecs, needs, used: new Map() }
  const methods = procedures.map((procedure) => [procedure.name, methodOf(procedure, table)] as const)
  const usedTypes = () => Array.from(table.used, ([name, use]) => [name, namedType(name, use, table)] as const)
  // A type may refer to further types, and more of a type that is already printed may then be needed.
  for (let before = -1; before < sizeOf(table); ) {
    before = sizeOf(table)
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
  const lines = entries.map(([name, value]) => `    ${print([`${key(name)}: `, valueLayout(value)], 4, 4, 1)},`)
  return `{\n${lines.join('\n')}\n  }`
}

function sizeOf({ used }: Table): number {
  return [...used.values()].reduce((sum, { tags, isWhole }) => sum + tags.size + (isWhole ? 2 : 1), 0)
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
  /** The types that the table refers to, by name. */
  readonly used: Map<string, Use>
}

/** What the table contains of a named type besides the values to convert. */
interface Use {
  /** The discriminants of the unions that it is a branch of. */
  readonly tags: ReadonlySet<string>
  /** True if everything is needed, because a union recognises it by its parts. */
  readonly isWhole: boolean
}

function methodOf(
  { params, returns, paramsObject, subscription, idempotent, throws = [] }: ProcedureModel,
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
    ...errorsOf(throws, table),
    ...(idempotent ? { idempotent } : {}),
  }
}

/** The data of errors by code; of one code it may have several types. */
function errorsOf(throws: readonly ThrowsModel[], table: Table): Pick<ClientMethod, 'errors'> {
  const byCode = new Map<number, ModelType>()
  for (const { code, data } of throws) {
    const known = code === undefined ? undefined : byCode.get(code)
    if (code === undefined || !data || (known && structureOf(known) === structureOf(data))) continue
    byCode.set(code, known ? { kind: 'union', branches: [known, data] } : data)
  }
  const errors = [...byCode].filter(([, type]) => isConverted(type, table))
  const entries = errors.map(([code, type]) => [code, clientType(type, table)] as const)
  return entries.length === 0 ? {} : { errors: Object.fromEntries(entries) }
}

function membersOf(params: readonly Pick<ParamModel, 'name' | 'type'>[], table: Table): Record<string, ClientType> {
  return Object.fromEntries(params.map(({ name, type }) => [name, clientType(type, table)]))
}

/** Returns how a value is converted; `any` if it is unchanged. */
function clientType(type: ModelType, table: Table): ClientType {
  return isConverted(type, table) ? rowOf(type).entry(type, table, clientType) : 'any'
}

/** Returns the complete type, which recognises a value as a branch of a union. */
function wholeType(type: ModelType, table: Table): ClientType {
  return rowOf(type).entry(type, table, wholeType)
}

/** How the parts of a type are printed: `clientType` or `wholeType`. */
type Parts = typeof clientType

function isConverted(type: ModelType, table: Conversions): boolean {
  return rowOf(type).isConverted?.(type, table) ?? hasConverted(type, table)
}

/** True if a part of a type is converted. */
function hasConverted(type: ModelType, table: Conversions): boolean {
  return innerTypesOf(type).some((part) => isConverted(part, table))
}

const noTags: ReadonlySet<string> = new Set()

/** How the client handles a kind. */
interface ClientKind<Type> {
  /** True if JSON cannot represent a value or a part of it. Default: its parts decide. */
  isConverted?(type: Type, table: Conversions): boolean
  /** How a value is recognised and converted. */
  entry(type: Type, table: Table, parts: Parts): ClientType
  /** True if null may be a value. Default: false. */
  acceptsNull?(type: Type): boolean
}

/** A kind without parts. */
function scalar(name: ClientScalar, isChanged: boolean, isNull = false): ClientKind<ModelType> {
  return { isConverted: () => isChanged, entry: () => name, acceptsNull: () => isNull }
}

const clientKinds: { readonly [K in Kind]: ClientKind<OfKind<K>> } = {
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
  literal: { entry: ({ value }) => ['is', value] },
  template: { entry: ({ pattern }) => ['template', pattern] },
  array: { entry: ({ element }, table, parts) => ['array', parts(element, table)] },
  set: {
    isConverted: () => true,
    entry: ({ element }, table, parts) => ['set', parts(element, table)],
  },
  map: {
    isConverted: () => true,
    entry({ keys, value }, table, parts) {
      return keys?.numeric ? ['map', parts(value, table), 'number'] : ['map', parts(value, table)]
    },
  },
  tuple: {
    isConverted: (type, table) => hasHoles(type) || hasConverted(type, table),
    entry: tupleType,
  },
  struct: {
    entry: (type, table, parts) => structType(type, table, parts),
  },
  union: {
    entry: unionType,
    acceptsNull: ({ branches }) => branches.some(acceptsNull),
  },
  custom: {
    isConverted: ({ wire }, table) => table.codecs || isConverted(wire, table),
    entry: ({ name, wire }, table, parts) =>
      table.codecs ? ['custom', name, wholeType(wire, table)] : rowOf(wire).entry(wire, table, parts),
  },
  ref: {
    isConverted: ({ name }, { needs }) => needs.has(name),
    entry({ name }, table, parts) {
      const target = table.types.get(name)?.type
      const isListed = parts === wholeType || table.needs.has(name)
      return isListed || !target
        ? refType(name, table, { tags: noTags, isWhole: parts === wholeType })
        : rowOf(target).entry(target, table, parts)
    },
    acceptsNull: () => true,
  },
}

function rowOf(type: ModelType): ClientKind<ModelType> {
  return clientKinds[type.kind] as ClientKind<ModelType>
}

/** Null represents an omitted element, so that the type of an optional one has to be complete: it may accept null itself. */
function tupleType({ elements, rest, required }: OfKind<'tuple'>, table: Table, parts: Parts): ClientType {
  const types = elements.map((each, i) => (i < required ? parts : wholeType)(each, table))
  const others = rest ? parts(rest, table) : parts === wholeType ? 'never' : 'any'
  if (required < elements.length) return ['tuple', types, others, required]
  return rest ? ['tuple', types, others] : ['tuple', types]
}

/** The members that are converted, or all, and the tags. */
function structType(
  { members, indexes = [] }: OfKind<'struct'>,
  table: Table,
  parts: Parts,
  tags: ReadonlySet<string> = noTags,
): ClientType {
  const typesOf = (isOptional: boolean) =>
    Object.fromEntries(
      members
        .filter(({ optional = false }) => optional === isOptional)
        .map(({ name, type }) => [name, (tags.has(name) ? wholeType : parts)(type, table)] as const)
        .filter(([, type]) => type !== 'any'),
    )
  const [required, optional] = [typesOf(false), typesOf(true)]
  const others = indexes.map(({ type, keys }) => [keys?.pattern ?? '', parts(type, table)] as const)
  const [only] = others
  if (only) return ['struct', required, optional, others.length > 1 ? Object.fromEntries(others) : only[1]]
  return Object.keys(optional).length > 0 ? ['struct', required, optional] : ['struct', required]
}

function unionType({ branches, discriminant }: OfKind<'union'>, table: Table, parts: Parts): ClientType {
  const shared = sharedForms(branches, table.types)
  const all = branches.map((branch) => {
    return parts === wholeType ? wholeType(branch, table) : branchType(branch, discriminant, shared, table)
  })
  return discriminant === undefined ? ['union', all] : ['union', all, discriminant]
}

/** A branch is recognised by its discriminant, or by its form; without either it is complete. */
function branchType(
  branch: ModelType,
  discriminant: string | undefined,
  shared: ReadonlySet<string>,
  table: Table,
): ClientType {
  const target = branch.kind === 'ref' ? table.types.get(branch.name)?.type : branch
  if (discriminant !== undefined && target?.kind === 'struct') {
    const tags = new Set([discriminant])
    if (branch.kind === 'ref') return refType(branch.name, table, { tags, isWhole: false })
    return structType(target, table, clientType, tags)
  }
  const isAlone = !formsOfBranch(branch, table.types).some((form) => shared.has(form))
  return isAlone ? rowOf(branch).entry(branch, table, clientType) : wholeType(branch, table)
}

/** The forms in JSON that several branches may have: a value of another form belongs to the one branch that has it. */
function sharedForms(branches: readonly ModelType[], types: TypesByName): ReadonlySet<string> {
  const [once, shared] = [new Set<string>(), new Set<string>()]
  for (const form of branches.flatMap((each) => formsOfBranch(each, types))) (once.has(form) ? shared : once).add(form)
  return shared
}

/** The forms of a type in JSON. The values of custom scalars are of any class, perhaps objects or lists. */
function formsOfBranch(branch: ModelType, types: TypesByName): readonly string[] {
  const forms = flatten(branch, types).flatMap((each): readonly string[] =>
    each.kind === 'custom' || each.kind === 'any' ? ['object', 'array'] : jsonTypesOf(each),
  )
  return [...new Set(forms)]
}

/** Lists a named type, with what was needed of it before. */
function refType(name: string, table: Table, { tags, isWhole }: Use): ClientType {
  const known = table.used.get(name)
  table.used.set(name, {
    tags: new Set([...(known?.tags ?? []), ...tags]),
    isWhole: isWhole || known?.isWhole === true,
  })
  return ['ref', name]
}

function namedType(name: string, { tags, isWhole }: Use, table: Table): ClientType {
  const type = table.types.get(name)?.type ?? { kind: 'any' }
  const parts = isWhole ? wholeType : clientType
  return type.kind === 'struct' ? structType(type, table, parts, tags) : rowOf(type).entry(type, table, parts)
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
  return rowOf(type).acceptsNull?.(type) ?? false
}
