import type { Change } from '../../generator/diff/change.js'
import { compareVersions } from '../../generator/diff/version.js'
import type { DescribedProcedure, DescribedType, Description } from '../../runtime/description/description.js'
import type { Draft07Schema } from '../../runtime/description/draft-07.js'
import type { OpenRpc, OpenRpcMethod } from '../../runtime/description/openrpc.js'
import { type AnySchema, type ForeignSchema, partsOf } from './schemas.js'

const info = { title: 'A', version: '1.0.0' }

/** A document of these methods. */
export function documentOf(methods: readonly OpenRpcMethod[], schemas?: Readonly<Record<string, AnySchema>>): OpenRpc {
  const components = schemas && { schemas: schemas as Readonly<Record<string, Draft07Schema>> }
  return { openrpc: '1.4.1', info, methods, ...(components && { components }) }
}

/** What has changed from one document to another. */
export function diffApis(old: OpenRpc, now: OpenRpc): Change[] {
  const version = (document: OpenRpc, name: string) => ({ kind: 'document' as const, document, name })
  return compareVersions(version(old, 'the old document'), version(now, 'the new document'))
}

/** What has changed from one description to another, as between sources and a lock. */
export function diffDescriptions(old: Description, now: Description): Change[] {
  const version = (description: Description, name: string) => ({ kind: 'sources' as const, description, name })
  return compareVersions(version(old, 'the old version'), version(now, 'the new version'))
}

/** A procedure that accepts and returns a value of one type. */
export function procedureOf(
  name: string,
  type: DescribedType,
  more: Partial<DescribedProcedure> = {},
): DescribedProcedure {
  return { name, description: '', params: [{ name: 'x', type }], returns: { type }, signatures: [], ...more }
}

/** A method that accepts and returns one schema. */
export function echo(name: string, schema: AnySchema, docs = ''): OpenRpcMethod {
  const own = schema as Draft07Schema
  return {
    name,
    description: docs,
    params: [{ name: 'x', required: true, schema: own, summary: docs }],
    result: { name: 'result', schema: own, summary: docs },
  }
}

/** A method with one param, or with a result, of a schema. */
export function oneSided(side: 'param' | 'result', schema: AnySchema): OpenRpc {
  const own = schema as Draft07Schema
  const nothing: Draft07Schema = { type: 'null' }
  const params = side === 'param' ? [{ name: 'x', required: true, schema: own }] : []
  return documentOf([{ name: 'f', params, result: { name: 'result', schema: side === 'result' ? own : nothing } }])
}

/** The same schema with every third part, or so, under a name of its own; `start` decides which, `flip` turns orders round. */
export function named(schema: AnySchema, prefix: string, start: number, flip: boolean) {
  const schemas: Record<string, AnySchema> = {}
  let count = start
  const visit = (each: AnySchema): AnySchema => {
    if (typeof each === 'boolean') return each
    const inner = partsOf(each).reduce<AnySchema>((whole, _part, i) => {
      const [part, put] = partsOf(whole as ForeignSchema)[i] as [AnySchema, (changed: AnySchema) => AnySchema]
      return put(visit(part))
    }, each)
    const turned = flip ? turn(inner as ForeignSchema) : inner
    count += 1
    if (count % 3 > 0) return turned
    const name = `${prefix}${count}`
    schemas[name] = turned
    return { $ref: `#/components/schemas/${name}`, description: 'Words.' } as ForeignSchema
  }
  const whole = visit(schema)
  return { schema: whole, schemas }
}

/** Branches, values and members in the other order. */
function turn(schema: ForeignSchema): ForeignSchema {
  const { anyOf, enum: values, properties, required } = schema
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.toReversed() }),
    ...(values && { enum: values.toReversed() }),
    ...(required && { required: required.toReversed() }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).reverse()) }),
  }
}
