import type { Model, ModelType, NamedType, PredicateModel, ProcedureModel } from '../../generator/model/model.js'
import { innerTypesOf, referencedNames } from '../../runtime/description/described-types.js'
import { definitionText, isFunction } from './definitions.js'
import { definitionValue, hasIdentifier, type Names, wordOf } from './kinds.js'
import { codegenNames, createScope, identifierOf, lowerFirst, type Scope } from './scope.js'

/** Globals that a generated module refers to, and its own variables, types and exports. */
const reservedNames = (
  'undefined Array ArrayBuffer Buffer Date Map Pick Promise ReadonlyMap ReadonlySet Record Set URL Uint8Array v w out ' +
  'procedures server router Procedures JsonProcedures JsonParams JsonErrors JsonFunctions Functions Compiled'
).split(' ')

/** The identifiers of a generated module: allocated in one pass over the complete model. */
export interface ModuleNames {
  /** Definitions by the names of their types: `order`. */
  readonly definitions: ReadonlyMap<string, string>
  /** Definitions of types without a name, by their content. */
  readonly constants: ReadonlyMap<string, string>
  /** The namespaces of the sources, by their paths: `orders`. */
  readonly modules: ReadonlyMap<string, string>
  /** Imported types, by path and export. */
  readonly imported: ReadonlyMap<string, string>
  /** The name of a type's JSON form, if that has a name: `OrderJson`. */
  readonly json: ReadonlyMap<string, string>
}

/** The names of a module, and what it defines. */
export interface NamedModule {
  readonly names: ModuleNames
  /** The types that procedures use, each after those that it contains. */
  readonly types: readonly NamedType[]
  readonly constants: readonly Constant[]
}

/** A definition of a type without a name. */
export interface Constant {
  readonly name: string
  readonly type: ModelType
  /** The index in `types` of the first type that needs it. */
  readonly at: number
}

export function nameModule(model: Model): NamedModule {
  const byName = new Map(model.types.map((type) => [type.name, type]))
  const typeOf = (name: string): NamedType => {
    const type = byName.get(name)
    if (!type) throw new Error(`the model has no type ${name}`)
    return type
  }
  const types = typesInOrder(
    model.procedures.flatMap(usedTypes).map(({ type }) => type),
    typeOf,
  )
  const scope = createScope([...codegenNames, ...reservedNames])
  const definitions = new Map(types.map(({ name }) => [name, scope.claim(lowerFirst(name), `${lowerFirst(name)}Type`)]))
  const modules = nameModules(model.procedures, types, scope)
  const imported = new Map<string, string>()
  for (const { name, declared } of types) {
    if (!declared) continue
    const id = importId(declared)
    if (!imported.has(id)) imported.set(id, scope.claim(declared.name === 'default' ? name : declared.name))
  }
  const json = nameJson(model.procedures, typeOf, scope)
  const constants = nameConstants(model.procedures, types, definitions, byName, scope)
  const byContent = new Map(constants.map(({ name, type }) => [contentOf(type), name]))
  return { names: { definitions, constants: byContent, modules, imported, json }, types, constants }
}

/** An exported type. Module and name may be any texts. */
interface Imported {
  readonly module: string
  readonly name: string
}

export function importId({ module, name }: Imported): string {
  return JSON.stringify([module, name])
}

export function importOf(id: string): Imported {
  const [module, name] = JSON.parse(id) as [string, string]
  return { module, name }
}

/** Returns a type as text: types with the same content share one constant. */
export function contentOf(type: ModelType): string {
  return JSON.stringify(type, (name, value) => (name === 'readonly' || name === 'labels' ? undefined : value))
}

/** The named types that others refer to, each after those that it contains. Without recursion: a row of types may be long. */
function typesInOrder(roots: readonly ModelType[], typeOf: (name: string) => NamedType): NamedType[] {
  const order: NamedType[] = []
  const seen = new Set<string>()
  const open: { readonly named?: NamedType /** The last one first. */; readonly rest: string[] }[] = [
    { rest: roots.flatMap(referencedNames).reverse() },
  ]
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const name = last.rest.pop()
    if (name === undefined) {
      if (last.named) order.push(last.named)
      open.pop()
    } else if (!seen.has(name)) {
      seen.add(name)
      open.push({ named: typeOf(name), rest: referencedNames(typeOf(name).type).reverse() })
    }
  }
  return order
}

function predicatesOf(auth: ProcedureModel['auth'] = []): readonly PredicateModel[] {
  return auth === 'public' ? [] : auth.flatMap((rule) => (rule === 'inherited' ? [] : rule))
}

/** The local name of a module: `orders` for `./procedures/orders.ts`, with the folder before it if two files have this name. */
function nameModules(
  procedures: readonly ProcedureModel[],
  types: readonly NamedType[],
  scope: Scope,
): ReadonlyMap<string, string> {
  const paths = [
    ...procedures.flatMap(({ module, auth }) => [module, ...predicatesOf(auth).map((each) => each.module)]),
    ...types.flatMap(({ type }) => (type.kind === 'custom' && type.codec ? [type.codec.module] : [])),
  ]
  const sorted = [...new Set(paths)].sort()
  const counts = new Map<string, number>()
  for (const path of sorted) counts.set(moduleName(path), (counts.get(moduleName(path)) ?? 0) + 1)
  return new Map(
    sorted.map((path) => {
      const name = moduleName(path)
      const long = moduleName(path, 2)
      return [path, scope.claim(...(counts.get(name) === 1 ? [name] : []), long, `${long}Module`)]
    }),
  )
}

/** The name of a file, or of a folder by its index, with `count - 1` folders before it. */
function moduleName(path: string, count = 1): string {
  const segments = path
    .replace(/(?:\.d)?\.[mc]?[jt]sx?$/, '')
    .split('/')
    .filter((each) => !/^\.*$/.test(each))
  if (segments.length > 1 && segments.at(-1) === 'index') segments.pop()
  return lowerFirst(identifierOf(segments.slice(-count).join(' ')))
}

/** True if the JSON form of a type has a name; not if it is a single word, or an array of objects without a name in the source. */
function hasJsonName({ type, anonymous }: NamedType, typeOf: (name: string) => NamedType): boolean {
  const sent = type.kind === 'custom' ? type.wire : type
  if (sent.kind === 'literal' || (sent.kind !== 'ref' && hasIdentifier(sent))) return false
  const element = sent.kind === 'array' && sent.element.kind === 'ref' ? typeOf(sent.element.name).type : undefined
  return !anonymous || element?.kind !== 'struct'
}

function nameJson(
  procedures: readonly ProcedureModel[],
  typeOf: (name: string) => NamedType,
  scope: Scope,
): ReadonlyMap<string, string> {
  const roots = procedures
    .filter((each) => !each.registered)
    .flatMap(({ params, returns, overloads, throws = [] }) => [
      ...(overloads ?? [{ params, returns }]).flatMap((each) => [...each.params, each.returns].map(({ type }) => type)),
      ...throws.flatMap(({ data }) => data ?? []),
    ])
  const named = typesInOrder(roots, typeOf).filter((each) => hasJsonName(each, typeOf))
  return new Map(named.map(({ name }) => [name, scope.claim(`${name}Json`)]))
}

/** Named after their alias, or the type and the member that need them, or their content if several types do. */
function nameConstants(
  procedures: readonly ProcedureModel[],
  types: readonly NamedType[],
  definitions: ReadonlyMap<string, string>,
  byName: ReadonlyMap<string, NamedType>,
  scope: Scope,
): Constant[] {
  const used = procedures.flatMap(usedTypes)
  const shared = repeated([...types.map(({ type }) => type), ...used.map(({ type }) => type)])
  const isShared = (type: ModelType) => isShareable(type) && shared.has(contentOf(type))
  const found = new Map<string, ConstantUse>()
  // Each after those that it contains.
  const ordered: ConstantUse[] = []
  const collect = (user: string, at: number, print: (names: Names) => void, path = ''): void => {
    print({
      types: byName,
      codegen: (name) => name,
      module: (path) => path,
      wire: () => 'w',
      named: (name) => name,
      isShared,
      constant(type, member = '') {
        const content = contentOf(type)
        const known = found.get(content)
        known?.users.add(user)
        known?.members.add(member)
        if (known) return ''
        const wanted = path + member
        const constant = { type, at, wanted: user + wanted, users: new Set([user]), members: new Set([member]) }
        found.set(content, constant)
        collect(user, at, (names) => definitionText('', type, names), wanted)
        ordered.push(constant)
        return ''
      },
    })
  }
  for (const [at, { name, type }] of types.entries()) {
    collect(definitions.get(name) ?? name, at, (names) => definitionText('', type, names))
  }
  for (const { type, user } of used) {
    if (needsConstant(type, isShared)) collect(user, types.length, (names) => definitionValue(type, names))
  }
  return ordered.map((found) => ({
    type: found.type,
    at: found.at,
    name: scope.claim(...namesFor(found, definitions), found.wanted),
  }))
}

function usedTypes({ export: name, params, returns, overloads = [], throws = [] }: ProcedureModel) {
  const all = [...params, returns, ...overloads.flatMap((each) => each.params)].map(({ type }) => type)
  const types = [...all, ...throws.flatMap(({ data }) => data ?? [])]
  return types.map((type) => ({ type, user: lowerFirst(name) }))
}

/** True for a type that gets a constant if it occurs more than once. The compiler does not keep the alias of a template. */
export function isShareable({ alias, kind }: ModelType): boolean {
  return alias !== undefined || kind === 'template'
}

/** The contents of the types that occur more than once, of those that get a constant then. */
function repeated(types: readonly ModelType[]): ReadonlySet<string> {
  const once = new Set<string>()
  const repeated = new Set<string>()
  const visit = (type: ModelType): void => {
    if (isShareable(type)) {
      const content = contentOf(type)
      if (once.has(content)) repeated.add(content)
      once.add(content)
    }
    for (const inner of innerTypesOf(type)) visit(inner)
  }
  for (const type of types) visit(type)
  return repeated
}

/** A type without a name, and the definitions that need it. */
interface ConstantUse {
  readonly type: ModelType
  readonly at: number
  readonly wanted: string
  readonly users: Set<string>
  /** The members of these definitions that have the type. */
  readonly members: Set<string>
}

function needsConstant(type: ModelType, isShared: (type: ModelType) => boolean): boolean {
  return isFunction(type) || isShared(type) || innerTypesOf(type).some((inner) => needsConstant(inner, isShared))
}

const MAX_CONTENT_NAME = 30

/** Names that are preferred: the alias; for a type that several definitions need, its content if that is short, or their member. */
function namesFor({ type, users, members }: ConstantUse, definitions: ReadonlyMap<string, string>): string[] {
  if (type.alias !== undefined) return [lowerFirst(type.alias), `${lowerFirst(type.alias)}Type`]
  if (users.size === 1) return []
  const word = wordOf(type, definitions)
  if (word !== undefined && word.length <= MAX_CONTENT_NAME) return [word]
  const [member = '', ...others] = members
  return others.length === 0 && member !== '' ? [lowerFirst(member)] : []
}
