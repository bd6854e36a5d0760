import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv } from 'ajv'
import { type Manifest, RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { attempt, definitionOf, INVALID } from '../../runtime/values/definition.js'
import { commonFormats, type FormatName, isFormat } from '../../runtime/values/format.js'
import { moreFormats } from '../../runtime/values/more-formats.js'
import { jsonForms, junk, samples, spoiled } from '../parity/samples.js'
import { root } from '../support/paths.js'

// ajv validates the schemas of every fixture's OpenRPC document by draft-07: in strict mode, which rejects unknown keywords.

const folder = join(root, 'fixtures/generate')
const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

interface Schema {
  readonly [keyword: string]: unknown
}

interface Descriptor {
  readonly schema: Schema
}

interface Document {
  readonly methods: readonly {
    readonly name: string
    readonly params: readonly Descriptor[]
    readonly result: Descriptor
    /** The only argument of a procedure whose `params` are its members. */
    readonly 'x-params-object'?: Descriptor
    readonly 'x-overloads'?: readonly { readonly params: readonly Descriptor[] }[]
  }[]
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

async function load(name: string): Promise<{ procedures: Manifest; document: Document }> {
  const { procedures } = await import(pathToFileURL(`${folder}/${name}/expected.gen.ts`).href)
  const document = await new RpcServer({ procedures }).call('rpc.discover')
  return { procedures, document: JSON.parse(JSON.stringify(document)) }
}

const formatNames = [...commonFormats, ...moreFormats].filter((name) => name !== 'uri') as FormatName[]

/** Strict but for what draft-07 allows: a type beside a union of types, a tuple that may be longer, `required` of a pattern. */
function ajvFor({ components = {} }: Document): Ajv {
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ownProperties: true,
  })
  // ajv brings no format: these are the runtime's own, which are tested where they are defined.
  for (const name of formatNames) ajv.addFormat(name, (text: string) => isFormat(text, name))
  ajv.addFormat('uri', (text: string) => URL.canParse(text))
  ajv.addVocabulary(['x-enum-varnames', 'x-enum-descriptions'])
  return ajv.addSchema({ $id: 'document', definitions: inDocument(components.schemas ?? {}) })
}

function inDocument(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/definitions/'))
}

/** Every schema in a document: those of params and results, of overloads and of components. */
function schemasOf({ methods, components }: Document): readonly Schema[] {
  const descriptors = methods.flatMap(
    ({ params, result, 'x-params-object': object, 'x-overloads': overloads = [] }) => [
      ...params,
      result,
      ...(object ? [object] : []),
      ...overloads.flatMap((each) => each.params),
    ],
  )
  return [...descriptors.map(({ schema }) => schema), ...Object.values(components?.schemas ?? {})]
}

/** Objects that have a `$ref` beside other keywords, which draft-07 ignores. */
function besideRefs(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' && Object.keys(value).length > 1 ? [value] : []
  return [...own, ...Object.values(value).flatMap(besideRefs)]
}

/** JSON has no other values; a sample of another kind cannot be sent. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(JSON.stringify(value))) === JSON.stringify(value) && !hasOthers(value)
  } catch {
    return false
  }
}

function hasOthers(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'undefined'
  if (Array.isArray(value)) return Array.from(value).some(hasOthers)
  if (Object.getPrototypeOf(value) !== Object.prototype) return true
  return Object.values(value).some(hasOthers)
}

describe.each(cases)('%s', (name) => {
  test('every schema compiles, and a $ref has no siblings', async () => {
    const { document } = await load(name)
    const ajv = ajvFor(document)
    for (const schema of schemasOf(document)) expect(() => ajv.compile(inDocument(schema))).not.toThrow()
    expect(besideRefs(schemasOf(document))).toEqual([])
  })

  test('accepted values are valid; the schema and the runtime agree on others', async () => {
    const { procedures, document } = await load(name)
    const ajv = ajvFor(document)
    const disagreements: unknown[] = []
    for (const { name: method, params: members, 'x-params-object': object } of document.methods) {
      const params = object ? [object] : members
      const procedure = procedures[method]
      if (!procedure?.params || procedure.overloads) continue
      params.forEach(({ schema }, i) => {
        const param = procedure.params[i]
        if (!param || param.rest || params.length !== 1) return
        const validate = ajv.compile(inDocument(schema))
        const good = samples(param.type, jsonForms).filter(isJson)
        for (const value of good) if (!validate(value)) disagreements.push([method, value, 'is valid'])
        for (const value of [...junk, ...good.flatMap((each) => spoiled(each))].filter(isJson)) {
          if (value === null && param.optional) continue
          const accepted = attempt(definitionOf(param.type), value, jsonWires.decode) !== INVALID
          if (accepted !== validate(value)) disagreements.push([method, value, accepted])
        }
      })
    }
    expect(disagreements).toEqual([])
  })
})
