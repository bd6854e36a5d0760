import type { TypesByName } from '../../runtime/schema/description.js'
import type { ImportPlan } from '../../templates/text.js'
import { quote } from '../../templates/text.js'
import type { Model, ModelType, NamedType } from '../model/model.js'
import { findEntangled } from './entangled.js'
import { createImports, type Imports } from './imports.js'
import { createScope, type Scope } from './scope.js'
import { createTraits, type Question, someSays, type Trait } from './traits.js'

/** The names that the parts of one named type have in the module. */
export interface TypeNames {
  /** `order` */
  readonly constant: string
  /** `isOrder` */
  readonly is: string
  /** `pickOrder`: the conversion of both directions, where nothing but undeclared members goes. */
  readonly pick: string
  /** `reviveOrder` */
  readonly revive: string
  /** `lowerOrder` */
  readonly lower: string
}

/** What the planning functions share: the model's types, and the names that were given out. */
export interface Planner {
  readonly types: Pick<TypesByName, 'get'>
  readonly scope: Scope
  readonly imports: Imports
  namesOf(type: string): TypeNames
  typeOf(name: string): NamedType
  /** What is to be known of a type whose name is given. */
  says(question: Question, name: string): boolean
}

/** The planner of a whole module, which knows in the end what it imports. */
export interface ModulePlanner extends Planner {
  readonly types: TypesByName
  importPlans(): ImportPlan[]
}

/** `codegenNames` are all names that the codegen door has: no other name of the module may hide one. */
export function createPlanner(
  model: Model,
  codegenNames: readonly string[],
  specifier: (module: string) => string,
): ModulePlanner {
  const types: TypesByName = new Map(model.types.map((type) => [type.name, type]))
  const scope = createScope(codegenNames)
  const names = new Map<string, TypeNames>()
  const { plans, ...imports } = createImports(scope, specifier)
  return {
    types,
    scope,
    says: createSays(types),
    imports,
    importPlans: plans,
    namesOf(type) {
      const known = names.get(type) ?? claimNames(type, scope)
      names.set(type, known)
      return known
    },
    typeOf(name) {
      const type = types.get(name)
      if (!type) throw new Error(`the model has no type ${name}`)
      return type
    },
  }
}

function createSays(types: TypesByName): (question: Question, name: string) => boolean {
  const traits = createTraits(types)
  const has = (type: ModelType, trait: Trait) => someSays(type, trait, (name) => traits(trait, name))
  const entangled = findEntangled(types, (type) => has(type, 'needs revive') || has(type, 'needs lower'))
  return (question, name) => (question === 'is entangled' ? entangled.has(name) : traits(question, name))
}

function claimNames(type: string, scope: Scope): TypeNames {
  return {
    constant: scope.claim(type.charAt(0).toLowerCase() + type.slice(1)),
    is: scope.claim(`is${type}`),
    pick: scope.claim(`pick${type}`),
    revive: scope.claim(`revive${type}`),
    lower: scope.claim(`lower${type}`),
  }
}

/** How generated code reads a member: never one that every object inherits. */
export function memberAccess(name: string, planner: Planner): string {
  if (!(name in Object.prototype)) return `v[${quote(name)}]`
  return `${planner.imports.codegen('member')}(v, ${quote(name)})`
}
