import type { Model, ModelType, ProcedureModel } from '../../generator/model/model.js'
import { innerTypesOf } from '../../runtime/description/described-types.js'
import type { Name } from '../layout.js'
import { type Definition, definitionOf, isFunction } from './definitions.js'
import { type DefinitionContext, wordOf } from './kinds.js'
import { usedTypes } from './names.js'
import { lowerFirst, type Scope } from './scope.js'

/** A definition of a type without a name, and the definitions that need it. */
export interface Constant {
  /** Its name is chosen when all layouts exist. */
  readonly symbol: { name: string }
  readonly type: ModelType
  /** The index of the first type that needs it; the number of types if a procedure does. */
  readonly at: number
  readonly definition: Definition
}

interface ConstantUse extends Omit<Constant, 'definition'> {
  readonly wanted: string
  readonly users: Set<string>
  /** The members of these definitions that have the type. */
  readonly members: Set<string>
}

/** The constants that layouts need. */
export interface Constants {
  /** Returns the context of the layouts of a type or a procedure, by which constants are named. */
  contextOf(user: string, at: number, isLater?: (name: string) => boolean): DefinitionContext
  /** True if the entry of a procedure refers to constants. */
  isNeededBy(procedure: ProcedureModel): boolean
  /** Names the constants, each after those that it contains. */
  named(scope: Scope, definitions: ReadonlyMap<string, string>): readonly Constant[]
}

/** `base` has what does not depend on the position of a definition. */
export function createConstants(
  { types, procedures }: Pick<Model, 'types' | 'procedures'>,
  base: (isLater?: (name: string) => boolean) => Pick<DefinitionContext, 'types' | 'module' | 'named'>,
  isLaterThan: (at: number) => (name: string) => boolean,
): Constants {
  const shared = repeated([...types.map(({ type }) => type), ...procedures.flatMap(usedTypes)])
  const found = new Map<string, ConstantUse>()
  const ordered: (ConstantUse & Constant)[] = []
  const isShared = (type: ModelType): boolean => {
    if (!isShareable(type)) return false
    const content = contentOf(type)
    return shared.has(content) || found.has(content)
  }
  const contextOf = (user: string, at: number, isLater?: (name: string) => boolean, path = ''): DefinitionContext => ({
    ...base(isLater),
    isShared,
    constant(type, member = ''): Name {
      const content = contentOf(type)
      const known = found.get(content)
      known?.users.add(user)
      known?.members.add(member)
      if (known) return known.symbol
      const wanted = path + member
      const symbol = { name: '' }
      const use = { symbol, type, at, wanted: user + wanted, users: new Set([user]), members: new Set([member]) }
      found.set(content, use)
      const definition = definitionOf(symbol, type, contextOf(user, at, isLaterThan(at), wanted))
      ordered.push({ ...use, definition })
      return symbol
    },
  })
  const needsConstant = (type: ModelType): boolean =>
    isFunction(type) || isShared(type) || innerTypesOf(type).some(needsConstant)
  return {
    contextOf,
    isNeededBy: (procedure) => usedTypes(procedure).some(needsConstant),
    named(scope, definitions) {
      for (const each of ordered) each.symbol.name = scope.claim(...namesFor(each, definitions), each.wanted)
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
