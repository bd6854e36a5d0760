import { ts } from 'ts-morph'
import { mayConstrain } from '../../docs/index.js'
import { branchesOf } from '../text/type-nodes.js'
import type { Asking } from './demands.js'
import { type Mention, mentionsIn, type WrittenUnion } from './mentions.js'

/** What a branch of a union demands, in words to compare by, and the first name that says so. */
interface Demanding {
  readonly node: ts.TypeNode
  readonly text: string
  readonly demands: string
  readonly name?: string | undefined
}

const brandHint = (name: string): string =>
  `make it a type of its own, with a brand: type ${name} = … & { readonly [brand]?: true }`

/** What helps where a brand would not: nothing checks the names of members, but for a template that they are of. */
const hints: Partial<Record<NonNullable<Mention['lost']>, string>> = {
  'as a key': 'the names of members are not checked for it: key by string, or by a template literal type',
  'as the rest of a tuple':
    'write a list without constraints, or take the list as an element of its own, without the dots',
  'in a template':
    'write string or number there, and say what the whole text is to meet, in the comment of a named type',
}

export function hintAt(lost: Mention['lost'], symbol: ts.Symbol): string {
  return (lost && hints[lost]) ?? hintFor(symbol)
}

export function hintFor({ name, flags }: ts.Symbol): string {
  return flags & ts.SymbolFlags.Type
    ? brandHint(name)
    : 'put the constraint on a named type with a brand, and write that one there'
}

/**
 * Reports branches of a union that the checker makes one type of, as of `Age | Int`, and whose constraints differ: those of one
 * would be kept for the values of the other, or lost. Answers the unions that were reported.
 */
export function reportJoined(unions: readonly WrittenUnion[], path: string, known: Asking): ts.Node[] {
  return unions.flatMap(({ at, node }) => {
    const pair = differing(node, known)
    if (!pair) return []
    const [one, other] = pair
    const { name = other.name } = one
    const message = `${one.text} and ${other.text} are one type to TypeScript, and their constraints differ`
    const hint = name === undefined ? 'put the constraint on a named type with a brand' : brandHint(name)
    known.problems.at(at, 'RPC127', message, { path, hint })
    return [at]
  })
}

function differing(union: ts.UnionTypeNode, known: Asking): readonly [Demanding, Demanding] | undefined {
  const { checker } = known
  const type = checker.getTypeFromTypeNode(union)
  const kept = type.isUnion() ? type.types : [type]
  const written = branchesOf(union, checker).map((node) => demandingOf(node, union, known))
  if (written.every(({ demands }) => demands === '')) return undefined
  for (const branch of kept) {
    const [first, ...others] = written.filter(({ node }) => isOf(checker.getTypeFromTypeNode(node), branch, kept))
    const other = others.find(({ demands }) => demands !== first?.demands)
    if (first && other) return [first, other]
  }
  return undefined
}

/** Whether a type is a branch of a union, or became one: a literal beside its base is gone. */
function isOf(type: ts.Type, branch: ts.Type, kept: readonly ts.Type[]): boolean {
  if (type === branch) return true
  if (type.isUnion()) return type.types.some((each) => isOf(each, branch, kept))
  return !kept.includes(type) && bases.some(([base, like]) => branch.flags & base && type.flags & like)
}

const { TypeFlags } = ts
const bases: readonly (readonly [base: ts.TypeFlags, like: ts.TypeFlags])[] = [
  [TypeFlags.String, TypeFlags.StringLike],
  [TypeFlags.Number, TypeFlags.NumberLike],
  [TypeFlags.BigInt, TypeFlags.BigIntLike],
]

/** What a type demands that is a part of another one's text: of a union, of a record. */
export function demandingOf(
  node: ts.TypeNode,
  whole: ts.Node,
  { checker, demandOf }: Pick<Asking, 'checker' | 'demandOf'>,
): Demanding {
  const demanding = mentionsIn(node, checker).names.flatMap(({ node: said, symbol: { name } }) =>
    Object.entries(demandOf(said)?.constraints ?? {}).map((each) => ({ name, demand: JSON.stringify(each) })),
  )
  // A comment where the whole begins is about all of it.
  const text = node.getFullStart() === whole.getFullStart() ? node.getText() : node.getFullText()
  const comments = (text.match(/\/\*\*[\s\S]*?\*\//g) ?? []).filter(mayConstrain)
  const demands = [...new Set([...demanding.map(({ demand }) => demand), ...comments])].sort().join(' ')
  return { node, text: text.trim().replace(/\s+/g, ' '), demands, name: demanding[0]?.name }
}
