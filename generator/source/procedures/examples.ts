// Examples in comments as data, if their arguments are literals. Other examples are shown as text:
//
//   @example add(1, 2) // 3  →  { params: [1, 2], result: [3] }
import { ts } from 'ts-morph'
import { minArguments, parameterLists, type TypesByName } from '../../../runtime/description/description.js'
import { fits } from '../../../runtime/description/json-types.js'
import type { DocComment } from '../../doc-comments/index.js'
import type { ExampleModel, ParamModel, ProcedureModel } from '../../model/model.js'
import { isDeeplyNested, isWellFormed, literalIn, literalOf, noValue } from '../program/literals.js'
import { forEachNode } from '../program/sources.js'

/**
 * Returns the `@example` tags of a comment: the text, and for a call of literals that match the types of the procedure the values too.
 * `names` are those of the function: calls of other functions have no values.
 */
export function examplesOf(
  { tags }: DocComment,
  names: ReadonlySet<string>,
  procedure: Pick<ProcedureModel, 'params' | 'overloads' | 'returns'>,
  types: TypesByName,
): ExampleModel[] {
  const lists = parameterLists(procedure)
  const examples = tags.filter(({ name, text }) => name === 'example' && text !== '')
  return examples.map(({ text }) => {
    const { params, result } = callIn(withoutFence(text), names)
    const isCall = params !== undefined && lists.some((list) => acceptsArguments(list, params, types))
    const isResult = result === undefined || fits(result[0], procedure.returns.type, types)
    return isCall && isResult ? { text, params, ...(result && { result }) } : { text }
  })
}

/** Removes the fence around an example and the caption above it. */
function withoutFence(text: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n```/m.exec(text)?.[1] ?? text
  return fenced.replace(/^[^\S\n]*<caption>.*<\/caption>[^\S\n]*$/m, '')
}

/** Returns the first call in the text if all its arguments are literals, and the result in the comment after it. */
function callIn(text: string, names: ReadonlySet<string>): Omit<ExampleModel, 'text'> {
  if (isDeeplyNested(text)) return {}
  const source = ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true)
  const call = isWellFormed(source) ? firstCall(source, names) : undefined
  const params = call?.arguments.map(literalOf)
  if (!call || !params || params.includes(noValue)) return {}
  const result = resultAfter(call, text)
  return result === noValue ? { params } : { params, result: [result] }
}

function firstCall(source: ts.SourceFile, names: ReadonlySet<string>): ts.CallExpression | undefined {
  const calls: ts.CallExpression[] = []
  forEachNode(source, (node) => {
    if (ts.isCallExpression(node) && names.has(calledName(node) ?? '')) calls.push(node)
  })
  return calls[0]
}

/** `create` of `create(…)`, `user.create(…)`, `rpc['user.create'](…)`. */
function calledName({ expression }: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text
  if (!ts.isElementAccessExpression(expression)) return undefined
  return ts.isStringLiteralLike(expression.argumentExpression) ? expression.argumentExpression.text : undefined
}

/** `add(1, 2) // 3`, `// => 3`, `// → 3`, `// returns 3`. */
function resultAfter(call: ts.CallExpression, text: string): unknown {
  const after = /^[;)\s]*\/\/\s*(?:(?:=>|→|->|returns?:?)\s*)?(.+)$/m.exec(text.slice(call.end))
  return after?.index === 0 ? literalIn(after[1]?.trim().replace(/[.;]$/, '') ?? '') : noValue
}

/** Null represents an omitted parameter. */
function acceptsArguments(params: readonly ParamModel[], values: readonly unknown[], types: TypesByName): boolean {
  const rest = params.find((param) => param.rest)
  if (values.length < minArguments(params) || (!rest && values.length > params.length)) return false
  return values.every((value, i) => {
    const param = params[i] ?? rest
    return param !== undefined && ((param.optional && value === null) || fits(value, param.type, types))
  })
}
