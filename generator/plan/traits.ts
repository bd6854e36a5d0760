import { partsOf } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from '../model/model.js'

/** Which way a value goes: from the wire, or to it. */
export type Direction = 'revive' | 'lower'

/** What may be asked about a type; one part of it that says so is enough. */
export type Trait = `needs ${Direction}` | `asks the wire to ${Direction}` | 'goes two ways'

/** What may be asked about a named type. */
export type Question = Trait | 'is entangled'

/** Kinds that the protocols write in forms of their own: their conversion asks the wire. */
const byWire: Readonly<Record<Direction, ReadonlySet<string>>> = {
  revive: new Set(['date', 'bytes', 'bigint']),
  lower: new Set(['date', 'bytes', 'bigint', 'any']),
}

/** Kinds that no protocol has: it carries them as something else. */
const bySelf = new Set(['undefined', 'void', 'set', 'map', 'url'])

const answers: Readonly<Record<Trait, (part: ModelType) => boolean>> = {
  'needs revive': (part) => byWire.revive.has(part.kind) || bySelf.has(part.kind) || losesParts(part),
  'needs lower': (part) => byWire.lower.has(part.kind) || bySelf.has(part.kind) || losesParts(part),
  'asks the wire to revive': (part) => byWire.revive.has(part.kind),
  'asks the wire to lower': (part) => byWire.lower.has(part.kind),
  'goes two ways': (part) => byWire.lower.has(part.kind) || bySelf.has(part.kind) || hasOptionalElements(part),
}

function losesParts(type: ModelType): boolean {
  if (type.kind === 'struct')
    return !type.rest || type.keys !== undefined || type.members.some(({ optional }) => optional)
  return hasOptionalElements(type)
}

function hasOptionalElements(type: ModelType): boolean {
  return type.kind === 'tuple' && type.required < type.elements.length
}

/** Whether some part of a type says so; `named` answers for a name. */
export function someSays(type: ModelType, question: Trait, named: (name: string) => boolean): boolean {
  if (type.kind === 'ref') return named(type.name)
  return answers[question](type) || partsOf(type).some((part) => someSays(part, question, named))
}

/** Answers questions about names, each once. */
export function createTraits(types: TypesByName): (question: Trait, name: string) => boolean {
  const all = new Map<Trait, Map<string, boolean>>()
  return (question, name) => {
    const known = all.get(question) ?? new Map<string, boolean>()
    all.set(question, known)
    const seen = new Set<string>()
    const ask = (each: string): boolean => {
      const answer = known.get(each)
      if (answer !== undefined || seen.has(each)) return answer ?? false
      seen.add(each)
      const named = types.get(each)
      if (named === undefined || !someSays(named.type, question, ask)) return false
      known.set(each, true)
      return true
    }
    if (ask(name)) return true
    // What can be reached from a name that says no says no too.
    for (const each of seen) known.set(each, false)
    return false
  }
}
