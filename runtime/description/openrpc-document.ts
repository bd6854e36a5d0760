// A description as an OpenRPC document: `add(a: Int, b: Int)` becomes a method with two content descriptors, and what OpenRPC has no member for
// an extension such as `x-overloads`.
import { ErrorCode } from '../error.js'
import { resolveType } from './described-types.js'
import {
  type DescribedExample,
  type DescribedOverload,
  type DescribedParam,
  type DescribedProcedure,
  type Description,
  docText,
  errorText,
  isCallableBy,
  summaryOf,
  type TypesByName,
} from './description.js'
import { allToDraft07, toDraft07 } from './draft-07.js'
import { distinct, namedParamSchema, schemaOfResult, TypeSchemas } from './json-schema.js'
import {
  type ContentDescriptor,
  defaultInfo,
  type OpenRpc,
  type OpenRpcError,
  type OpenRpcErrorData,
  type OpenRpcExample,
  type OpenRpcInfo,
  type OpenRpcMethod,
  type OpenRpcOverload,
  type OpenRpcServer,
  type OpenRpcSubscription,
} from './openrpc.js'
import { type DescribedSecurity, schemesIn } from './security.js'
import { notificationOf, subscriptionId, unsubscribeOf } from './system-names.js'

/** The version of OpenRPC that documents are written in. */
const version = '1.4.1'

/**
 * Describes an API as an OpenRPC 1.4 document, whose schemas are JSON Schema draft-07 (section "Schema Object"). Procedures
 * that only XML-RPC may call are left out. Types with a name are in `components.schemas`, as `Order.input` where callers may
 * send more than they get.
 */
export function openRpcOf(
  { procedures, types }: Description,
  info: OpenRpcInfo = defaultInfo,
  servers: readonly OpenRpcServer[] = [],
): OpenRpc {
  const schemas = new TypeSchemas(types, '#/components/schemas/')
  const named: TypesByName = new Map(types.map((each) => [each.name, each]))
  const callable = procedures.filter((each) => isCallableBy('json-rpc', each))
  const methods = callable.map((procedure) => methodOf(procedure, schemas, named))
  const hasSchemas = Object.keys(schemas.defs).length > 0
  return {
    openrpc: version,
    info,
    ...(servers.length > 0 && { servers }),
    methods,
    ...(hasSchemas && { components: { schemas: allToDraft07(schemas.defs) } }),
    ...schemesOf(procedures),
  }
}

function schemesOf(procedures: readonly DescribedProcedure[]): Pick<OpenRpc, 'x-security-schemes'> {
  const schemes = schemesIn(procedures)
  return schemes.size > 0 ? { 'x-security-schemes': Object.fromEntries(schemes) } : {}
}

function rulesOf(security: DescribedSecurity): NonNullable<OpenRpcMethod['x-security']> {
  return security.map((rules) =>
    rules.map(({ scheme, ...rule }) => ({ ...rule, ...(scheme && { scheme: scheme.name }) })),
  )
}

function methodOf(procedure: DescribedProcedure, schemas: TypeSchemas, types: TypesByName): OpenRpcMethod {
  const {
    name,
    description,
    params,
    overloads,
    protocols,
    deprecated,
    deprecation,
    since,
    subscription,
    idempotent,
    security,
  } = procedure
  const namespace = namespaceOf(name)
  const object = procedure.paramsObject ? params[0] : undefined
  const errors = errorsOf(procedure)
  const errorData = errorDataOf(procedure, schemas)
  const examples = examplesOf(procedure)
  return {
    name,
    ...(description !== '' && { summary: summaryOf(description), description }),
    ...(namespace !== undefined && { tags: [{ name: namespace }] }),
    ...(deprecated && { deprecated }),
    paramStructure: object || params.some(({ rest }) => rest) ? 'by-name' : 'either',
    params: paramsOf(object ? membersOf(object, types) : params, schemas),
    result: subscription ? idDescriptor : resultOf(procedure, schemas),
    ...(errors.length > 0 && { errors }),
    ...(errorData.length > 0 && { 'x-errors': errorData }),
    ...(examples.length > 0 && { examples }),
    ...extensionsOf(procedure),
    ...(protocols && { 'x-protocols': protocols }),
    ...(since !== undefined && { 'x-since': since }),
    ...(deprecation !== undefined && { 'x-deprecation': deprecation }),
    ...(object && { 'x-params-object': paramOf(object, 0, params, schemas) }),
    ...(subscription && { 'x-subscription': subscriptionOf(procedure, schemas) }),
    ...(security && { 'x-security': rulesOf(security) }),
    ...(idempotent && { 'x-idempotent': idempotent }),
    ...(overloads && { 'x-overloads': overloads.map((each) => overloadOf(each, schemas)) }),
  }
}

/** A server does not know the result of each overload; the generator leaves it out too, so that both write the same document. */
function overloadOf({ params }: DescribedOverload, schemas: TypeSchemas): OpenRpcOverload {
  return { params: paramsOf(params, schemas) }
}

/** `user` of `user.create`. */
function namespaceOf(name: string): string | undefined {
  const end = name.lastIndexOf('.')
  return end > 0 ? name.slice(0, end) : undefined
}

function paramsOf(params: readonly DescribedParam[], schemas: TypeSchemas): ContentDescriptor[] {
  return params.map((param, i) => paramOf(param, i, params, schemas))
}

/** The members of a params object, required ones first; none if its type declares none. */
function membersOf({ type }: DescribedParam, types: TypesByName): readonly DescribedParam[] {
  const plain = resolveType(type, types)
  if (plain.kind !== 'struct') return []
  return [...plain.members.filter(({ optional }) => !optional), ...plain.members.filter(({ optional }) => optional)]
}

/** "Optional parameters MUST be positioned after all required ones": one before them keeps its position and accepts null. */
function paramOf(
  param: DescribedParam,
  at: number,
  params: readonly DescribedParam[],
  schemas: TypeSchemas,
): ContentDescriptor {
  const required = params.slice(at).some(({ optional, rest }) => !optional && !rest)
  const { description: _doc, deprecated: _deprecated, ...schema } = namedParamSchema(param, schemas)
  const summary = docText(param)
  return {
    name: param.name,
    ...(summary !== undefined && { summary }),
    required,
    ...(param.deprecated && { deprecated: true }),
    schema: toDraft07(schema),
    ...(param.rest && { 'x-rest': true }),
  }
}

/** A result is always there: null if the function returns nothing. */
function resultOf(procedure: Pick<DescribedProcedure, 'returns'>, schemas: TypeSchemas): ContentDescriptor {
  const { doc } = procedure.returns
  const { description: _doc, ...schema } = schemaOfResult(procedure, schemas)
  return { name: 'result', ...(doc !== undefined && { summary: doc }), required: true, schema: toDraft07(schema) }
}

const idDescriptor: ContentDescriptor = {
  name: 'result',
  summary: 'The id of the subscription',
  required: true,
  schema: { type: subscriptionId.kind },
}

function subscriptionOf(procedure: DescribedProcedure, schemas: TypeSchemas): OpenRpcSubscription {
  const { name } = procedure
  const item = { ...resultOf(procedure, schemas), name: 'item' }
  return { notification: notificationOf(name), unsubscribe: unsubscribeOf(name), item }
}

/** The errors with a known code, each once. The message is the documented text, else the name. */
function errorsOf({ throws = [], security = [] }: DescribedProcedure): OpenRpcError[] {
  const errors = throws.flatMap((error) =>
    error.code === undefined ? [] : [{ code: error.code, message: errorText(error) }],
  )
  const rejections = [unknownCaller, notAllowed].filter(({ code }, i) => {
    return security.length > i && !errors.some((error) => error.code === code)
  })
  return distinct([...errors, ...rejections])
}

const unknownCaller: OpenRpcError = { code: ErrorCode.AUTHENTICATION, message: 'Authentication failed' }
const notAllowed: OpenRpcError = { code: ErrorCode.FORBIDDEN, message: 'Not allowed' }

/** The data of an error of several classes matches the schema of one of them. */
function errorDataOf({ throws = [] }: DescribedProcedure, schemas: TypeSchemas): OpenRpcErrorData[] {
  const errors = throws.flatMap(({ code, data }) => {
    return code === undefined || !data ? [] : [{ code, data: toDraft07(schemas.schemaOf(data, 'output')) }]
  })
  return distinct(errors)
}

function extensionsOf(procedure: DescribedProcedure): Pick<OpenRpcMethod, 'x-xmlrpc-signatures'> {
  return !procedure.subscription && isCallableBy('xml-rpc', procedure)
    ? { 'x-xmlrpc-signatures': procedure.signatures }
    : {}
}

/** The examples of the docs whose values are known; one without a result would be a notification. */
function examplesOf({ examples = [], params, paramsObject }: DescribedProcedure): OpenRpcExample[] {
  return examples.flatMap((each, i) => {
    const pairing = each.params && each.result && exampleOf(each.params, each.result, paramsObject ? undefined : params)
    return pairing ? [{ name: `example${examples.length > 1 ? ` ${i + 1}` : ''}`, ...pairing }] : []
  })
}

/** Undefined if there are more arguments than parameters. Without parameters, the only argument is the params object. */
function exampleOf(
  values: readonly unknown[],
  [result]: NonNullable<DescribedExample['result']>,
  params: readonly DescribedParam[] | undefined,
): Omit<OpenRpcExample, 'name'> | undefined {
  if (!params) {
    const given = Object.entries(values[0] ?? {}).map(([name, value]) => ({ name, value }))
    return { params: given, result: { name: 'result', value: result } }
  }
  const rest = params.find((param) => param.rest)
  const single = params.filter((param) => !param.rest)
  if (values.length > single.length && !rest) return undefined
  const given = single.slice(0, values.length).map(({ name }, i) => ({ name, value: values[i] }))
  const others = rest ? [{ name: rest.name, value: values.slice(single.length) }] : []
  return {
    params: [...given, ...others],
    result: { name: 'result', value: result },
  }
}
