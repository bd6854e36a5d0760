import { ts } from 'ts-morph'

/** What a function answers: the expression that it is, or those of its `return` statements. */
export function answersOf(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
}
