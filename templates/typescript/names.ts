// The identifiers of a generated module that follow from the model: of modules, types and their definitions. Constants have names later.
//
//   import * as orders from './orders.js'    function order(…)    export interface OrderJson
import type { Model, ModelType, NamedType, PredicateModel, ProcedureModel } from '../../generator/model/model.js'
import { lowerFirst } from '../../generator/text.js'
import { referencedNames, typesOfProcedure } from '../../runtime/description/described-types.js'
import { hasIdentifier } from './kinds.js'
import { codegenNames, createScope, identifierOf, type Scope } from './scope.js'

/** Globals that a generated module refers to, and its own variables, types and exports. */
export const reservedInModule = (
  'undefined Array ArrayBuffer AsyncIterable Buffer Date Map Pick Promise ReadonlyMap ReadonlySet Record Set URL Uint8Array v w out ' +
  'procedures server router Procedures JsonProcedures JsonParams JsonErrors JsonFunctions Functions Compiled'
).split(' ')

/** The identifiers of a generated module. */
export interface ModuleNames {
  /** Definitions by the names of their types: `order`. */
  readonly definitions: ReadonlyMap<string, string>
  /** The namespaces of the sources, by their paths: `orders`. */
  readonly modules: ReadonlyMap<string, string>
  /** Imported types, by path and export. */
  readonly imported: ReadonlyMap<string, string>
  /** The name of a type's JSON form, if that has a name: `OrderJson`. */
  readonly json: ReadonlyMap<string, string>
  /** Constants by the contents of their types: `lineQuantity`. */
  readonly constants: ReadonlyMap<string, string>
}

/** A module before its constants have names, and what it defines. */
export interface NamedModule {
  readonly names: Omit<ModuleNames, 'constants'>
  /** The types that procedures use, each after those that it contains. */
  readonly types: readonly NamedType[]
  readonly scope: Scope
}

/** `served` are the procedures that the module serves itself, `all` the types of the model by name. */
export function nameModule(
  model: Model,
  served: readonly ProcedureModel[],
  all: ReadonlyMap<string, NamedType>,
): NamedModule {
  const typeOf = (name: string) => all.get(name) as NamedType
  const types = typesInOrder(model.procedures.flatMap(typesOfProcedure), typeOf)
  const scope = createScope([...codegenNames, ...reservedInModule])
  const definitions = new Map(types.map(({ name }) => [name, scope.claim(lowerFirst(name), `${lowerFirst(name)}Type`)]))
  const modules = nameModules(model.procedures, types, scope)
  const imported = new Map<string, string>()
  for (const { name, declared } of types) {
    if (!declared) continue
    const id = importId(declared)
    if (!imported.has(id)) imported.set(id, scope.claim(declared.name === 'default' ? name : declared.name))
  }
  const json = nameJson(served, typeOf, scope)
  return { names: { definitions, modules, imported, json }, types, scope }
}

/** Identifies an exported type. Module and name may be any texts. */
export function importId({ module, name }: { readonly module: string; readonly name: string }): string {
  return JSON.stringify([module, name])
}

/** The named types that others refer to, each after those that it contains. Without recursion: a row of types may be long. */
function typesInOrder(roots: readonly ModelType[], typeOf: (name: string) => NamedType): NamedType[] {
  const order: NamedType[] = []
  const seen = new Set<string>()
  // The next name of `rest` is its last.
  const open: { readonly named?: NamedType; readonly rest: string[] }[] = [
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

/** Names the JSON forms of the types that procedures use. */
function nameJson(
  procedures: readonly ProcedureModel[],
  typeOf: (name: string) => NamedType,
  scope: Scope,
): ReadonlyMap<string, string> {
  const roots = procedures.flatMap(({ params, returns, overloads, throws = [] }) => [
    ...(overloads ?? [{ params, returns }]).flatMap((each) => [...each.params, each.returns].map(({ type }) => type)),
    ...throws.flatMap(({ data }) => data ?? []),
  ])
  const named = typesInOrder(roots, typeOf).filter((each) => hasJsonName(each, typeOf))
  return new Map(named.map(({ name }) => [name, scope.claim(`${name}Json`)]))
}
