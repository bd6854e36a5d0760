import { ts } from 'ts-morph'
import { memberPath } from '../../model/path.js'
import type { Place } from '../problems.js'
import { losingOf, sayingOf } from '../text/properties.js'
import { typeNodeOf } from '../text/written.js'
import { type Asking, constrains } from './demands.js'
import { hintFor } from './joined.js'
import { mentionsIn } from './mentions.js'

/** What a mapped type puts a member into, as in `{ [K in keyof T]: T[K][] }`, has the type of the member only. */
export function reportMapped(
  property: ts.Symbol,
  { node, path }: Place,
  { checker, problems, demandOf }: Asking,
): void {
  for (const origin of losingOf(property, checker)) {
    const declared = sayingOf(origin, checker)
    const texts = declared.flatMap((each) => typeNodeOf(each) ?? [])
    const said = [
      ...declared.map((each) => ({ node: each as ts.Node, symbol: origin })),
      ...texts.flatMap((each) => mentionsIn(each, checker).names),
    ]
    const lost = said.find((each) => constrains(demandOf(each.node)))
    if (!lost || isTakenApart(property, origin, checker)) continue
    const message = `${lost.symbol.name} loses its constraints in what a mapped type makes of it`
    problems.at(node, 'RPC127', message, { path: memberPath(path, property.name), hint: hintFor(lost.symbol) })
  }
}

/** What maps over the members of an Int, which is an object to a conditional type, is refused as it is. */
function isTakenApart(property: ts.Symbol, origin: ts.Symbol, checker: ts.TypeChecker): boolean {
  const [now, before] = [property, origin].map((each) => checker.getNonNullableType(checker.getTypeOfSymbol(each)))
  const isMapped = Boolean((now as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)
  return isMapped && Boolean(before?.isIntersection() && before.types.some(({ flags }) => flags & primitive))
}

const primitive = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike
