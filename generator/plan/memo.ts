import type { NamedType, ProcedureModel } from '../model/model.js'
import { contentOf, type ModuleNames } from './names.js'

/** What is printed of one procedure, and what of it has to be imported. */
export interface ProcedureTexts {
  readonly entry: string
  /** Its member in each interface; undefined where an interface has none for it. */
  readonly members: readonly (string | undefined)[]
  readonly codegen: readonly string[]
  readonly imported: readonly string[]
}

/** The texts of procedures for the next run of a process that watches. */
export interface TextMemo {
  /** Returns the text that is known of a procedure with this content, or makes it. */
  textsOf(procedure: ProcedureModel, make: () => ProcedureTexts): ProcedureTexts
  /** Forgets everything unless the types and the names are those of the run before. */
  begin(types: readonly NamedType[], names: ModuleNames): void
}

/** For a run that has no next one. */
export const noMemo: TextMemo = { textsOf: (_, make) => make(), begin: () => {} }

/** The text of a procedure follows from its content, the types and the names: it is known as long as these are the same. */
export function createMemo(): TextMemo {
  let texts = new Map<string, ProcedureTexts>()
  let last = new Map<string, ProcedureTexts>()
  let environment: readonly string[] = []
  return {
    begin(types, names) {
      const now = environmentOf(types, names)
      const isSame = now.length === environment.length && now.every((each, i) => each === environment[i])
      last = isSame ? texts : new Map()
      texts = new Map()
      environment = now
    },
    textsOf(procedure, make) {
      const content = contentOf(procedure)
      const known = last.get(content) ?? make()
      texts.set(content, known)
      return known
    },
  }
}

function environmentOf(types: readonly NamedType[], names: ModuleNames): string[] {
  const { definitions, modules, imported, json, constants } = names
  const maps = [definitions, modules, imported, json].flatMap((map) => [...map].flat())
  return [...types.map(contentOf), ...maps, ...Array.from(constants, ([content, { name }]) => content + name)]
}
