import type {
  OverloadModel,
  ParamModel,
  PredicateModel,
  ProcedureModel,
  ReturnsModel,
  TagMeta,
  ThrowsModel,
} from '../../generator/model/model.js'
import {
  braces,
  brackets,
  call,
  group,
  key,
  type Layout,
  literal,
  memberPath,
  property,
  valueLayout,
} from '../layout.js'
import { notesLayout } from './definitions.js'
import { definitionValue, type Names } from './kinds.js'

/** The function of a procedure as an expression: `orders.create`, `users.Users.find`. */
function functionPath({ export: name, member }: ProcedureModel, module: string): string {
  const path = memberPath(module, name)
  return member === undefined ? path : memberPath(path, member)
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

/** `add: procedure(math.add, { … })`; `modules` has the local names of the sources. */
export function procedureEntry(procedure: ProcedureModel, names: Names, modules: ReadonlyMap<string, string>): Layout {
  const module = modules.get(procedure.module) ?? procedure.module
  const { description, params, overloads, returns, contextAt, throws } = procedure
  const lists = overloads?.map((each) => overloadLayout(each, names))
  const spec = [
    ...(procedure.member === undefined ? [] : [`receiver: ${memberPath(module, procedure.export)}`]),
    ...optionalField('doc', description === '' ? undefined : description),
    ...(params.length === 0 ? [] : [['params: ', paramsLayout(params, names)]]),
    ...(lists ? [group('overloads: [', lists, ']', false)] : []),
    ...returnsField(returns, names),
    ...optionalField('protocols', procedure.protocols),
    ...authField(procedure, names, modules),
    ...(contextAt.length === 0 ? [] : [`context: [${contextAt.join(', ')}]`]),
    ...Object.keys(plainFields).flatMap((name) => optionalField(name, procedure[name as keyof typeof plainFields])),
    ...(throws
      ? [
          [
            'throws: ',
            group(
              '[',
              throws.map((each) => errorLayout(each, names)),
              ']',
              false,
            ),
          ],
        ]
      : []),
    ...optionalField('examples', procedure.examples),
    ...optionalField('legacy', procedure.legacy),
  ]
  const start = `${key(procedure.name)}: ${names.codegen('procedure')}(${functionPath(procedure, module)}`
  return spec.length === 0 ? `${start})` : [`${start}, `, group('{', spec, '}', false), ')']
}

function errorLayout({ data, ...error }: ThrowsModel, names: Names): Layout {
  const fields = Object.entries(error).map(([name, value]) => property(name, valueLayout(value)))
  return braces([...fields, ...(data ? [['data: ', definitionValue(data, names)]] : [])])
}

function authField({ auth }: ProcedureModel, names: Names, modules: ReadonlyMap<string, string>): Layout[] {
  if (auth === undefined) return []
  if (auth === 'public') return ["auth: 'public'"]
  const rules = auth.map((rule): Layout => {
    if (rule === 'inherited') return "'inherited'"
    const predicates = rule.map((each) => predicateLayout(each, names, modules))
    return predicates.length === 1 ? (predicates[0] as Layout) : brackets(predicates)
  })
  const isOneRule = rules.length === 1 && auth[0] !== 'inherited'
  return [['auth: ', isOneRule ? (rules[0] as Layout) : braces([['all: ', brackets(rules)]])]]
}

/** `authRule('isStaff', auth.isStaff)`, or `authRule('hasRole', auth.hasRole, ['clerk'])`. */
function predicateLayout({ module, name, args }: PredicateModel, names: Names, modules: ReadonlyMap<string, string>) {
  const fn = memberPath(modules.get(module) ?? module, name)
  return call(names.codegen('authRule'), [literal(name), fn, ...(args ? [valueLayout(args)] : [])])
}

function optionalField(name: string, value: unknown): Layout[] {
  return value === undefined ? [] : [[`${name}: `, valueLayout(value)]]
}

function overloadLayout({ params, returns }: OverloadModel, names: Names): Layout {
  const own = params.length === 0 ? [] : [['params: ', paramsLayout(params, names)]]
  return braces([...own, ...returnsField(returns, names)])
}

/** A void result without docs is left out. */
function returnsField({ type, doc }: Omit<ReturnsModel, 'promise'>, names: Names): Layout[] {
  if (type.kind === 'void' && doc === undefined) return []
  return [['returns: ', documented(definitionValue(type, names), doc)]]
}

function paramsLayout(params: readonly ParamModel[], names: Names): Layout {
  const all = params.map((param) => {
    const { name, type, optional, rest } = param
    const value = definitionValue(type, names)
    const flagged = rest ? flag('rest', value, names) : optional ? flag('optional', value, names) : value
    const notes = notesLayout(param)
    return property(name, notes === undefined ? flagged : brackets([flagged, notes]))
  })
  return braces(all)
}

function flag(name: 'optional' | 'rest', value: Layout, names: Names): Layout {
  return call(names.codegen(name), [value])
}

function documented(value: Layout, doc: string | undefined): Layout {
  return doc === undefined ? value : brackets([value, literal(doc)])
}
