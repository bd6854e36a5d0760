// The definitions of a module, and the constants among them: definitions of types without a name, which are named when all layouts exist.
//
//   interface Line { quantity: Int & Minimum<1> }  →  const lineQuantity = constrained(int, { minimum: 1 })
import type { Model, ModelType, NamedType } from '../../generator/model/model.js'
import { lowerFirst } from '../../generator/text.js'
import { innerTypesOf, typesOfProcedure } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { type DefinitionLayout, definitionLayout } from './definitions.js'
import { type Constants, type DefinitionContext, isDefinedByFunction, typeWord } from './kinds.js'
import type { Name } from './layout.js'
import type { NamedModule } from './names.js'
import type { Scope } from './scope.js'

/** A type without a name that is defined once, and the definitions that need it. */
interface Constant {
  /** Its name is chosen when all layouts exist. */
  readonly symbol: { name: string }
  readonly type: ModelType
  /** The position of the first definition that needs it; the number of types if a procedure does. */
  readonly firstUser: number
  readonly wanted: string
  readonly users: Set<string>
  /** The members of these definitions that have the type. */
  readonly members: Set<string>
}

/** The definitions of a module in their order, and the names of the constants among them, by the contents of their types. */
interface ModuleDefinitions {
  readonly definitions: readonly DefinitionLayout[]
  readonly constants: ReadonlyMap<string, string>
}

/** Defines the types of a module: first all layouts, then the names of the constants that these need. `all` are the types by name. */
export function defineTypes(model: Model, { names, types, scope }: NamedModule, all: TypesByName): ModuleDefinitions {
  const constants = new UnnamedConstants(model, types)
  const shared = { ...names, types: all, constants }
  const own = types.map(({ name, type }, at) => {
    const user = names.definitions.get(name) ?? name
    const context = { ...shared, use: { user, at, path: '', member: '' } }
    return definitionLayout(
      { name: user },
      type,
      isDefinedByFunction(type) ? context : constants.evaluatedAtOnce(context),
    )
  })
  for (const procedure of model.procedures) {
    const use = { user: lowerFirst(procedure.export), at: types.length, path: '', member: '' }
    for (const type of typesOfProcedure(procedure)) findConstants(type, { ...shared, use })
  }
  const found = constants.named(scope, names.definitions)
  const constantsAt = (at: number) => found.flatMap((each) => (each.firstUser === at ? [each.definition] : []))
  return {
    definitions: [...own.flatMap((each, at) => [...constantsAt(at), each]), ...constantsAt(types.length)],
    constants: new Map(found.map(({ type, symbol }) => [contentOf(type), symbol.name])),
  }
}

/** Finds the constants that the entry of a procedure refers to: types that are shared, and structs. Other types are written out in it. */
function findConstants(type: ModelType, context: DefinitionContext): void {
  if (context.constants.isShared(type) || isDefinedByFunction(type)) context.constants.nameOf(type, context)
  else for (const inner of innerTypesOf(type)) findConstants(inner, context)
}

/** The constants that layouts need. They have no names until all layouts exist. */
class UnnamedConstants implements Constants {
  /** The contents of the types that occur more than once. */
  readonly #repeated: ReadonlySet<string>
  readonly #positions: ReadonlyMap<string, number>
  readonly #found = new Map<string, Constant>()
  /** Each after those that it contains. */
  readonly #defined: (Constant & { readonly definition: DefinitionLayout })[] = []

  constructor(model: Model, types: readonly NamedType[]) {
    this.#positions = new Map(types.map(({ name }, at) => [name, at]))
    this.#repeated = repeatedContents([
      ...model.types.map(({ type }) => type),
      // The results of overloads are those of the combined signature.
      ...model.procedures.flatMap(({ overloads, ...each }) =>
        typesOfProcedure({ ...each, overloads: overloads?.map(({ params }) => ({ params })) }),
      ),
    ])
  }

  isShared(type: ModelType): boolean {
    if (!isShareable(type)) return false
    const content = contentOf(type)
    return this.#repeated.has(content) || this.#found.has(content)
  }

  nameOf(type: ModelType, context: DefinitionContext): Name {
    const { user, at, path, member } = context.use
    const content = contentOf(type)
    const known = this.#found.get(content)
    if (known) {
      known.users.add(user)
      known.members.add(member)
      return known.symbol
    }
    const inside = path + member
    const constant: Constant = {
      symbol: { name: '' },
      type,
      firstUser: at,
      wanted: user + inside,
      users: new Set([user]),
      members: new Set([member]),
    }
    this.#found.set(content, constant)
    const own = this.evaluatedAtOnce({ ...context, use: { user, at, path: inside, member: '' } })
    this.#defined.push({ ...constant, definition: definitionLayout(constant.symbol, type, own) })
    return constant.symbol
  }

  /** Returns the context of a definition that is evaluated at once, in which types that are defined later need `lazy`. */
  evaluatedAtOnce(context: DefinitionContext): DefinitionContext {
    return { ...context, isLater: (name) => (this.#positions.get(name) ?? 0) >= context.use.at }
  }

  /** Names the constants, and returns them with their definitions, each after those that it contains. */
  named(scope: Scope, definitions: ReadonlyMap<string, string>) {
    for (const each of this.#defined) each.symbol.name = scope.claim(...preferredNames(each, definitions), each.wanted)
    return this.#defined
  }
}

/** Returns constants that have names, by the contents of their types. */
export function namedConstants(names: ReadonlyMap<string, string>): Constants {
  return {
    isShared: (type) => isShareable(type) && names.has(contentOf(type)),
    nameOf(type) {
      const name = names.get(contentOf(type))
      if (name === undefined) throw new Error(`no constant defines ${contentOf(type)}`)
      return { name }
    },
  }
}

/** Returns a type as text: types with the same content share one constant. */
function contentOf(type: ModelType): string {
  return JSON.stringify(type, (name, value) => (name === 'readonly' || name === 'labels' ? undefined : value))
}

/** True for a type that gets a constant if it occurs more than once. The compiler does not keep the alias of a template. */
function isShareable({ alias, kind }: ModelType): boolean {
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
function preferredNames({ type, users, members }: Constant, definitions: ReadonlyMap<string, string>): string[] {
  if (type.alias !== undefined) return [lowerFirst(type.alias), `${lowerFirst(type.alias)}Type`]
  if (users.size === 1) return []
  const word = typeWord(type, definitions)
  if (word !== undefined && word.length <= MAX_CONTENT_NAME) return [word]
  const [member = '', ...others] = members
  return others.length === 0 && member !== '' ? [lowerFirst(member)] : []
}
