import { quote } from '../../generator/text.js'
import { importStatement } from './file.js'
import { importName, type Layout, type Name, someName } from './layout.js'
import { codegenModule } from './scope.js'

/** Returns the names that layouts import, each once. */
export function importsIn(layouts: readonly Layout[]): Name[] {
  const imports = new Map<string, Name>()
  someName(layouts, (each) => {
    if (each.from) imports.set(each.name, each)
    return false
  })
  return [...imports.values()]
}

/**
 * The imports of a generated module: those of `rpc-gen/codegen/v1`, the types of the sources and the sources themselves, each by path.
 * `modules` are the local names of the sources.
 */
export function importTexts(
  names: readonly Name[],
  modules: ReadonlyMap<string, string>,
  specifier: (module: string) => string,
): string {
  const own = new Map<string, Name>()
  const types = new Map<string, Set<string>>()
  for (const each of names) {
    if (!each.from) continue
    const { module, export: name } = each.from
    if (module === codegenModule) own.set(name, each)
    else types.set(module, (types.get(module) ?? new Set()).add(importName(name, each.name)))
  }
  // A type after a function of the same letters.
  const sortKey = ({ name, from }: Name) => name.toLowerCase() + (from?.isType ? '1' : '0')
  const sorted = [...own.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const byPath = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
  return [
    importStatement(
      'import',
      sorted.map(({ name, from }) => (from?.isType ? `type ${name}` : name)),
      codegenModule,
    ),
    ...[...types]
      .sort(byPath)
      .map(([module, all]) => importStatement('import type', [...all].sort(), specifier(module))),
    ...[...modules].sort(byPath).map(([module, local]) => `import * as ${local} from ${quote(specifier(module))}`),
  ].join('\n')
}
