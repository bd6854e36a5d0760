// Names types: declared ones after their declaration, all others after what contains them:
//
//   quote(lines: { sku: string }[])  →  QuoteLines
import { innerTypesOf } from '../../runtime/description/described-types.js'
import { upperFirst } from '../text.js'
import type { ModelType, ProcedureModel } from './model.js'
import type { PartProcedure, PartType } from './part.js'

/**
 * Returns the names of types by id. A type that is declared has the name of its declaration. Any other type is named after the
 * declared type that contains it, and only if there is none after the procedure that uses it: so a new procedure renames no type
 * of another one. Of several types that want one name, each but the first gets a number. `procedures` are those that use types without a
 * declaration.
 */
export function nameTypes(
  types: readonly PartType[],
  procedures: readonly PartProcedure[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  /** The numbers that types with one name have so far: thousands may be called `Props`. */
  const numbers = new Map<string, number>()
  const unnamed = new Map(types.flatMap((type) => (type.base === undefined ? [[type.id, type.type]] : [])))
  const claim = (id: string, full: string): void => {
    const wanted = full.length > MAX_NAME ? [...full].slice(0, MAX_NAME).join('') : full
    let name = wanted
    for (let n = (numbers.get(wanted) ?? 1) + 1; taken.has(name); n += 1) {
      name = `${wanted}${n}`
      numbers.set(wanted, n)
    }
    taken.add(name)
    names.set(id, name)
  }
  const nameInner = (type: ModelType, owner: readonly string[]): void => {
    for (const { id, members, isBranch } of referencesIn(type)) {
      const inner = unnamed.get(id)
      if (!inner || names.has(id)) continue
      claim(id, nameOf([...owner, ...members, ...(isBranch ? [labelOf(inner)] : [])]))
      nameInner(inner, [names.get(id) ?? ''])
    }
  }
  const declared = sortDeclared(types)
  for (const { id, base = '' } of declared) claim(id, base)
  for (const { id, type } of declared) nameInner(type, [names.get(id) ?? ''])
  for (const { model } of procedures) for (const { type, owner } of usesOf(model)) nameInner(type, owner)
  return names
}

/**
 * Types whose id is their declaration first, by name, then by file and position. Hash ids depend on the path of the checkout: other types with
 * one name keep the order of first use.
 */
function sortDeclared(types: readonly PartType[]): PartType[] {
  const keyed = types.flatMap((type) => {
    const { base, id } = type
    return base === undefined ? [] : [{ type, order: id.includes('#') ? `0 ${base} ${sortable(id)}` : `1 ${base}` }]
  })
  return keyed.sort(({ order: a }, { order: b }) => (a < b ? -1 : a > b ? 1 : 0)).map(({ type }) => type)
}

/** Pads the positions in an id, so that texts are in the order of the numbers: 42 is before 105. */
function sortable(id: string): string {
  return id.replace(/:(\d+)(?=[ ,#])/g, (_, position: string) => `:${position.padStart(9, '0')}`)
}

/** The types that a procedure refers to, each with the words that name what has no name: `order.create` and `draft`. */
export function usesOf({ name: procedure, params, returns, overloads = [], throws = [] }: ProcedureModel) {
  const signatures = [{ params, returns }, ...overloads]
  return [
    ...signatures.flatMap((each) => each.params.map(({ name, type }) => ({ type, owner: [procedure, name] }))),
    ...signatures.map(({ returns: { type } }) => ({ type, owner: [procedure] })),
    ...throws.flatMap(({ data, name }) => (data ? [{ type: data, owner: [name, 'Data'] }] : [])),
  ]
}

/** A reference in a type, with the members that contain it. */
interface Reference {
  readonly id: string
  readonly members: readonly string[]
  readonly isBranch: boolean
}

function referencesIn(type: ModelType, members: readonly string[] = [], isBranch = false): Reference[] {
  if (type.kind === 'ref') return [{ id: type.name, members, isBranch }]
  if (type.kind !== 'struct')
    return innerTypesOf(type).flatMap((inner) => referencesIn(inner, members, type.kind === 'union'))
  const inMembers = type.members.flatMap(({ name, type: inner }) => referencesIn(inner, [...members, name]))
  return [...inMembers, ...(type.indexes ?? []).flatMap((index) => referencesIn(index.type, members))]
}

/** What a branch is called: `circle` of `{ kind: 'circle', radius: number }`, its first member, or its kind. */
function labelOf(type: ModelType): string {
  if (type.kind !== 'struct') return type.kind
  const literal = type.members.find((member) => member.type.kind === 'literal')?.type
  return literal?.kind === 'literal' ? `${literal.value}` : (type.members[0]?.name ?? '')
}

/** Longer names are cut and distinguished by number: types without a declaration may be deep inside of each other. */
const MAX_NAME = 60

/** Joins words to a name: `CreateOrderDraftLines` of `createOrder`, `draft` and `lines`. */
export function nameOf(words: readonly string[]): string {
  const identifiers = words.flatMap((each) => each.split(/(?:[^\p{ID_Continue}$]|\p{Default_Ignorable_Code_Point})+/u))
  const name = identifiers.map(upperFirst).join('')
  return /^[\p{ID_Start}_$]/u.test(name) ? name : `Type${name}`
}
