import type { ParamModel, ProcedureModel } from '../../generator/model/model.js'
import { errorText } from '../../runtime/description/description.js'
import { docWithConstraints, paragraphs } from '../docs.js'
import type { Declarations } from './declarations.js'
import { item, section, valueDoc } from './docs.js'
import type { ErrorClass } from './errors.js'
import { call, docstring, list, type Python, print, quote, subscript, tuple } from './layout.js'
import { namesFor } from './names.js'
import { acceptsNone, annotation, annotationOf, branchesOf, converter, isNone, none, one } from './types.js'

/** What procedures are printed with. */
export interface Printing {
  readonly own: Declarations
  readonly errors: ReadonlyMap<number, ErrorClass>
}

/** Names of the body of a method. */
const takenByBodies = ['self']

/** A method of a class: what a caller passes is checked, converted and sent. */
export function methodText(name: string, procedure: ProcedureModel, printing: Printing): string {
  const { params, overloads, returns } = procedure
  const { own } = printing
  const doc = docstring(methodDocs(procedure, printing), 8)
  const deprecated = procedure.deprecated
    ? `        ${print(call('self._deprecated', [quote(deprecation(procedure))]), 8)}\n`
    : ''
  const branches = branchesOf(returns.type, own)
  const type = annotationOf([branches])
  if (overloads) {
    own.typing('overload')
    const each = overloads.map((one) => {
      const [summary = ''] = (one.docs ?? procedure).description.split('\n')
      const short = docstring(summary || `Calls ${procedure.name}.`, 8)
      return `    @overload\n${methodHead(name, parameters(one.params, own), annotation(one.returns.type, own))}${short}\n`
    })
    const all = methodHead(name, ['*args: Any', '**kwargs: Any'], 'Any')
    const body = `        return self._any(${quote(procedure.name)}, *args, **kwargs)\n`
    return `${each.join('')}${all}${doc}${deprecated}${body}`
  }
  const names = parameterNames(params)
  const passed = params.map((each, i) => (each.rest ? `*${names[i]}` : (names[i] as string)))
  // Of Any a type variable would be unknown.
  const sent = procedure.subscription
    ? call('Stream', ['self._core', quote(procedure.name), ...passed])
    : call(branches.isAny ? 'self._any' : 'self._call', [quote(procedure.name), ...passed])
  const hasResult = procedure.subscription || !isNone(branches)
  const body = print(hasResult ? ['return ', sent] : sent, 8)
  const result = procedure.subscription ? subscript('Stream', [type]) : type
  return `${methodHead(name, parameters(params, own), result)}${doc}${deprecated}        ${body}\n`
}

function methodHead(name: string, params: readonly Python[], result: Python): string {
  return `    ${print([call(`def ${name}`, ['self', ...params]), ' -> ', result, ':'], 4)}\n`
}

function parameterNames(params: readonly ParamModel[]): readonly string[] {
  return namesFor(
    params.map(({ name }) => name),
    takenByBodies,
  )
}

/** An optional parameter has a default, unless a required one follows. */
function parameters(params: readonly ParamModel[], own: Declarations): readonly Python[] {
  const names = parameterNames(params)
  const required = params.findLastIndex(({ optional, rest }) => !optional && !rest)
  return params.map((param, i): Python => {
    const branches = branchesOf(param.type, own)
    if (param.rest) return [`*${names[i]}: `, annotationOf([branches])]
    if (!param.optional) return [`${names[i]}: `, annotationOf([branches])]
    const isNoneAValue = acceptsNone(param.type, own)
    const all = annotationOf([branches, isNoneAValue ? one('Unset') : none])
    return [`${names[i]}: `, all, i < required ? '' : isNoneAValue ? ' = UNSET' : ' = None']
  })
}

/** The entry of a procedure in the table of procedures. */
export function procedureEntry(procedure: ProcedureModel, own: Declarations): string {
  const { params, overloads, returns, idempotent, paramsObject } = procedure
  const kind = returns.type.kind
  const result = kind === 'void' || kind === 'null' || kind === 'undefined' ? [] : [converter(returns.type, own)]
  const flags = [...(idempotent ? ['idempotent=True'] : []), ...(paramsObject ? ['is_object=True'] : [])]
  const each = overloads?.map((one) => {
    const names = parameterNames(one.params)
    const positional = names.filter((_, i) => !one.params[i]?.rest)
    return call('_Procedure', [...listed(one.params, own), ['names=', list(positional.map(quote))]])
  })
  const [first = '', ...rest] = each ? [list([]), ['overloads=', list(each)]] : listed(params, own)
  const args = [first, ...result, ...rest, ...flags]
  return `    ${print([`${quote(procedure.name)}: `, call('_Procedure', args), ','], 4)}`
}

/** The list of parameters, and the rest. */
function listed(params: readonly ParamModel[], own: Declarations): readonly Python[] {
  const entries = params.filter(({ rest }) => !rest).map((each) => parameterEntry(each, own))
  const rest = params.find((each) => each.rest)
  return [list(entries), ...(rest ? [['rest=', parameterEntry(rest, own)]] : [])]
}

/** `("count", _INT, True)`: True for an optional one. */
function parameterEntry({ name, type, optional }: ParamModel, own: Declarations): Python {
  return tuple([quote(name), converter(type, own), ...(optional ? ['True'] : [])])
}

function deprecation({ name, deprecation = '' }: ProcedureModel): string {
  return `${name} is deprecated${deprecation && `: ${deprecation.split('\n')[0]}`}`
}

/** The docstring of a method, in sections as Google has them. */
function methodDocs(procedure: ProcedureModel, { errors }: Printing): string {
  const { description, params, overloads = [], returns, throws = [], deprecated, since } = procedure
  const all = [...params, ...overloads.flatMap((each) => each.params)]
  const first = all.filter(({ name }, i) => all.findIndex((each) => each.name === name) === i)
  const names = parameterNames(first)
  const documented = first.flatMap((each, i) => item(`${names[i]}: `, valueDoc(each, each.type)))
  const raised = throws.flatMap((error) => {
    const name = error.code === undefined ? undefined : errors.get(error.code)?.name
    return name === undefined ? [] : item(`${name}: `, errorText(error))
  })
  const sections = [
    ...(deprecated ? [`Deprecated${procedure.deprecation ? `: ${procedure.deprecation}` : '.'}`] : []),
    ...(since === undefined ? [] : [`Since ${since}.`]),
    section('Args', documented),
    section(procedure.subscription ? 'Yields' : 'Returns', item('', docWithConstraints(returns, returns.type))),
    section('Raises', raised),
  ]
  const others = sections.filter((text) => text !== '')
  // A section is not a summary.
  const summary = description || (others.length > 0 ? `Calls ${procedure.name}.` : '')
  return paragraphs([summary, ...others])
}
