import type { ts } from 'ts-morph'
import { type Declaration, exportsOf } from './declarations.js'
import type { Problems } from './problems.js'

/**
 * Reports modules that export a function called `then`: what `import()` of such a module gives is taken for a promise, and the
 * function is called. The generated module imports it statically, which loaders such as that of Vite turn into `import()`.
 */
export function checkThenable(declarations: readonly Declaration[], checker: ts.TypeChecker, problems: Problems): void {
  for (const module of new Set(declarations.map((each) => each.module))) {
    const [, symbol] = exportsOf(module, checker).find(([name]) => name === 'then') ?? []
    const at = symbol?.valueDeclaration
    if (!at || checker.getTypeOfSymbolAtLocation(symbol, at).getCallSignatures().length === 0) continue
    const message = 'a module that exports a function called then is taken for a promise when it is imported'
    problems.at(at, 'RPC113', message, { hint: 'export it by another name: @rpc then gives a procedure that one' })
  }
}
