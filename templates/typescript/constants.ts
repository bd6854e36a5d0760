// The definitions of a module, and the constants among them: definitions of types without a name, which are named when all layouts exist.
//
//   interface Line { quantity: Int & Minimum<1> }  →  const lineQuantity = constrained(int, { minimum: 1 })
import type { Model, ModelType } from '../../generator/model/model.js'
import { innerTypesOf, typesOfProcedure } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { type DefinitionLayout, definitionLayout, isDefinedByFunction, lazy } from './definitions.js'
import { type DefinitionContext, typeWord } from './kinds.js'
import { call, type Name } from './layout.js'
import type { ModuleNames, NamedModule } from './names.js'
import { lowerFirst, type Scope } from './scope.js'

/** A definition of a type without a name, and the definitions that need it. */
interface Constant {
  /** Its name is chosen when all layouts exist. */
  readonly symbol: { name: string }
  readonly type: ModelType
  /** The index of the first type that needs it; the number of types if a procedure does. */
  readonly firstUser: number
  readonly definition: DefinitionLayout
}

interface ConstantUse extends Omit<Constant, 'definition'> {
  readonly wanted: string
  readonly users: Set<string>
  /** The members of these definitions that have the type. */
  readonly members: Set<string>
}

/** The constants that layouts need. */
interface Constants {
  /** Returns the context of the layouts of a type or a procedure, by which constants are named; `isFunction` if it is not evaluated at once. */
  contextOf(user: string, firstUser: number, isFunction: boolean): DefinitionContext
  /** Names the constants, each after those that it contains. */
  named(scope: Scope, definitions: ReadonlyMap<string, string>): readonly Constant[]
}

/** The definitions of a module in their order, and the names of the constants among them, by the contents of their types. */
export interface ModuleDefinitions {
  readonly definitions: readonly DefinitionLayout[]
  readonly constants: ReadonlyMap<string, string>
}

/** Defines the types of a module: first all layouts, then the names of the constants that these need. */
export function defineTypes(model: Model, named: NamedModule): ModuleDefinitions {
  const { names, types, scope } = named
  const constants = createConstants(model, named)
  const own = types.map(({ name, type }, at) => {
    const wanted = names.definitions.get(name) ?? name
    return definitionLayout({ name: wanted }, type, constants.contextOf(wanted, at, isDefinedByFunction(type)))
  })
  for (const procedure of model.procedures) {
    const context = constants.contextOf(lowerFirst(procedure.export), types.length, true)
    for (const type of typesOfProcedure(procedure)) findConstants(type, context)
  }
  const found = constants.named(scope, names.definitions)
  const constantsAt = (at: number) => found.filter((each) => each.firstUser === at).map(({ definition }) => definition)
  return {
    definitions: [...own.flatMap((each, at) => [...constantsAt(at), each]), ...constantsAt(types.length)],
    constants: new Map(found.map(({ type, symbol }) => [contentOf(type), symbol.name])),
  }
}

/** Finds the constants that the entry of a procedure refers to: types that are shared, and structs. Other types are written out in it. */
function findConstants(type: ModelType, context: DefinitionContext): void {
  if (context.isShared(type) || isDefinedByFunction(type)) context.constant(type)
  else for (const inner of innerTypesOf(type)) findConstants(inner, context)
}

/** What a definition refers to by the names of a module. In a constant, types that are defined later need `lazy`. */
export function references(
  { definitions, modules }: Pick<ModuleNames, 'definitions' | 'modules'>,
  types: TypesByName,
  isLater?: (name: string) => boolean,
): Pick<DefinitionContext, 'types' | 'module' | 'named'> {
  return {
    types,
    module: (path) => modules.get(path) ?? path,
    named(name) {
      const definition = definitions.get(name) ?? name
      const type = types.get(name)?.type
      return isLater?.(name) && type && !isDefinedByFunction(type)
        ? call(lazy, [`() => ${definition}`])
        : { name: definition }
    },
  }
}

function createConstants(model: Model, { names, types }: NamedModule): Constants {
  const order = new Map(types.map(({ name }, at) => [name, at]))
  const byName = new Map(types.map((each) => [each.name, each]))
  const shared = repeatedContents([
    ...model.types.map(({ type }) => type),
    // The results of overloads are those of the combined signature.
    ...model.procedures.flatMap(({ overloads, ...each }) =>
      typesOfProcedure({ ...each, overloads: overloads?.map(({ params }) => ({ params })) }),
    ),
  ])
  const found = new Map<string, ConstantUse>()
  const ordered: (ConstantUse & Constant)[] = []
  const isShared = (type: ModelType): boolean => {
    if (!isShareable(type)) return false
    const content = contentOf(type)
    return shared.has(content) || found.has(content)
  }
  const contextOf = (user: string, firstUser: number, isFunction: boolean, path = ''): DefinitionContext => ({
    ...references(names, byName, isFunction ? undefined : (name) => (order.get(name) ?? 0) >= firstUser),
    isShared,
    constant(type, member = ''): Name {
      const content = contentOf(type)
      const known = found.get(content)
      known?.users.add(user)
      known?.members.add(member)
      if (known) return known.symbol
      const wanted = path + member
      const symbol = { name: '' }
      const use = { symbol, type, firstUser, wanted: user + wanted, users: new Set([user]), members: new Set([member]) }
      found.set(content, use)
      const definition = definitionLayout(symbol, type, contextOf(user, firstUser, false, wanted))
      ordered.push({ ...use, definition })
      return symbol
    },
  })
  return {
    contextOf,
    named(scope, definitions) {
      for (const each of ordered) each.symbol.name = scope.claim(...preferredNames(each, definitions), each.wanted)
      return ordered
    },
  }
}

/** Returns a type as text: types with the same content share one constant. */
export function contentOf(type: ModelType): string {
  return JSON.stringify(type, (name, value) => (name === 'readonly' || name === 'labels' ? undefined : value))
}

/** True for a type that gets a constant if it occurs more than once. The compiler does not keep the alias of a template. */
export function isShareable({ alias, kind }: ModelType): boolean {
  return alias !== undefined || kind === 'template'
}

/** The contents of the types that occur more than once, of those that get a constant then. */
function repeatedContents(types: readonly ModelType[]): ReadonlySet<string> {
  const once = new Set<string>()
  const again = new Set<string>()
  const visit = (type: ModelType): void => {
    if (isShareable(type)) {
      const content = contentOf(type)
      if (once.has(content)) again.add(content)
      once.add(content)
    }
    for (const inner of innerTypesOf(type)) visit(inner)
  }
  for (const type of types) visit(type)
  return again
}

const MAX_CONTENT_NAME = 30

/** Names that are preferred: the alias; for a type that several definitions need, its content if that is short, or their member. */
function preferredNames({ type, users, members }: ConstantUse, definitions: ReadonlyMap<string, string>): string[] {
  if (type.alias !== undefined) return [lowerFirst(type.alias), `${lowerFirst(type.alias)}Type`]
  if (users.size === 1) return []
  const word = typeWord(type, definitions)
  if (word !== undefined && word.length <= MAX_CONTENT_NAME) return [word]
  const [member = '', ...others] = members
  return others.length === 0 && member !== '' ? [lowerFirst(member)] : []
}
