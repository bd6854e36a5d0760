// The entries of the generated module, one for each procedure:
//
//   add(a: Int): Int  →  add: procedure(math.add, { params: { a: int }, returns: int })
import type {
  OverloadModel,
  ParamModel,
  PredicateModel,
  ProcedureModel,
  ReturnsModel,
  TagMeta,
  ThrowsModel,
} from '../../generator/model/model.js'
import { memberKey } from '../../generator/text.js'
import { notesLayout } from './definitions.js'
import { type DefinitionContext, definitionValue, namespaceOf } from './kinds.js'
import { braces, brackets, call, group, type Layout, literal, memberAccess, property, valueLayout } from './layout.js'
import { codegen } from './scope.js'

/** The function of a procedure as an expression: `orders.create`, `users.Users.find`. */
function functionPath({ export: name, member }: ProcedureModel, module: string): string {
  const path = memberAccess(module, name)
  return member === undefined ? path : memberAccess(path, member)
}

/** The fields that the entry has as the model has them. */
const plainFields: Readonly<Record<Exclude<keyof TagMeta, 'protocols'> | 'paramsObject' | 'subscription', true>> = {
  timeoutMs: true,
  bodyBytes: true,
  deprecated: true,
  deprecation: true,
  since: true,
  paramsObject: true,
  subscription: true,
  idempotent: true,
  mcp: true,
  mcpName: true,
  readonly: true,
  destructive: true,
}

/** `add: procedure(math.add, { … })`. */
export function procedureEntry(procedure: ProcedureModel, context: DefinitionContext): Layout {
  const module = namespaceOf(procedure.module, context)
  const { description, params, overloads, returns, contextAt, throws } = procedure
  const spec = [
    ...(procedure.member === undefined ? [] : [`receiver: ${memberAccess(module, procedure.export)}`]),
    ...optionalField('doc', description === '' ? undefined : description),
    ...paramsField(params, context),
    ...listField(
      'overloads',
      overloads?.map((each) => overloadLayout(each, context)),
    ),
    ...returnsField(returns, context),
    ...optionalField('protocols', procedure.protocols),
    ...authField(procedure, context),
    ...(contextAt.length === 0 ? [] : [`context: [${contextAt.join(', ')}]`]),
    ...Object.keys(plainFields).flatMap((name) => optionalField(name, procedure[name as keyof typeof plainFields])),
    ...listField(
      'throws',
      throws?.map((each) => errorLayout(each, context)),
    ),
    ...optionalField('examples', procedure.examples),
    ...optionalField('legacy', procedure.legacy),
  ]
  const start = [`${memberKey(procedure.name)}: `, codegen('procedure'), `(${functionPath(procedure, module)}`]
  return spec.length === 0 ? [...start, ')'] : [...start, ', ', group('{}', spec, { fill: false }), ')']
}

function errorLayout({ data, ...error }: ThrowsModel, context: DefinitionContext): Layout {
  const fields = Object.entries(error).map(([name, value]) => property(name, valueLayout(value)))
  return braces([...fields, ...(data ? [['data: ', definitionValue(data, context)]] : [])])
}

function authField({ auth }: ProcedureModel, context: DefinitionContext): Layout[] {
  if (auth === undefined) return []
  if (auth === 'public') return ["auth: 'public'"]
  const rules = auth.map((rule): Layout => {
    if (rule === 'inherited') return "'inherited'"
    const predicates = rule.map((each) => predicateLayout(each, context))
    return predicates.length === 1 ? (predicates[0] as Layout) : brackets(predicates)
  })
  const isOneRule = rules.length === 1 && auth[0] !== 'inherited'
  return [['auth: ', isOneRule ? (rules[0] as Layout) : braces([['all: ', brackets(rules)]])]]
}

/** `authRule('isStaff', auth.isStaff)`, or `authRule('hasRole', auth.hasRole, ['clerk'])`. */
function predicateLayout({ module, name, args }: PredicateModel, context: DefinitionContext) {
  const fn = memberAccess(namespaceOf(module, context), name)
  return call(codegen('authRule'), [literal(name), fn, ...(args ? [valueLayout(args)] : [])])
}

function optionalField(name: string, value: unknown): Layout[] {
  return value === undefined ? [] : [[`${name}: `, valueLayout(value)]]
}

function listField(name: string, items: readonly Layout[] | undefined): Layout[] {
  return items ? [[`${name}: `, group('[]', items, { fill: false })]] : []
}

function overloadLayout({ params, returns }: OverloadModel, context: DefinitionContext): Layout {
  return braces([...paramsField(params, context), ...returnsField(returns, context)])
}

/** A void result without docs is left out. */
function returnsField({ type, doc }: Omit<ReturnsModel, 'promise'>, context: DefinitionContext): Layout[] {
  if (type.kind === 'void' && doc === undefined) return []
  const value = definitionValue(type, context)
  return [['returns: ', doc === undefined ? value : brackets([value, literal(doc)])]]
}

function paramsField(params: readonly ParamModel[], context: DefinitionContext): Layout[] {
  if (params.length === 0) return []
  const all = params.map((param) => {
    const { name, type, optional, rest } = param
    const value = definitionValue(type, context)
    const flagged = rest ? call(codegen('rest'), [value]) : optional ? call(codegen('optional'), [value]) : value
    const notes = notesLayout(param)
    return property(name, notes === undefined ? flagged : brackets([flagged, notes]))
  })
  return [['params: ', braces(all)]]
}
