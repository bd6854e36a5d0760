import type { ts } from 'ts-morph'

/** What of CommonJS is understood: what an import by name finds, and TypeScript leads back to a declaration. */
export const commonJsHint =
  'declare the function and write exports.add = add, or make it an ES module: export function add'

/** Whether a script exports with `exports` or `module.exports`. */
export function isCommonJs(source: ts.SourceFile): boolean {
  const { commonJsModuleIndicator } = source as ts.SourceFile & { readonly commonJsModuleIndicator?: ts.Node }
  return commonJsModuleIndicator !== undefined
}
