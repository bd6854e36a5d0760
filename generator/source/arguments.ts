import { ts } from 'ts-morph'

/** The defaults of the type parameters that no argument is written for. */
export function defaultsOf(
  { typeArguments }: ts.NodeWithTypeArguments,
  { declarations = [] }: ts.Symbol,
): ts.TypeNode[] {
  const parameters = declarations.map(parametersOf).find((each) => each.length > 0) ?? []
  return parameters.slice(typeArguments?.length ?? 0).flatMap((each) => each.default ?? [])
}

function parametersOf(node: ts.Node): readonly ts.TypeParameterDeclaration[] {
  const isGeneric = ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassLike(node)
  return (isGeneric && node.typeParameters) || []
}

/** The members and the parameters that a generic alias takes out of its arguments, as `T extends { x: infer U } ? U : never`. */
export function taken(
  node: ts.NodeWithTypeArguments,
  { declarations = [] }: ts.Symbol,
  checker: ts.TypeChecker,
): ts.Symbol[] {
  const alias = declarations.find(ts.isTypeAliasDeclaration)
  const { typeArguments: args } = node
  if (!alias || !args) return []
  const types = new Map(
    (alias.typeParameters ?? []).map((each, i) => [each.name.text, args[i] && checker.getTypeFromTypeNode(args[i])]),
  )
  const found: ts.Symbol[] = []
  const visit = (part: ts.Node): void => {
    const of = (each: ts.TypeNode) => (ts.isTypeReferenceNode(each) ? types.get(each.typeName.getText()) : undefined)
    if (ts.isConditionalTypeNode(part)) {
      const type = of(part.checkType)
      if (type) found.push(...inferred(part.extendsType, type, checker))
      // What is asked about comes to nobody.
      visit(part.trueType)
      visit(part.falseType)
      return
    }
    if (ts.isIndexedAccessTypeNode(part)) {
      const type = of(part.objectType)
      if (type) found.push(...membersAt(part.indexType, type, checker))
    }
    ts.forEachChild(part, visit)
  }
  visit(alias.type)
  return found
}

/** What stands where a pattern has `infer`. */
function inferred(pattern: ts.TypeNode, type: ts.Type, checker: ts.TypeChecker): ts.Symbol[] {
  if (type.isUnion()) return type.types.flatMap((each) => inferred(pattern, each, checker))
  const at = (node: ts.TypeNode | undefined, symbol: ts.Symbol | undefined): ts.Symbol[] => {
    if (!node || !symbol) return []
    return ts.isInferTypeNode(node) ? [symbol] : inferred(node, checker.getTypeOfSymbol(symbol), checker)
  }
  if (ts.isTypeLiteralNode(pattern)) {
    const members = pattern.members.filter(ts.isPropertySignature)
    return members.flatMap((each) => at(each.type, type.getProperty(each.name.getText().replace(/^['"]|['"]$/g, ''))))
  }
  if (!ts.isFunctionTypeNode(pattern)) return []
  const signatures = type.getCallSignatures()
  return signatures.flatMap((signature) =>
    // Parameters that are taken all together are a tuple, which keeps what they say.
    pattern.parameters.flatMap((each, i) => (each.dotDotDotToken ? [] : at(each.type, signature.parameters[i]))),
  )
}

/** `T['x']`; where the names are not literals, nothing is known of them. */
function membersAt(index: ts.TypeNode, type: ts.Type, checker: ts.TypeChecker): ts.Symbol[] {
  const names = checker.getTypeFromTypeNode(index)
  return (names.isUnion() ? names.types : [names]).flatMap((each) =>
    each.isStringLiteral() ? (type.getProperty(each.value) ?? []) : [],
  )
}
