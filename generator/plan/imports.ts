import { type ImportName, type ImportPlan, isIdentifier, quote } from '../../templates/text.js'
import type { Scope } from './scope.js'

/** What the module imports, gathered while it is planned: nothing can be forgotten, nothing is left unused. */
export interface Imports {
  /** A name of `rpc-gen/codegen/v1`; a scope never gives these away. */
  codegen(name: string): string
  codegenType(name: string): string
  /** A function of the user's, by its local name: `wanted`, where that is free. */
  value(module: string, name: string, wanted: string): string
  /** A type of the user's, by its local name; `wanted` is for a default export. */
  type(module: string, name: string, wanted: string): string
}

const codegenModule = 'rpc-gen/codegen/v1'

/** `specifier` tells how a module of the user's is written in an import. */
export function createImports(
  scope: Scope,
  specifier: (module: string) => string,
): Imports & { plans(): ImportPlan[] } {
  const codegen = { values: new Set<string>(), types: new Set<string>() }
  const values = new Map<string, Map<string, string>>()
  const types = new Map<string, Map<string, string>>()
  return {
    codegen(name) {
      codegen.values.add(name)
      return name
    },
    codegenType(name) {
      codegen.types.add(name)
      return name
    },
    value: (module, name, wanted) => localName(values, module, name, wanted, scope),
    type: (module, name, wanted) => localName(types, module, name, name === 'default' ? wanted : name, scope),
    plans: () => [
      ...plan(codegenModule, asNames(codegen.types), true),
      ...plan(codegenModule, asNames(codegen.values), false),
      ...planAll(types, specifier, true),
      ...planAll(values, specifier, false),
    ],
  }
}

type Names = ReadonlyMap<string, string>

function localName(from: Map<string, Map<string, string>>, module: string, name: string, wanted: string, scope: Scope) {
  const names = from.get(module) ?? new Map<string, string>()
  from.set(module, names)
  const local = names.get(name) ?? scope.claim(wanted)
  names.set(name, local)
  return local
}

function asNames(names: ReadonlySet<string>): Names {
  return new Map([...names].map((name) => [name, name]))
}

function plan(from: string, names: Names, typeOnly: boolean): ImportPlan[] {
  if (names.size === 0) return []
  return [{ from, typeOnly, names: [...names].map(([name, as]) => importName(name, as)) }]
}

/** An exported name that is no identifier stands in quotes. */
function importName(name: string, as: string): ImportName {
  return name === as ? { name } : { name: isIdentifier(name) ? name : quote(name), as }
}

function planAll(modules: ReadonlyMap<string, Names>, specifier: (module: string) => string, typeOnly: boolean) {
  const sorted = [...modules].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.flatMap(([module, names]) => plan(specifier(module), names, typeOnly))
}
