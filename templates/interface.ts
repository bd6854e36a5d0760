import { docBlock, indent, key, known, lineWidth } from './text.js'

/** An interface of the generated file, or an alias where its type is no object. */
export interface InterfacePlan {
  readonly name: string
  readonly exported: boolean
  readonly doc: string
  readonly members: readonly MemberPlan[]
  /** The type of an index signature. */
  readonly rest?: string
  /** Its names; `string` when absent. */
  readonly keys?: string
}

/** One member and its docs. */
export interface MemberPlan {
  readonly name: string
  readonly type: string
  readonly optional?: boolean
  readonly doc: string
  /** The members of an object that stands in the place of an empty `type`, or beside it. */
  readonly members?: readonly MemberPlan[]
}

/** A name for a type that is no object. */
export interface AliasPlan {
  readonly name: string
  readonly exported: boolean
  readonly doc: string
  readonly type: string
  /** The parts of a union, to be written one a line where they are many. */
  readonly alternatives?: readonly string[]
}

/** `texts` has what is known of the texts of members. */
export function renderInterface(
  { name, exported, doc, members, rest, keys = 'string' }: InterfacePlan,
  texts?: WeakMap<object, string>,
): string {
  const start = `${docBlock(doc)}${exported ? 'export ' : ''}interface ${name} {`
  const body = members.map((member) => known(member, (each) => indent(renderMember(each)), texts))
  if (rest !== undefined) body.push(indent(`[name: ${keys}]: ${rest}`))
  return body.length === 0 ? `${start}}` : `${start}\n${body.join('\n')}\n}`
}

export function renderAlias({ name, exported, doc, type, alternatives = [] }: AliasPlan): string {
  const start = `${exported ? 'export ' : ''}type ${name} =`
  const line = `${start} ${type}`
  if (line.length <= lineWidth || alternatives.length < 2) return docBlock(doc) + line
  return `${docBlock(doc)}${start}\n${indent(alternatives.map((each) => `| ${each}`).join('\n'))}`
}

/** An interface, or an alias where the type is no object. */
export function renderType(plan: InterfacePlan | AliasPlan): string {
  return 'type' in plan ? renderAlias(plan) : renderInterface(plan)
}

function renderMember({ name, type, optional, doc, members }: MemberPlan): string {
  const parts = members ? [`{\n${indent(members.map(renderMember).join('\n'))}\n}`] : []
  const text = (type ? [type, ...parts] : parts).join(' & ')
  return `${docBlock(doc)}${key(name)}${optional ? '?' : ''}: ${text}`
}
