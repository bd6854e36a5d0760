import { hashOf } from '../cache/fresh.js'
import type { NamedType, ProcedureModel } from '../model/model.js'
import { contentOf, type ModuleNames } from './names.js'

/** The texts of one procedure, and their imports. */
export interface ProcedureTexts {
  readonly entry: string
  /** Its member in each interface; null if an interface does not contain the procedure. */
  readonly members: readonly (string | null)[]
  readonly codegen: readonly string[]
  readonly imported: readonly string[]
}

/** The texts of a run, by the hash of each procedure. Valid if the types and names are the same. */
export interface StoredTexts {
  readonly environment: string
  readonly texts: Readonly<Record<string, ProcedureTexts>>
}

/** Caches the texts of procedures for the next run, of a watching process or of the same command. */
export interface TextMemo {
  /** Returns the text of a procedure from the run before, or makes it. */
  textsOf(procedure: ProcedureModel, make: () => ProcedureTexts): ProcedureTexts
  /** Drops everything unless the types and the names are those of the run before. */
  begin(types: readonly NamedType[], names: ModuleNames): void
  /** The texts of this run. */
  stored(): StoredTexts
}

/** Returns a memo with the texts of the run before. `tool` is the version of rpc-gen, which may print other texts. */
export function createMemo(tool: string, before?: StoredTexts): TextMemo {
  let last: StoredTexts['texts'] = {}
  let texts: Record<string, ProcedureTexts> = { ...before?.texts }
  let environment = before?.environment
  return {
    begin(types, names) {
      const now = hashOf([tool, ...environmentOf(types, names)].join('\n'))
      last = now === environment ? texts : {}
      texts = {}
      environment = now
    },
    textsOf(procedure, make) {
      const key = hashOf(contentOf(procedure))
      texts[key] = last[key] ?? make()
      return texts[key]
    },
    stored: () => ({ environment: environment ?? '', texts }),
  }
}

function environmentOf(types: readonly NamedType[], names: ModuleNames): string[] {
  const { definitions, modules, imported, json, constants } = names
  const maps = [definitions, modules, imported, json].flatMap((map) => [...map].flat())
  return [...types.map(contentOf), ...maps, ...Array.from(constants, ([content, { name }]) => content + name)]
}
