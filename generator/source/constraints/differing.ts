import { ts } from 'ts-morph'
import type { Place } from '../problems.js'
import { alternativesOf, sayingOf } from '../text/properties.js'
import { branchesOf, namedBy } from '../text/type-nodes.js'
import { typeNodeOf } from '../text/written.js'
import type { Asking } from './demands.js'
import { hintFor } from './joined.js'
import { mentionsIn } from './mentions.js'

/** A constraint that one branch of a union has for a member. */
interface Said {
  readonly name: string
  /** What it says, to compare by. */
  readonly text: string
  /** The type that it lies somewhere inside of; undefined where it is about the member itself. */
  readonly inside?: ts.Type
  readonly symbol?: ts.Symbol | undefined
}

/** What one branch of a union says of a member. */
interface Alternative {
  readonly types: readonly ts.Type[]
  readonly said: readonly Said[]
}

/**
 * What is taken of a union meets one of its branches. To the checker it has one type, and so one set of constraints: what one
 * branch demands may not be about values that another one allows. Answers whether it is.
 */
export function reportDiffering(
  property: ts.Symbol,
  { node, path }: Pick<Place, 'node' | 'path'>,
  known: Asking,
): boolean {
  const parts = alternativesOf(property, known.checker)
  if (parts.length < 2) return false
  const alternatives = parts.map((each) => alternativeOf(each, known))
  const found = alternatives
    .flatMap(({ said }) => said)
    .find((each) => alternatives.some((other) => isAgainst(each, other, known.checker)))
  if (!found) return false
  const message = `the branches that ${property.name} is taken of have constraints for it that differ`
  const anew = 'say the same in each of them, or declare the member anew'
  const hint = found.symbol ? `${anew}; or ${hintFor(found.symbol)}` : anew
  known.problems.at(node, 'RPC127', message, { path, hint })
  return true
}

function alternativeOf(property: ts.Symbol, { checker, demandOf }: Asking): Alternative {
  const type = checker.getTypeOfSymbol(property)
  const saidBy = (node: ts.Node, more: Pick<Said, 'inside' | 'symbol'>): Said[] =>
    Object.entries(demandOf(node)?.constraints ?? {}).map(([name, value]) => ({
      name,
      text: JSON.stringify(value),
      ...more,
    }))
  const declared = sayingOf(property, checker)
  const branches = declared.flatMap((each) => {
    const typeNode = typeNodeOf(each)
    return typeNode ? branchesOf(typeNode, checker) : []
  })
  const named = branches.flatMap((branch) => {
    const about = new Set(namedBy(branch, checker).map(({ node }) => node))
    const inside = checker.getTypeFromTypeNode(branch)
    const { names } = mentionsIn(branch, checker)
    return names.flatMap(({ node, symbol }) => saidBy(node, about.has(node) ? { symbol } : { symbol, inside }))
  })
  return {
    types: type.isUnion() ? type.types : [type],
    said: [...declared.flatMap((each) => saidBy(each, {})), ...named],
  }
}

/** Whether a branch does not say something, and allows values that it would be about. */
function isAgainst({ name, text, inside }: Said, { types, said }: Alternative, checker: ts.TypeChecker): boolean {
  if (said.some((each) => each.name === name && each.text === text)) return false
  return types.some((type) => (inside ? type === inside : mayHave(type, name, checker)))
}

const { TypeFlags } = ts

function mayHave(type: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  if (/Items$/.test(name)) {
    return checker.isArrayType(type) || checker.isTupleType(type) || /^(Readonly)?Set$/.test(type.symbol?.name ?? '')
  }
  const isNumeric = /mum$|^multiple/i.test(name)
  const like = isNumeric ? TypeFlags.NumberLike | TypeFlags.BigIntLike : TypeFlags.StringLike
  const parts = type.isIntersection() ? type.types : [type]
  return parts.some(({ flags }) => flags & like)
}
