import type { InterfacePlan, MemberPlan } from '../../templates/interface.js'

/**
 * The same interface with members of members in place of dotted names, which take the compiler no work. What lies below the
 * name of a procedure keeps its dotted name.
 */
export function nested(plan: InterfacePlan): InterfacePlan {
  const procedures = new Set(plan.members.map(({ name }) => name))
  return { ...plan, members: nest(plan.members, '', procedures) }
}

function nest(members: readonly MemberPlan[], prefix: string, procedures: ReadonlySet<string>): MemberPlan[] {
  const groups = new Map<string, MemberPlan[]>()
  for (const member of members) {
    const head = headOf(member.name, prefix, procedures)
    const key = head ?? member.name.slice(prefix.length)
    groups.set(key, [...(groups.get(key) ?? []), member])
  }
  return [...groups].map(([name, group]): MemberPlan => {
    const [first] = group
    if (first && headOf(first.name, prefix, procedures) === undefined) return { ...first, name }
    return { name, type: '', doc: '', members: nest(group, `${prefix}${name}.`, procedures) }
  })
}

/** What stands before the first dot behind the prefix; undefined where the name stays in one piece. */
function headOf(name: string, prefix: string, procedures: ReadonlySet<string>): string | undefined {
  const parts = name.slice(prefix.length).split('.')
  const [head] = parts
  if (parts.length === 1 || parts.includes('')) return undefined
  const heads = parts.slice(0, -1).map((_part, i) => prefix + parts.slice(0, i + 1).join('.'))
  return heads.some((each) => procedures.has(each)) ? undefined : head
}
