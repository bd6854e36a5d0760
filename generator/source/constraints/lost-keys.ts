import { ts } from 'ts-morph'
import { nameSymbol } from '../naming.js'
import type { Place } from '../problems.js'
import { type Asking, constrains } from './demands.js'
import { hintAt } from './joined.js'
import { mentionsIn } from './mentions.js'

/**
 * Reports the constraints of a brand that keys are of. It is found by the type, wherever the text says it: to a mapped type and
 * to a generic one it comes as an argument.
 */
export function reportKeys(type: ts.Type, { node, path }: Place, { checker, problems, demandOf }: Asking): void {
  for (const { keyType, declaration } of keysOf(type, checker)) {
    const symbol = nameSymbol(keyType)
    const declared = symbol?.declarations ?? []
    const aliases = declared.filter(ts.isTypeAliasDeclaration)
    const behind = aliases.flatMap((each) => mentionsIn(each.type, checker).names)
    const said = [...declared, ...behind.map((each) => each.node)]
    if (!symbol || !said.some((each) => constrains(demandOf(each)))) continue
    const at = declaration?.parameters[0]?.type ?? node
    problems.at(at, 'RPC127', `as a key ${symbol.name} loses its constraints`, {
      path,
      hint: hintAt('as a key', symbol),
    })
  }
}

type Key = Pick<ts.IndexInfo, 'keyType' | 'declaration'>

/** What the checker knows of a mapped type: the names that it is over, and the type that it takes them from. */
interface MappedType extends ts.Type {
  readonly constraintType?: ts.Type
  readonly modifiersType?: ts.Type
}

/** The types of the names that are not declared; what the checker makes index signatures of has no name any more. */
function keysOf(type: ts.Type, checker: ts.TypeChecker): readonly Key[] {
  const [key, value] = isMap(type) ? checker.getTypeArguments(type as ts.TypeReference) : []
  if (key && value) return [{ keyType: key }]
  const infos = checker.getIndexInfosOfType(type)
  if (infos.length === 0) return []
  const { constraintType, modifiersType } = type as MappedType
  const names = constraintType?.isUnion() ? constraintType.types : constraintType ? [constraintType] : []
  const from = type.isIntersection() ? type.types : type.isClassOrInterface() ? checker.getBaseTypes(type) : []
  const inside = [...from, ...(modifiersType ? [modifiersType] : [])].flatMap((each) => keysOf(each, checker))
  const keys = [...infos, ...names.map((keyType) => ({ keyType })), ...inside]
  return keys.filter(({ keyType }) => keyType.isIntersection())
}

function isMap({ symbol }: ts.Type): boolean {
  return symbol?.name === 'Map' || symbol?.name === 'ReadonlyMap'
}
