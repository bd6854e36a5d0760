// The mistakes in the comment of a procedure: tags that it cannot have, errors and parameters that do not exist:
//
//   @throws {Gone}, and no Gone in the file  →  RPC130: there is no Gone in this file’s scope
import { ts } from 'ts-morph'
import { parameterOf, tagsWith } from '../../doc-comments/index.js'
import type { ModelType, ParamModel } from '../../model/model.js'
import { missingModuleOf, reportMissing } from '../program/missing.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { type DeclaredNode, nameInScope, ownFunction, symbolAt } from '../program/symbols.js'
import { type Commented, isDottedName, moduleComment, type PlacedComment, reportInComment } from './comments.js'
import { reportMistakes, reportStrayDirectives } from './directives.js'

/** Reports the mistakes in the comment of a procedure. */
export function checkComment(comment: PlacedComment, project: Pick<OpenProject, 'checker' | 'problems'>): void {
  const { doc } = comment
  const { problems } = project
  reportMistakes(comment, problems)
  // The comment at the top of a file may be the module's, even if a function that is registered by hand follows.
  const isOfModule =
    doc.tags.some(({ name }) => name === 'namespace') && moduleComment(comment.source)?.start === comment.start
  const read = tagsWith((row) => row.ofModule !== 'exclusive' || isOfModule)
  reportStrayDirectives(comment, read, problems)
  checkThrown(comment, project)
}

/**
 * Reports the errors of a comment whose class does not exist in the file's scope, or whose type does not name classes: no client would
 * know them. A text that begins with a code declares the error by itself.
 */
function checkThrown(comment: PlacedComment, { checker, problems }: Pick<OpenProject, 'checker' | 'problems'>): void {
  const { doc, source } = comment
  for (const { name: type, text, line } of doc.throws) {
    if (type === '' || (leadingNumber(type) ?? leadingNumber(text)) !== undefined) continue
    const report = (message: string, hint: string) => reportInComment(comment, { line, message, hint }, problems)
    const names = errorNames(type)
    if (!names) report(`@throws {${type}}: this type does not name the classes of errors`, hintForNames)
    for (const name of names ?? []) {
      if (ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) !== undefined) continue
      const [first = ''] = name.split('.')
      const missing = missingModuleOf(nameInScope(first, source, anyMeaning, checker), checker)
      const symbol = symbolAt(name, source, checker)
      if (missing) reportMissing(missing, problems)
      else if (!symbol || checker.isUnknownSymbol(symbol))
        report(
          `@throws {${name}}: there is no ${name} in this file’s scope`,
          `import the class here, or write its code: @throws {${name}} 404 …; or name no class, for readers only: @throws …`,
        )
    }
  }
}

const hintForNames = 'import the classes and write their names: @throws {A}, or @throws {A | B}'

const anyMeaning = ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Namespace

/** Returns the names of a type that is a name or a union: `A`, `a.B | C`, also in parentheses; undefined for another type. */
export function errorNames(type: string): string[] | undefined {
  const [, inner = type] = /^\((.*)\)$/s.exec(type) ?? []
  const names = inner.split(/[|,]/).map((each) => each.trim().replace(/^[!?]/, ''))
  return names.every((each) => isDottedName(each)) ? names : undefined
}

/** Returns the code that a text begins with. */
export function leadingNumber(text: string): number | undefined {
  const [digits] = /^-?\d{1,9}(?=[\s.,:;]|$)/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Reports documented parameters that do not exist. */
export function checkDocumentedParams(
  comment: PlacedComment,
  params: readonly ParamModel[],
  contextNames: readonly string[],
  problems: Problems,
): void {
  const { doc } = comment
  for (const { name, line } of doc.params) {
    const own = parameterOf(name)
    // ESLint's plugin for JSDoc calls a destructured parameter root0; only that of the context can be one.
    const isContext = contextNames.includes(own) || (/^root\d+$/.test(own) && contextNames.some(isUnnamed))
    if (!params.some((each) => each.name === own) && !isContext) {
      const names = params.map((each) => each.name).join(', ')
      const hint = names === '' ? 'the function has no parameters' : `the parameters are ${names}`
      reportInComment(comment, { line, message: `there is no parameter ${name}`, hint }, problems, 'RPC131')
    }
  }
}

/** True for the name that TypeScript gives a destructured parameter. */
function isUnnamed(name: string): boolean {
  return /^__\d+$/.test(name)
}

/** Reports, for `--strict-docs`, undocumented parameters and an Int that became a number. */
export function checkStrictDocs(
  { comment, node }: Commented,
  name: string,
  params: readonly ParamModel[],
  returns: ModelType,
  problems: Problems,
): void {
  for (const param of params) {
    if (comment.doc.params.some((each) => each.name === param.name && each.text !== '')) continue
    problems.at(parameterNode(node, param.name), 'RPC133', `the parameter ${param.name} of ${name} is not documented`, {
      hint: `describe it: :param ${param.name}: …`,
    })
  }
  if (becomesNumber(node, params, returns)) {
    problems.at(node, 'RPC134', `${name} has parameters of type Int, and its inferred result is a number`, {
      hint: 'write the type of the result: Int, or number if that is intended',
    })
  }
}

/** Returns the parameter if the function has one of that name, else the function. */
function parameterNode(node: DeclaredNode, name: string): ts.Node {
  const parameters = functionLikeOf(node)?.parameters ?? []
  return parameters.find((each) => ts.isIdentifier(each.name) && each.name.text === name) ?? node
}

function functionLikeOf(node: DeclaredNode): ts.FunctionLikeDeclaration | undefined {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) ? node : ownFunction(node)
}

/** True if every number that a function without a declared result takes is an Int, and its result is a number. */
function becomesNumber(node: DeclaredNode, params: readonly ParamModel[], returns: ModelType): boolean {
  const fn = functionLikeOf(node)
  if (!fn?.body || fn.type || (ts.isVariableDeclaration(node) && node.type) || returns.kind !== 'number') return false
  const numbers = params.filter(({ type: { kind } }) => kind === 'int' || kind === 'double' || kind === 'number')
  return numbers.length > 0 && numbers.every(({ type }) => type.kind === 'int')
}
