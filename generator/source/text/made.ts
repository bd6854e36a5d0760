import type { ts } from 'ts-morph'

/** What the checker knows of a symbol that it made, and does not declare. */
export interface Made {
  readonly syntheticOrigin?: ts.Symbol
  readonly target?: ts.Symbol
  readonly containingType?: ts.UnionOrIntersectionType
  readonly mappedType?: ts.Type & { readonly declaration?: ts.MappedTypeNode }
  /** What a type was that a mapped type is read backwards from. */
  readonly propertyType?: ts.Type
}

export function madeOf(symbol: ts.Symbol): Made {
  return (symbol as ts.Symbol & { readonly links?: Made }).links ?? {}
}
