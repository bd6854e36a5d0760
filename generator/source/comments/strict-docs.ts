import { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/schema/description.js'
import type { ModelType, ParamModel } from '../../model/model.js'
import type { Declaration, DeclaredNode } from '../declarations.js'
import type { Problems } from '../problems.js'
import { answersOf } from '../text/answers.js'
import { type LostInt, lostIntsIn } from './lost-ints.js'

interface Known {
  readonly types: TypesByName
  readonly checker: ts.TypeChecker
}

/** Reports, for `--strict-docs`, what a caller would miss: parameters without a word, and an Int that became a number. */
export function checkStrictDocs(
  { comment, node }: Declaration,
  name: string,
  params: readonly ParamModel[],
  returns: ModelType,
  known: Known,
  problems: Problems,
): void {
  for (const param of params) {
    if (comment.doc.params.some((each) => each.name === param.name && each.text !== '')) continue
    problems.at(parameterNode(node, param.name), 'RPC133', `the parameter ${param.name} of ${name} is not documented`, {
      hint: `say what it is: :param ${param.name}: …`,
    })
  }
  for (const { node: at, path } of lostInts(node, returns, known)) {
    const lost = path === '' ? 'its inferred result is a number' : 'a part of its inferred result is a number'
    problems.at(at, 'RPC134', `${name} counts with Ints, and ${lost}`, {
      hint: 'annotate the result: Int, or number where it is meant',
      ...(path === '' ? {} : { path: `${name}()${path}` }),
    })
  }
}

/** The parameter itself, where the function has one of that name. */
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

/** The first answer of a function without a declared result that is arithmetic of Ints, at each place in it. */
function lostInts(node: DeclaredNode, returns: ModelType, { types, checker }: Known): LostInt[] {
  const fn = functionOf(node)
  if (!fn?.body || fn.type || (ts.isVariableDeclaration(node) && node.type)) return []
  const found = answersOf(fn.body).flatMap((each) => lostIntsIn(each, returns, types, checker))
  return [...new Map(found.toReversed().map((each) => [each.path, each])).values()].reverse()
}
