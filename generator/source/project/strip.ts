import { ts } from 'ts-morph'

/** Returns a TypeScript module without its types, as an ES module. */
export function stripTypes(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true }
  return ts.transpileModule(text, { compilerOptions }).outputText
}
