import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType, NamedType } from './model.js'
import { memberPath } from './path.js'

/** A type whose every value contains another value of it. */
export interface Endless {
  readonly name: string
  /** The members from the type to itself. */
  readonly circle: readonly Step[]
}

/** Returns steps as a path: `.b.a`. */
export function wayOf(steps: readonly Step[]): string {
  return steps.map(({ step }) => step).join('')
}

/** Finds types that contain themselves without an end, such as `interface A { a: A }`: they have no finite value. */
export function findEndless(types: readonly NamedType[], byName: TypesByName): Endless[] {
  const ending = endingNames(types)
  const reported = new Set<string>()
  return types.flatMap(({ name }) => {
    if (ending.has(name)) return []
    const steps = stepsFrom(name, byName, ending)
    const last = steps.at(-1)?.to
    // Types that only lead to such a cycle are not reported.
    const circle = steps.slice(steps.findIndex((step) => step.from === last))
    const isReported = circle.some(({ from }) => reported.has(from))
    for (const { from } of steps) reported.add(from)
    return isReported || last === undefined ? [] : [{ name: last, circle }]
  })
}

/** Returns the types with a finite value. Repeats until no further type is found whose required inner types all have one. */
function endingNames(types: readonly NamedType[]): ReadonlySet<string> {
  const ending = new Set<string>()
  for (let before = -1; before < ending.size; ) {
    before = ending.size
    for (const { name, type } of types) if (!obstacle(type, ending)) ending.add(name)
  }
  return ending
}

/** A step from a type to an inner type that it must have. */
interface Step {
  readonly from: string
  readonly step: string
  readonly to: string
}

/** Returns the steps from a name up to the first name that repeats. */
function stepsFrom(start: string, byName: TypesByName, ending: ReadonlySet<string>): Step[] {
  const steps: Step[] = []
  let from = start
  while (!steps.some((each) => each.from === from)) {
    const named = byName.get(from)
    const found = named && obstacle(named.type, ending)
    if (!found) return []
    steps.push({ from, step: found.step, to: found.name })
    from = found.name
  }
  return steps
}

interface Obstacle {
  readonly step: string
  readonly name: string
}

/** Returns the first required inner type that has no finite value; undefined if there is none. */
function obstacle(type: ModelType, ending: ReadonlySet<string>): Obstacle | undefined {
  const within = (inner: ModelType, step: string): Obstacle | undefined => {
    const found = obstacle(inner, ending)
    return found && { ...found, step: step + found.step }
  }
  switch (type.kind) {
    case 'ref':
      return ending.has(type.name) ? undefined : { step: '', name: type.name }
    case 'array':
    case 'set':
      return (type.constraints?.minItems ?? 0) > 0 ? within(type.element, '[]') : undefined
    case 'tuple': {
      const length = Math.max(type.required, type.constraints?.minItems ?? 0)
      const elements = [...type.elements, ...(type.rest && length > type.elements.length ? [type.rest] : [])]
      return firstOf(elements.slice(0, length).map((each, i) => within(each, `[${i}]`)))
    }
    case 'custom':
      return within(type.wire, '')
    case 'struct':
      return firstOf(
        type.members.map((each) => (each.optional ? undefined : within(each.type, memberPath('', each.name)))),
      )
    case 'union': {
      const found = type.branches.map((each) => within(each, ''))
      return found.includes(undefined) ? undefined : found[0]
    }
    default:
      return undefined
  }
}

function firstOf(found: readonly (Obstacle | undefined)[]): Obstacle | undefined {
  return found.find((each) => each !== undefined)
}
