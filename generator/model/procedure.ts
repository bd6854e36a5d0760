import type { ProtocolName } from '../../runtime/protocol.js'
import { helpText, type ProcedureMeta, type TypesByName } from '../../runtime/schema/description.js'
import { signaturesOf } from '../../runtime/schema/signatures.js'
import { subscriptionId } from '../../runtime/schema/subscription.js'
import { type DocComment, limitTags, type ProcedureLimits, parameterOf, protocolTag, rpcTag } from '../docs/index.js'
import type { ParamModel, ProcedureModel, ReturnsModel } from './model.js'

/** A procedure's types; the docs are added here. */
interface Undocumented extends Omit<ProcedureModel, 'description' | 'help' | 'signatures' | 'returns'> {
  readonly returns: Pick<ReturnsModel, 'type' | 'promise'>
}

/**
 * Returns the public name: the one in `@rpc`, else the exported one, in the module's namespace. A name with a leading dot in
 * `@rpc` is the full name.
 */
export function publicName(doc: DocComment, exportName: string, namespace?: string): string {
  const { name = exportName, isFull } = rpcTag(doc)
  return namespace === undefined || name === 'default' || isFull ? name : `${namespace}.${name}`
}

/** Tags in the comment of a module, for procedures whose own comments lack them. */
export interface ModuleDefaults {
  readonly protocols?: readonly ProtocolName[]
  readonly limits?: ProcedureLimits
}

/** What is known of a procedure besides its types and its comment. */
export interface Further extends ModuleDefaults {
  /** The names of parameters on the wire, by those of the source, where they differ. */
  readonly wireNames?: ReadonlyMap<string, string>
}

/** Combines the types and the doc comment of one procedure with the defaults of its module. */
export function documented(
  found: Undocumented,
  doc: DocComment,
  types: TypesByName,
  { wireNames, ...ofModule }: Further = {},
): ProcedureModel {
  const { params, overloads, returns, ...rest } = found
  const ownNames = new Set(params.map(({ name }) => name))
  const withText = (param: ParamModel) => {
    const described = doc.params.filter(({ name }) => parameterOf(name) === param.name)
    // The docs of `order.lines` are part of those of `order`.
    const text = described.map(({ name, text }) => (name === param.name ? text : `${name}: ${text}`)).join('\n')
    return withDoc({ ...param, name: wireNames?.get(param.name) ?? param.name }, text)
  }
  const withOwnText = (param: ParamModel) => {
    const { doc: _, ...undescribed } = withText(param)
    return ownNames.has(param.name) ? undescribed : withText(param)
  }
  const own = protocolTag(doc).protocols
  const protocols = own.length > 0 ? own : (ofModule.protocols ?? [])
  const returnsDoc = doc.returns?.text
  const documented = {
    ...rest,
    params: params.map(withText),
    // Parameters that are already documented are left out.
    ...(overloads ? { overloads: overloads.map((each) => ({ ...each, params: each.params.map(withOwnText) })) } : {}),
    returns: withDoc(returns, returnsDoc),
  }
  const signatures = found.subscription ? [{ params, returns: { type: subscriptionId } }] : (overloads ?? [found])
  return {
    ...documented,
    description: doc.description,
    help: helpText(doc.description, documented),
    signatures: signaturesOf(signatures, ({ name }) => types.get(name)?.type),
    ...(protocols.length > 0 ? { protocols } : {}),
    ...ofModule.limits,
    ...limitTags(doc).limits,
    ...tagsOf(doc),
  }
}

function withDoc<T extends object>(value: T, doc: string | undefined): T & { readonly doc?: string } {
  return doc === undefined || doc === '' ? value : { ...value, doc }
}

function tagsOf({ tags }: DocComment): Partial<ProcedureMeta> {
  const tag = (wanted: string) => tags.find(({ name }) => name === wanted)
  const since = tag('since')?.text
  const deprecated = tag('deprecated')
  const mcp = tag('mcp')?.text
  const destructive = tag('destructive')?.text
  return {
    ...(deprecated ? { deprecated: true } : {}),
    ...(deprecated && deprecated.text !== '' ? { deprecation: deprecated.text } : {}),
    ...(since === undefined || since === '' ? {} : { since }),
    ...(tag('idempotent') ? { idempotent: true } : {}),
    ...(mcp === undefined ? {} : { mcp: mcp === '' || mcp }),
    ...(tag('readonly') ? { readonly: true } : {}),
    ...(destructive === undefined ? {} : { destructive: destructive !== 'false' }),
  }
}
