import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isList, isRemade } from '../text/remade.js'
import { type Asking, constrains, type Demand } from './demands.js'
import { isKept } from './lost.js'
import { type Given, mentionsIn } from './mentions.js'

/**
 * Reports named lists that a generic type makes other lists of, as `T extends (infer U)[] ? U[] : T` does: they have constraints
 * of their own or of their elements, and may have other elements. Where the type that is made says the same again, nothing is lost.
 */
export function reportGiven(given: readonly Given[], parts: readonly ModelType[], path: string, known: Asking): void {
  const { checker, problems } = known
  for (const { at, node, symbol, to } of given) {
    if (!ts.isTypeAliasDeclaration(node)) continue
    if (demandsOf(node, known).every((demand) => isKept(demand, parts))) continue
    if (!isRemade(checker.getDeclaredTypeOfSymbol(symbol), checker.getTypeFromTypeNode(to), checker)) continue
    const hint = isList(checker.getNonNullableType(checker.getTypeFromTypeNode(to)), checker)
      ? `say it of what comes out, too, in the comment of a named type: type … = ${to.getText().replace(/\s+/g, ' ')}`
      : 'write out what comes out, with a named type for the list in it'
    problems.at(at, 'RPC127', `as a type argument ${symbol.name} loses its constraints`, { path, hint })
  }
}

/** What a named list demands, and what the names do that its elements are written with. */
function demandsOf(list: ts.TypeAliasDeclaration, { checker, demandOf }: Asking): Demand[] {
  const nodes = [list, ...mentionsIn(list.type, checker).names.map(({ node }) => node)]
  return nodes.map(demandOf).filter(constrains)
}
