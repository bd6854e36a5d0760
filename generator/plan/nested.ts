import type { MemberDeclaration } from '../../templates/file.js'

/**
 * The same interface with members of members in place of dotted names, which take the compiler no work. What is no
 * procedure of a client by way of its members is left out, or keeps its dotted name: see `remoteMembers`.
 */
export function nested(members: readonly MemberDeclaration[]): MemberDeclaration[] {
  return nest(members, '', new Set())
}

/** The same for parameters by name: what lies below the name of a procedure keeps its dotted name. */
export function nestedParams(members: readonly MemberDeclaration[]): MemberDeclaration[] {
  return nest(members, '', new Set(members.map(({ name }) => name)))
}

function nest(members: readonly MemberDeclaration[], prefix: string, whole: ReadonlySet<string>): MemberDeclaration[] {
  const groups = new Map<string, MemberDeclaration[]>()
  for (const member of members) {
    const rest = member.name.slice(prefix.length)
    if (!prefix && isOwn(rest)) continue
    const name = headOf(member.name, prefix, whole) ?? rest
    groups.set(name, [...(groups.get(name) ?? []), member])
  }
  return Array.from(groups, ([name, group]): MemberDeclaration => {
    const own = group.find((each) => each.name === prefix + name)
    const others = group.filter((each) => each !== own)
    if (own && others.length === 0) return { ...own, name }
    const members = nest(others, `${prefix}${name}.`, whole)
    return { name, type: own ? ['(', own.type, ')'] : '', doc: own?.doc ?? '', members }
  })
}

/** What stands before the first dot behind the prefix; undefined where the name stays in one piece. */
function headOf(name: string, prefix: string, whole: ReadonlySet<string>): string | undefined {
  const parts = name.slice(prefix.length).split('.')
  const [head = '', ...others] = parts
  if (others.length === 0 || parts.includes('') || isOfAll(head) || others.some(isOfMembers)) return undefined
  const heads = parts.slice(0, -1).map((_part, i) => prefix + parts.slice(0, i + 1).join('.'))
  return heads.some((each) => whole.has(each)) ? undefined : head
}

/** Whether a client has something else by this name. */
function isOwn(name: string): boolean {
  return /^\$(?!\/)/.test(name) || isOfAll(name)
}

function isOfMembers(name: string): boolean {
  return ['apply', 'bind', 'call'].includes(name) || isOfAll(name)
}

function isOfAll(name: string): boolean {
  return name === 'then' || name === 'toJSON' || name in Object.prototype
}
