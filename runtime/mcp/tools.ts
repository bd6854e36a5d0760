// Procedures as tools: `user.create` with `@mcp` is the tool `user_create`, whose input schema has its parameters, and whose output schema its
// result.
import { describeProcedures } from '../call/describe.js'
import type { CallSettings, Procedure, Table } from '../call/types.js'
import { resolveType } from '../description/described-types.js'
import {
  type DescribedParam,
  type DescribedProcedure,
  type DescribedType,
  docText,
  isCallableBy,
  parameterLists,
  parametersByName,
  summaryOf,
  type TypesByName,
} from '../description/description.js'
import { byNameSchema, type JsonSchema, schemaOfResult, TypeSchemas } from '../description/json-schema.js'
import { withSecurity } from '../description/security.js'
import { toolNameOf, toolNameProblem, toolNames } from '../description/tool-name.js'
import { isContent } from './content.js'
import { inputSchemaOf } from './input-schema.js'
import type { Era } from './messages.js'
import type { ToolSelection } from './options.js'

/**
 * What a tool returns: content blocks; an object; another value, which the legacy protocol has as text alone; or nothing.
 */
type ResultKind = 'content' | 'object' | 'value' | 'nothing'

/** A procedure as a tool. */
export interface Tool {
  readonly procedure: Procedure
  readonly resultKind: ResultKind
  /** Its definition in a list of tools, as JSON. */
  readonly texts: Readonly<Record<Era, string>>
}

/** The tools of a server. */
export interface ToolSet {
  /** The procedures that are tools, by the names of the procedures. */
  readonly table: Table
  /** By the names of the tools. */
  readonly tools: ReadonlyMap<string, Tool>
  /** True if a tool has auth of its own or of its namespace or server: which tools are listed depends on the caller. */
  readonly isPerCaller: boolean
}

/**
 * Returns the tools of a table, in its order.
 *
 * @throws Error if two tools have the same name, a tool cannot have its name, or a procedure with `@mcp` cannot be a tool
 */
export function toolSetOf(table: Table, selection: ToolSelection | undefined, unknownNames: UnknownSettings): ToolSet {
  const tools = new Map<string, Tool>()
  for (const procedure of table.values()) {
    if (!isSelected(procedure, selection)) continue
    const name = checkedName(procedure)
    const other = tools.get(name)?.procedure.name
    if (other !== undefined) {
      const both = `${other} and ${procedure.name}`
      throw new Error(`mcp: ${both} are both the tool ${name}: rename one, or leave one out by \`tools\``)
    }
    tools.set(name, defineTool(name, procedure, unknownNames))
  }
  const procedures = Array.from(tools.values(), ({ procedure }) => procedure)
  return {
    table: new Map(procedures.map((procedure) => [procedure.name, procedure])),
    tools,
    isPerCaller: procedures.some(({ auth = 'public' }) => auth !== 'public'),
  }
}

function isSelected(procedure: Procedure, selection: ToolSelection | undefined): boolean {
  const { name, builtIn, mcp } = procedure
  if (builtIn) return false
  const reason = reasonNotTool(procedure)
  if (selection === 'all') return !reason
  if (selection) return !reason && selection(procedure)
  if (mcp && reason) throw new Error(`mcp: ${name} has @mcp and ${reason}: remove one of them`)
  return mcp !== undefined && mcp !== false
}

/** Returns why a procedure cannot be a tool. */
function reasonNotTool(procedure: Procedure): string | undefined {
  // Only its author knows whether it ends.
  if (procedure.subscription && !procedure.mcp) return 'is a subscription'
  return isCallableBy('json-rpc', procedure) ? undefined : 'excludes JSON by its protocols'
}

/** What the server does with names that no type has. */
type UnknownSettings = Pick<CallSettings, 'unknownKeys' | 'unknownParams'>

/** @throws Error for a name that the APIs of language models do not accept */
function checkedName(procedure: Procedure): string {
  const name = toolNameOf(procedure)
  const problem = toolNameProblem(name)
  if (problem === undefined) return name
  throw new Error(`mcp: ${problem}: write @mcpName and ${toolNames}, or leave ${procedure.name} out by \`tools\``)
}

function defineTool(name: string, procedure: Procedure, { unknownKeys: keys, unknownParams }: UnknownSettings): Tool {
  const { procedures, types: named } = describeProcedures([procedure])
  const described = procedures[0] as DescribedProcedure
  const types: TypesByName = new Map(named.map((type) => [type.name, type]))
  const inputs = new TypeSchemas(named)
  const schema = byNameSchema(mergeOverloads(described), inputs)
  const args = described.paramsObject ? keys : unknownParams
  const itemKind = resultKindOf(described.returns.type, types)
  const resultKind = procedure.subscription && itemKind === 'object' ? 'value' : itemKind
  const outputs = new TypeSchemas(named)
  const item = schemaOfResult(described, outputs)
  const output: JsonSchema = procedure.subscription ? { type: 'array', items: item } : item
  const typed: JsonSchema = resultKind === 'object' ? { type: 'object', ...output } : output
  const fields = {
    name,
    ...docsOf(procedure, described),
    inputSchema: inputSchemaOf({ schema, defs: inputs.defs, types }, { args, keys }),
    annotations: hintsOf(procedure),
  }
  const textWith = (hasOutput: boolean) =>
    JSON.stringify(hasOutput ? { ...fields, outputSchema: withDefs(typed, outputs.defs) } : fields)
  return {
    procedure,
    resultKind,
    // Up to 2025-11-25 the result of a tool with an output schema is an object.
    texts: {
      modern: textWith(resultKind === 'object' || resultKind === 'value'),
      legacy: textWith(resultKind === 'object'),
    },
  }
}

function withDefs(schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema
}

/**
 * The parameters of all overloads in one object, where those are required that all overloads require: some language models
 * accept no `anyOf` at the top of a schema. The call decides.
 */
function mergeOverloads(described: DescribedProcedure): DescribedProcedure {
  const { overloads, ...single } = described
  if (!overloads) return described
  const lists = parameterLists(described)
  const isRequired = ({ name }: DescribedParam) =>
    lists.every((list) => list.some((each) => each.name === name && !each.optional && !each.rest))
  const params = parametersByName(described).map((each) => ({ ...each, optional: !isRequired(each) }))
  return { ...single, params }
}

function docsOf({ mcp }: Procedure, described: DescribedProcedure) {
  const { description, security } = described
  const title = typeof mcp === 'string' ? mcp : summaryOf(description).replace(/\.$/, '')
  const text = withSecurity(docText({ ...described, ...(description && { doc: description }) }) ?? '', security)
  return { title: title || undefined, description: text || undefined }
}

/** Hints for the client, from the docs; undefined without one. */
function hintsOf({ readonly, destructive, idempotent }: Procedure): object | undefined {
  if (!readonly && destructive === undefined && !idempotent) return undefined
  const hint = (value: boolean | undefined) => value || undefined
  return { readOnlyHint: hint(readonly), destructiveHint: destructive, idempotentHint: hint(idempotent) }
}

function resultKindOf(type: DescribedType, types: TypesByName): ResultKind {
  if (isContent(type, types)) return 'content'
  const { kind } = resolveType(type, types)
  if (kind === 'void' || kind === 'undefined') return 'nothing'
  return isObjectType(type, types) ? 'object' : 'value'
}

/** True if every value of a type is a JSON object. */
function isObjectType(type: DescribedType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return plain.branches.every((each) => isObjectType(each, types))
  return plain.kind === 'struct' || plain.kind === 'map'
}
