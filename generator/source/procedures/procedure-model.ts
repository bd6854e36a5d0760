// Joins the signature of a procedure with what its comment documents, and reports what does not match:
//
//   @param a One  +  { name: 'a', type: int }  →  { name: 'a', type: int, doc: 'One' }
//   @example add(1, 2) // 3  →  { params: [1, 2], result: [3] }
import { ts } from 'ts-morph'
import { resolveType } from '../../../runtime/description/described-types.js'
import {
  helpText,
  isCallableBy,
  minArguments,
  parameterLists,
  type TypesByName,
} from '../../../runtime/description/description.js'
import { fits } from '../../../runtime/description/json-types.js'
import { type DescribedSecurity, withSecurity } from '../../../runtime/description/security.js'
import { signaturesOf } from '../../../runtime/description/signatures.js'
import { subscriptionId } from '../../../runtime/description/system-names.js'
import { toolNameOf, toolNameProblem, toolNames } from '../../../runtime/description/tool-name.js'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { type DocComment, type DocTag, parameterOf, paramTags, readMeta } from '../../doc-comments/index.js'
import { withDiscriminants } from '../../model/ambiguity.js'
import type { Unions } from '../../model/disjoint.js'
import type {
  AuthModel,
  ExampleModel,
  ModelType,
  OverloadDocs,
  ParamModel,
  ProcedureModel,
  ThrowsModel,
} from '../../model/model.js'
import { mapTypes } from '../../model/part.js'
import { type PlacedComment, reportInComment } from '../comments/comments.js'
import { documentedDefault, withFittingDefault } from '../comments/notes.js'
import { type DeclaredNode, ownFunction } from '../program/checker.js'
import { isDeeplyNested, isWellFormed, literalIn, literalOf, noValue } from '../program/literals.js'
import type { Problems } from '../program/problems.js'
import { forEachNode } from '../program/sources.js'
import type { Analysis } from '../types/resolver-interface.js'
import type { Declaration } from './declarations.js'
import type { ResolvedSignature } from './signature.js'

/** A declaration with its resolved types. */
export interface ResolvedDeclaration {
  readonly declaration: Declaration
  /** The public name. */
  readonly name: string
  readonly signature: ResolvedSignature
  readonly auth: AuthModel | undefined
  readonly throws: readonly ThrowsModel[]
}

/** Returns the model of a declaration: its types, and the docs in its comment. */
export function procedureOf(
  { declaration, name, signature, auth, throws }: ResolvedDeclaration,
  unions: Unions,
  analysis: Analysis,
): ProcedureModel {
  const { types } = unions
  const { moduleOf, tagsOf, methodsModules, problems, options } = analysis
  const { comment, exportName, member, module, served } = declaration
  const { params, returns, overloads, contextAt, otherNames, subscription } = signature
  const { doc } = comment
  checkDocumentedParams(comment, params, otherNames, problems)
  const { isObject, names } = wireParamsOf(comment, signature, types, problems)
  const calledNames = new Set([exportName, member ?? '', name, name.split('.').at(-1) ?? ''])
  const examples = examplesOf(doc, calledNames, signature, types)
  if (options.strictDocs) checkStrictDocs(declaration, name, params, returns.type, problems)
  const found = {
    name,
    module: declaration.packageName ?? moduleOf(module),
    export: exportName,
    ...(member === undefined ? {} : { member }),
    contextAt,
    ...(isObject ? { paramsObject: true } : {}),
    ...(subscription ? { subscription } : {}),
    ...(auth === undefined ? {} : { auth }),
    ...(throws.length > 0 ? { throws } : {}),
    ...(examples.length > 0 ? { examples } : {}),
    ...(served ? {} : { registered: true }),
    ...(served && methodsModules.has(module.fileName) ? { legacy: true } : {}),
    ...withDocs(signature, doc, names, types, declaration.overloadDocs),
  }
  const called = subscription ? [{ params, returns: { type: subscriptionId } }] : (overloads ?? [signature])
  const security = auth && securityOf(auth)
  const meta = { ...tagsOf(declaration.node.getSourceFile()).meta, ...readMeta(doc).meta }
  const model = {
    ...found,
    ...(security ? { security } : {}),
    description: doc.description,
    help: withSecurity(helpText(doc.description, { ...found, ...meta }), security),
    signatures: signaturesOf(called, (ref) => types.get(ref.name)?.type),
    ...meta,
  }
  checkTool(comment, model, problems)
  return mapTypes(model, (type) => withDiscriminants(type, unions))
}

/** Describes an auth as a server of the generated module does. */
function securityOf(auth: AuthModel): DescribedSecurity {
  if (auth === 'public') return []
  return auth.map((rules) => {
    if (rules === 'inherited') return [{ rule: rules }]
    return rules.map(({ name, args, scheme }) => ({
      rule: name,
      ...(args ? { args } : {}),
      ...(scheme ? { scheme: { ...scheme, name: scheme.name ?? name } } : {}),
    }))
  })
}

/** Returns the types of a procedure with their docs; parameters have their names on the wire. */
function withDocs(
  { params, overloads, returns }: ResolvedSignature,
  doc: DocComment,
  wireNames: ReadonlyMap<string, string>,
  types: TypesByName,
  overloadDocs: Declaration['overloadDocs'],
): Pick<ProcedureModel, 'params' | 'overloads' | 'returns'> {
  const ownNames = new Set(params.map(({ name }) => name))
  const withText = (param: ParamModel) => {
    const described = doc.params.filter(({ name }) => parameterOf(name) === param.name)
    // The docs of `order.lines` are part of those of `order`.
    const text = described.map(({ name, text }) => (name === param.name ? text : `${name}: ${text}`)).join('\n')
    const written = described.find(({ name }) => name === param.name)?.default
    const given = param.default === undefined ? documentedDefault(written) : {}
    const named = withDoc({ ...param, ...given, name: wireNames.get(param.name) ?? param.name }, text)
    return withFittingDefault(named, types)
  }
  const withOwnText = (param: ParamModel) => {
    const { doc: _, ...undescribed } = withText(param)
    return ownNames.has(param.name) ? undescribed : withText(param)
  }
  const withWireNames = ({ params: named, ...docs }: OverloadDocs): OverloadDocs => {
    return { ...docs, params: named.map(({ name, doc }) => ({ name: wireNames.get(name) ?? name, doc })) }
  }
  return {
    params: params.map(withText),
    // Parameters that are already documented are left out.
    ...(overloads
      ? {
          overloads: overloads.map((each, i) => {
            const docs = overloadDocs?.[i]
            return { ...each, params: each.params.map(withOwnText), ...(docs && { docs: withWireNames(docs) }) }
          }),
        }
      : {}),
    returns: withDoc(returns, doc.returns?.text),
  }
}

function withDoc<T extends object>(value: T, doc: string | undefined): T & { readonly doc?: string } {
  return doc === undefined || doc === '' ? value : { ...value, doc }
}

/** How parameters are sent, from the tags `@params` and `@wireName`. */
interface WireParams {
  /** True for `@params object`. */
  readonly isObject: boolean
  /** The names on the wire by those of the source, if they differ. */
  readonly names: ReadonlyMap<string, string>
}

/** The name of the only parameter of a procedure with `@params object`, in errors and signatures. */
const OBJECT = 'params'

/** Returns how parameters are sent; reports tags that do not match them. */
function wireParamsOf(
  comment: PlacedComment,
  { params, overloads }: ResolvedSignature,
  types: TypesByName,
  problems: Problems,
): WireParams {
  const { objectLine, wireNames } = paramTags(comment.doc)
  const report = (line: number, message: string, hint: string) =>
    reportInComment(comment, { line, message, hint }, problems, 'RPC135')
  if (objectLine !== undefined) {
    const [only, ...more] = params
    const isOne = only && more.length === 0 && !overloads && !only.rest
    if (!isOne || !isObjectType(only.type, types)) {
      const hint = 'declare one parameter, whose type is that of the params object'
      report(objectLine, '@params object is for a function with one parameter of an object type', hint)
    } else if (wireNames[0]) {
      report(wireNames[0].line, 'with @params object a parameter has no name on the wire', 'remove @wireName')
    }
    return { isObject: true, names: new Map(only ? [[only.name, OBJECT]] : []) }
  }
  const lists = overloads?.map((each) => each.params) ?? [params]
  const declared = new Set(lists.flat().map(({ name }) => name))
  const names = new Map<string, string>()
  for (const { param, wire, line } of wireNames) {
    const hint =
      declared.size === 0 ? 'the function has no parameters' : `the parameters are ${[...declared].join(', ')}`
    if (!declared.has(param)) report(line, `there is no parameter ${param}`, hint)
    else if (names.has(param)) report(line, `the parameter ${param} has two names on the wire`, 'keep one of them')
    // Properties with such names come first in a JavaScript object, so the parameters would be in another order.
    else if (/^\d+$/.test(wire)) report(line, `the name ${wire} on the wire is a number`, 'choose another name')
    names.set(param, wire)
  }
  for (const list of [params, ...lists]) {
    const twice = list.map(({ name }) => names.get(name) ?? name).find((name, i, all) => all.indexOf(name) < i)
    const line = wireNames.find(({ wire }) => wire === twice)?.line
    if (line === undefined) continue
    report(line, `there are two parameters ${twice} on the wire`, 'choose another name')
    break
  }
  return { isObject: false, names }
}

/** Reports `@mcp` of a procedure that cannot be a tool, `@mcpName` without `@mcp`, and a name that no tool can have. */
function checkTool(comment: PlacedComment, model: ProcedureModel, problems: Problems): void {
  const tagNamed = (wanted: string) => comment.doc.tags.find(({ name }) => name === wanted)
  const [tag, nameTag] = [tagNamed('mcp'), tagNamed('mcpName')]
  const report = (to: DocTag | undefined, message: string, hint: string, code: DiagnosticCode = 'RPC142') =>
    reportInComment(comment, { line: to?.line ?? 0, message, hint }, problems, code)
  const wrong = tag ? toolNameProblem(toolNameOf(model)) : undefined
  if (!tag && nameTag) {
    report(nameTag, '@mcpName has no effect without @mcp', 'write @mcp, which makes the procedure a tool')
  } else if (tag && !isCallableBy('json-rpc', model)) {
    const hint = 'remove @mcp, or add json-rpc to @protocol'
    report(tag, '@mcp: a tool is called over json-rpc, which @protocol excludes', hint)
  } else if (wrong !== undefined) {
    report(nameTag ?? tag, wrong, `write @mcpName and ${toolNames}`, 'RPC113')
  }
}

/** True if every value of a type is a JSON object. */
function isObjectType(type: ModelType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return plain.branches.every((each) => isObjectType(each, types))
  return plain.kind === 'struct' || plain.kind === 'map'
}

/** Reports documented parameters that do not exist. */
function checkDocumentedParams(
  comment: PlacedComment,
  params: readonly ParamModel[],
  otherNames: readonly string[],
  problems: Problems,
): void {
  const { doc } = comment
  for (const { name, line } of doc.params) {
    const own = parameterOf(name)
    // ESLint's plugin for JSDoc calls a destructured parameter root0; only that of the context can be one.
    const isContext = otherNames.includes(own) || (/^root\d+$/.test(own) && otherNames.some(isUnnamed))
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
function checkStrictDocs(
  { comment, node }: Declaration,
  name: string,
  params: readonly ParamModel[],
  returns: ModelType,
  problems: Problems,
): void {
  for (const param of params) {
    if (comment.doc.params.some((each) => each.name === param.name && each.text !== '')) continue
    const [at, hint] = [parameterNode(node, param.name), `describe it: @param ${param.name} …`]
    problems.at(at, 'RPC133', `the parameter ${param.name} of ${name} is not documented`, { hint })
  }
  if (becomesNumber(node, params, returns)) {
    const hint = 'write the type of the result: Int, or number if that is intended'
    problems.at(node, 'RPC134', `${name} has parameters of type Int, and its inferred result is a number`, { hint })
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

/**
 * Returns the `@example` tags of a comment: the text, and for a call of literals that match the types of the procedure the values too.
 * `names` are those of the function: calls of other functions have no values.
 */
function examplesOf(
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
