import { ts } from 'ts-morph'
import { mappedObject } from './outcomes.js'
import { referenced } from './referenced.js'
import { writtenResult } from './written.js'

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

type Arguments = ReadonlyMap<string, ts.Type>

/** A member or a parameter, or how a result is written. */
export type Taken = ts.Symbol | ts.TypeNode

/** What a generic type takes out of its arguments, as `T extends { x: infer U } ? U : never`. */
export function taken(
  node: ts.NodeWithTypeArguments,
  { declarations = [] }: ts.Symbol,
  checker: ts.TypeChecker,
  given: Arguments = new Map(),
  open: readonly ts.Node[] = [],
): Taken[] {
  const generic = declarations.find((each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each))
  const { typeArguments: args } = node
  if (!generic || !args || open.includes(generic)) return []
  const types = argumentsOf(generic, args, given, checker)
  const found: Taken[] = []
  const visit = (part: ts.Node): void => {
    if (ts.isTypeParameterDeclaration(part)) return
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
      if (type) found.push(...membersAt(part, type, types, checker))
    }
    if (ts.isTypeReferenceNode(part) && part.typeArguments) {
      const symbol = referenced(part, checker)
      if (symbol) found.push(...taken(part, symbol, checker, types, [...open, generic]))
    }
    ts.forEachChild(part, visit)
  }
  ts.forEachChild(generic, visit)
  return found
}

/** What the type parameters of a generic type stand for; `given` are those of the type that it is written in. */
function argumentsOf(
  generic: ts.Node,
  args: readonly ts.TypeNode[],
  given: Arguments,
  checker: ts.TypeChecker,
): Arguments {
  return new Map(
    parametersOf(generic).flatMap(({ name }, i): [string, ts.Type][] => {
      const arg = args[i]
      if (!arg) return []
      return [[name.text, given.get(arg.getText()) ?? checker.getTypeFromTypeNode(arg)]]
    }),
  )
}

/** What stands where a pattern has `infer`. */
function inferred(pattern: ts.TypeNode, type: ts.Type, checker: ts.TypeChecker): Taken[] {
  if (type.isUnion()) return type.types.flatMap((each) => inferred(pattern, each, checker))
  const at = (node: ts.TypeNode | undefined, symbol: ts.Symbol | undefined): Taken[] => {
    if (!node || !symbol) return []
    return ts.isInferTypeNode(node) ? [symbol] : inferred(node, checker.getTypeOfSymbol(symbol), checker)
  }
  if (ts.isTypeLiteralNode(pattern)) {
    const members = pattern.members.filter(ts.isPropertySignature)
    return members.flatMap((each) => at(each.type, type.getProperty(each.name.getText().replace(/^['"]|['"]$/g, ''))))
  }
  if (!ts.isFunctionTypeNode(pattern)) return []
  const signatures = type.getCallSignatures()
  return signatures.flatMap((signature) => {
    const result = hasInfer(pattern.type) ? writtenResult(signature.getDeclaration()) : undefined
    // Parameters that are taken all together are a tuple, which keeps what they say.
    const params = pattern.parameters.flatMap((each, i) =>
      each.dotDotDotToken ? [] : at(each.type, signature.parameters[i]),
    )
    return result ? [...params, result] : params
  })
}

function hasInfer(node: ts.Node): boolean {
  return ts.isInferTypeNode(node) || (ts.forEachChild(node, (child) => hasInfer(child) || undefined) ?? false)
}

/** `T['x']`, `T[keyof T]` and `T[K]`. */
function membersAt(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  type: ts.Type,
  types: Arguments,
  checker: ts.TypeChecker,
): ts.Symbol[] {
  const name = indexType.getText()
  if (name === `keyof ${objectType.getText()}`) return [...type.getProperties()]
  const mapped = mappedBy(indexType, name)
  // A member of what maps over the type is a place of its own, until it is taken out.
  if (mapped && mappedObject(mapped, checker)?.getText() === objectType.getText() && !isTaken(mapped)) return []
  if (mapped) return [...type.getProperties()]
  const names = types.get(name) ?? checker.getTypeFromTypeNode(indexType)
  return (names.isUnion() ? names.types : [names]).flatMap((each) => {
    if (each.isStringLiteral()) return type.getProperty(each.value) ?? []
    // Of what a type parameter may be, it is any member.
    return each.flags & (ts.TypeFlags.Instantiable | ts.TypeFlags.Intersection) ? [...type.getProperties()] : []
  })
}

/** The mapped type that a key is of. */
function mappedBy(node: ts.Node, key: string): ts.MappedTypeNode | undefined {
  const mapped = ts.findAncestor(node, ts.isMappedTypeNode)
  return mapped && mapped.typeParameter.name.text !== key ? mappedBy(mapped.parent, key) : mapped
}

/** `{ [K in keyof T]: … }[keyof T]` */
function isTaken(mapped: ts.Node): boolean {
  const { parent } = mapped
  if (ts.isParenthesizedTypeNode(parent)) return isTaken(parent)
  return ts.isIndexedAccessTypeNode(parent) && parent.objectType === mapped
}
