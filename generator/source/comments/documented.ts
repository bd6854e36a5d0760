import { ts } from 'ts-morph'
import { limitTags, paramTags, protocolTag, repeatedTags, rpcTag } from '../../docs/index.js'
import type { ModelType, ParamModel } from '../../model/model.js'
import type { Declaration, DeclaredNode } from '../declarations.js'
import type { Problems } from '../problems.js'
import { moduleComment, type PlacedComment, procedureTags, reportInComment } from './comments.js'
import { reportStrayTags } from './directives.js'

/** Reports the mistakes in a doc comment itself. */
export function checkComment(comment: PlacedComment, problems: Problems): void {
  const { doc } = comment
  const found = [
    ...doc.problems,
    ...rpcTag(doc).problems,
    ...protocolTag(doc).problems,
    ...limitTags(doc).problems,
    ...paramTags(doc).problems,
    ...repeatedTags(doc),
  ]
  for (const problem of found) reportInComment(comment, problem, problems)
  // The comment at the top of a file may be the module's, even if a function that is registered by hand follows.
  const isOfModule = doc.tags.some(({ name }) => name === 'namespace') && moduleComment(comment.source) === comment
  const read = ['rpc', 'mcp', ...procedureTags, ...(isOfModule ? ['namespace'] : [])]
  reportStrayTags(comment, read, problems)
}

/** Reports documented parameters that do not exist. */
export function checkDrift(
  comment: PlacedComment,
  params: readonly ParamModel[],
  contextNames: readonly string[],
  problems: Problems,
): void {
  const { doc } = comment
  for (const { name, line } of doc.params) {
    const [own = name] = name.split('.')
    const param = params.find((each) => each.name === own)
    if (!param && !contextNames.includes(own)) {
      const names = params.map((each) => each.name).join(', ')
      const hint = names === '' ? 'the function has no parameters' : `the parameters are ${names}`
      reportInComment(comment, { line, message: `there is no parameter ${name}` }, problems, 'RPC131', { hint })
    }
  }
}

/** Reports, for `--strict-docs`, undocumented parameters and an Int that became a number. */
export function checkStrictDocs(
  { comment, node }: Declaration,
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
  const parameters = functionOf(node)?.parameters ?? []
  return parameters.find((each) => ts.isIdentifier(each.name) && each.name.text === name) ?? node
}

function functionOf(node: DeclaredNode): ts.FunctionLikeDeclaration | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node
  const initializer = ts.isVariableDeclaration(node) ? node.initializer : node.expression
  const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  return isFunction ? initializer : undefined
}

/** True if every number that a function without a declared result takes is an Int, and its result is a number. */
function becomesNumber(node: DeclaredNode, params: readonly ParamModel[], returns: ModelType): boolean {
  const fn = functionOf(node)
  if (!fn?.body || fn.type || (ts.isVariableDeclaration(node) && node.type) || returns.kind !== 'number') return false
  const numbers = params.filter(({ type: { kind } }) => kind === 'int' || kind === 'double' || kind === 'number')
  return numbers.length > 0 && numbers.every(({ type }) => type.kind === 'int')
}
