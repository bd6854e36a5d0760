import { type DocType, readTypeText } from '../docs/index.js'
import { type Kind, kindsOfWord } from './doc-words.js'
import type { ModelType } from './model.js'
import type { PartType, PartTypesByName } from './part.js'

type StructType = Extract<ModelType, { kind: 'struct' }>
type DocWord = Extract<DocType, { kind: 'word' }>

/**
 * Whether a documented type and the declared one cannot both be true: something of the declared one is in nothing that the
 * docs say. What we do not understand contradicts nothing.
 */
export function contradicts(documented: string, declared: ModelType, types: PartTypesByName): boolean {
  return !admits(readTypeText(documented), { type: declared }, types)
}

/** A declared type, or a part of it, and the named type that it is, or is a branch of. */
interface Owned {
  readonly type: ModelType
  readonly owner?: PartType
}

function admits(doc: DocType, declared: Owned, types: PartTypesByName): boolean {
  if (doc.kind === 'unread') return true
  const { type } = declared
  const inside = insideOf(declared, types)
  if (inside !== undefined) {
    const named = type.kind === 'ref' ? types.get(type.name) : undefined
    return (named && isNamedIn(doc, named)) || inside.every((each) => admits(doc, each, types))
  }
  if (doc.kind === 'either') return doc.branches.some((branch) => admits(branch, declared, types))
  const kinds = kindsOfWord.get(doc.word.toLowerCase())
  const meant = doc.args.length === 0 ? typeNamed(doc.word, types) : undefined
  if (type.kind === 'any' || (!kinds && !meant)) return true
  // A word of the docs may be the name of a type too: either may be meant.
  if (kinds?.includes(kindOf(type)) && partsAdmit(doc, type, types)) return true
  return meant !== undefined && mayBe({ type: meant.type, owner: meant }, declared, types)
}

/** The branches of a union, and the one type that a name stands for; undefined where there is nothing to look into. */
function insideOf({ type, owner }: Owned, types: PartTypesByName): readonly Owned[] | undefined {
  const owned = owner ? { owner } : {}
  if (type.kind === 'union') return type.branches.map((branch) => ({ type: branch, ...owned }))
  if (type.kind !== 'ref') return undefined
  const named = types.get(type.name)
  if (!named) return []
  // A branch that has no name of its own is one of its union.
  return [{ type: named.type, ...(named.anonymous ? owned : { owner: named }) }]
}

/** Whether the docs call a type by the name that the source has for it; of `Page<Order>` that is `Page<…>`. */
function isNamedIn(doc: DocType, named: PartType): boolean {
  if (doc.kind === 'either') return doc.branches.some((branch) => isNamedIn(branch, named))
  if (doc.kind === 'unread' || named.anonymous) return false
  return doc.args.length === 0 ? named.base === doc.word : !named.declared && named.base.startsWith(doc.word)
}

function typeNamed(word: string, types: PartTypesByName): PartType | undefined {
  const named = types.get(word)
  return named && !named.anonymous && named.base === word ? named : undefined
}

/** Whether what the docs say of the elements or values of a type can be true. */
function partsAdmit({ word, args }: DocWord, type: ModelType, types: PartTypesByName): boolean {
  const [first, second, ...more] = args
  const fits = (doc: DocType | undefined) => (part: ModelType | undefined) =>
    !doc || !part || admits(doc, { type: part }, types)
  const byPosition = word.toLowerCase() === 'tuple'
  const element = byPosition && first ? ({ kind: 'either', branches: args } as const) : second ? undefined : first
  const value = more.length > 0 ? undefined : second
  switch (type.kind) {
    case 'array':
    case 'set':
      return fits(element)(type.element)
    case 'tuple':
      return byPosition
        ? type.elements.every((part, i) => fits(args[i])(part))
        : [...type.elements, type.rest].every(fits(element))
    case 'map':
      return fits(value)(type.value)
    case 'struct':
      return [...type.members.map((member) => member.type), type.rest].every(fits(value))
    default:
      return true
  }
}

/** Whether the type that the docs name can be the declared one: they are compared by their names where both have one. */
function mayBe(meant: Owned, declared: Owned, types: PartTypesByName): boolean {
  const inside = insideOf(meant, types)
  if (inside !== undefined) return inside.length === 0 || inside.some((each) => mayBe(each, declared, types))
  const [a, b] = [meant.type, declared.type]
  if (a === b || a.kind === 'any') return true
  // One may extend the other, of which the model knows only that it has its members.
  if (a.kind === 'struct' && b.kind === 'struct') return !differInName(meant.owner, declared.owner) || hasAll(b, a)
  if (a.kind === 'literal' && b.kind === 'literal' && a.value !== b.value && declared.owner) return false
  return familyOf(a) === familyOf(b)
}

function differInName(meant: PartType | undefined, declared: PartType | undefined): boolean {
  if (!meant || !declared || meant.base === declared.base) return false
  // `Readonly<User>` and `Page<User>` have names that are made of what they are of.
  return declared.declared !== undefined || !declared.base.includes(meant.base)
}

function hasAll(struct: StructType, wanted: StructType): boolean {
  const names = new Set(struct.members.map(({ name }) => name))
  return wanted.members.every(({ name, optional }) => optional || names.has(name))
}

/** Named types are told apart by name; of others only what is of another family cannot be meant. */
const families: readonly (readonly Kind[])[] = [
  ['int', 'double', 'number', 'bigint'],
  ['string', 'template', 'url'],
  ['array', 'tuple', 'set'],
  ['struct', 'map'],
  ['null', 'undefined', 'void'],
]

function familyOf(type: ModelType): Kind {
  const kind = kindOf(type)
  return families.find((family) => family.includes(kind))?.[0] ?? kind
}

function kindOf(type: ModelType): Kind {
  return type.kind === 'literal' ? (typeof type.value as Kind) : type.kind
}
