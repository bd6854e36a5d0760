import { refine } from './refine.js'
import { type Branch, partsOf, type Type } from './type.js'

/**
 * Gives types that take the same values, however they are named and in whatever order their branches stand, the same
 * `group`. Looks into everything that the types contain.
 */
export function groupTypes(roots: Iterable<Type>): void {
  const { plain, recursive } = inOrder(roots)
  const ids = new Map<string, number>()
  for (const type of plain) type.group = idOf(keyOfType(type), ids)
  refine(recursive, ids.size, keyOfType)
}

/** Types behind what they contain; recursive are those that contain themselves, or such a one. */
interface Order {
  readonly plain: readonly Type[]
  readonly recursive: readonly Type[]
}

interface Visit {
  readonly type: Type
  readonly parts: readonly Type[]
  next: number
}

/** Depth first with a stack of its own: references may be nested deeper than calls. */
function inOrder(roots: Iterable<Type>): Order {
  const state = new Map<Type, 'open' | 'plain' | 'recursive'>()
  const order = { plain: [] as Type[], recursive: [] as Type[] }
  for (const root of roots) {
    const stack: Visit[] = []
    const enter = (type: Type) => {
      if (state.has(type)) return
      state.set(type, 'open')
      stack.push({ type, parts: type.branches().flatMap(partsOf), next: 0 })
    }
    enter(root)
    for (let visit = stack.at(-1); visit; visit = stack.at(-1)) {
      const part = visit.parts[visit.next]
      visit.next += 1
      if (part) {
        enter(part)
        continue
      }
      const is = visit.parts.every((each) => state.get(each) === 'plain') ? 'plain' : 'recursive'
      state.set(visit.type, is)
      order[is].push(visit.type)
      stack.pop()
    }
  }
  return order
}

function idOf(key: string, ids: Map<string, number>): number {
  const known = ids.get(key)
  if (known !== undefined) return known
  ids.set(key, ids.size)
  return ids.size - 1
}

function keyOfType(type: Type): string {
  return [...new Set(type.branches().map(keyOf))].sort().join(' | ')
}

/** A text that branches which take the same values have in common, once their parts are grouped. */
export function keyOf(branch: Branch): string {
  const { opaque } = branch
  return opaque ? `${plainKey(branch)} ${opaque.join()}` : plainKey(branch)
}

function plainKey(branch: Branch): string {
  switch (branch.kind) {
    case 'any':
    case 'null':
      return branch.kind
    case 'literal':
      return JSON.stringify(branch.value)
    case 'constant':
      return branch.text
    case 'number':
    case 'string':
      return scalarKey(branch)
    case 'array': {
      const { prefix, rest, least, most, unique } = branch
      return `array ${prefix.map(({ group }) => group)};${rest?.group};${least};${most};${unique}`
    }
    case 'object':
      return objectKey(branch)
  }
}

function scalarKey(branch: Extract<Branch, { kind: 'number' | 'string' }>): string {
  if (branch.kind === 'number') {
    const { integer, least, most, above, below, steps } = branch
    return `number ${integer};${least};${most};${above};${below};${steps}`
  }
  const { least, most, patterns, formats } = branch
  return `string ${least};${most};${JSON.stringify(patterns)};${formats}`
}

function objectKey({ members, patterns, others }: Extract<Branch, { kind: 'object' }>): string {
  const named = Array.from(members, ([name, { type, required }]) => [JSON.stringify(name), required, type.group].join())
  const matching = Array.from(patterns, ([pattern, type]) => `${JSON.stringify(pattern)},${type.group}`)
  const further = typeof others === 'string' ? others : others.group
  return `object ${named.sort().join(';')} ${matching.sort().join(';')} ${further}`
}
