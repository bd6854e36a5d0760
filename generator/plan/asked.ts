import type { NamedType } from '../model/model.js'
import type { Planner, TypeNames } from './planner.js'
import type { Answering } from './replay.js'
import type { Direction, Question } from './traits.js'

/** What planning one thing asks, of the model and of the names that are given out: a planner in plain questions. */
export interface Asked extends Answering {
  readonly claim: (name: string) => string
  readonly codegen: (name: string) => string
  readonly codegenType: (name: string) => string
  readonly value: (module: string, name: string, wanted: string) => string
  readonly type: (module: string, name: string, wanted: string) => string
  readonly namesOf: (type: string) => NameList
  readonly typeOf: (name: string) => NamedType
  readonly says: (question: string, name: string) => boolean
}

/** What planning a type asks beside that. */
export interface TypeAsked extends Asked {
  /** Whether a type is written further down, or is the one that is planned. */
  readonly isOpen: (name: string) => boolean
  /** Whether values of the type that is planned go this way. */
  readonly travels: (direction: string) => boolean
}

/** The names of a type, as a list that can be compared. */
type NameList = readonly [constant: string, is: string, pick: string, revive: string, lower: string]

/** A planner's answers. */
export function askedOf({ scope, imports, namesOf, typeOf, says }: Planner): Asked {
  return {
    claim: scope.claim,
    codegen: imports.codegen,
    codegenType: imports.codegenType,
    value: imports.value,
    type: imports.type,
    namesOf: (type) => {
      const { constant, is, pick, revive, lower } = namesOf(type)
      return [constant, is, pick, revive, lower]
    },
    typeOf,
    says: (question, name) => says(question as Question, name),
  }
}

/** A planner that asks. */
export function plannerOf(asked: Asked): Planner {
  const { claim, codegen, codegenType, value, type, typeOf } = asked
  return {
    types: { get: typeOf },
    scope: { claim },
    imports: { codegen, codegenType, value, type },
    namesOf: (name): TypeNames => {
      const [constant, is, pick, revive, lower] = asked.namesOf(name)
      return { constant, is, pick, revive, lower }
    },
    typeOf,
    says: (question, name) => asked.says(question, name),
  }
}

/** The ways that values go, as a set. */
export function directionsOf({ travels }: TypeAsked): ReadonlySet<Direction> {
  const ways: readonly Direction[] = ['revive', 'lower']
  return new Set(ways.filter((direction) => travels(direction)))
}
