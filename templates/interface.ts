import { docBlock, indent, key, lineWidth } from './text.js'

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
}

/** A name for a type that is no object. */
export interface AliasPlan {
  readonly name: string
  readonly type: string
  /** The parts of a union, to be written one a line where they are many. */
  readonly alternatives?: readonly string[]
}

export function renderInterface({ name, exported, doc, members, rest, keys = 'string' }: InterfacePlan): string {
  const start = `${docBlock(doc)}${exported ? 'export ' : ''}interface ${name} {`
  const body = [...members.map(renderMember), ...(rest === undefined ? [] : [`[name: ${keys}]: ${rest}`])]
  return body.length === 0 ? `${start}}` : `${start}\n${indent(body.join('\n'))}\n}`
}

export function renderAlias({ name, type, alternatives = [] }: AliasPlan): string {
  const line = `type ${name} = ${type}`
  if (line.length <= lineWidth || alternatives.length < 2) return line
  return `type ${name} =\n${indent(alternatives.map((each) => `| ${each}`).join('\n'))}`
}

function renderMember({ name, type, optional, doc }: MemberPlan): string {
  return `${docBlock(doc)}${key(name)}${optional ? '?' : ''}: ${type}`
}
