import { ts } from 'ts-morph'
import { referenced } from './referenced.js'

/** What the text of a mapped type makes of a member: its own type, something that has it inside, or a type of its own. */
export type Outcome = 'own' | 'made' | 'other'

/** What a text is read with. */
interface Known {
  readonly checker: ts.TypeChecker
  /** The type of the member. */
  readonly own: ts.Type
  /** The type parameters that stand for the member, or for something of it. */
  readonly names: ReadonlyMap<string, Outcome>
  readonly isOwn: (node: ts.Node) => boolean
  /** Aliases that are being looked into. */
  readonly open: readonly ts.Node[]
}

/** By the text and the type of the member, of which there are few; those of all members would cost 3 % of a cold run. */
const known = new WeakMap<ts.MappedTypeNode, WeakMap<ts.Type, ReadonlySet<Outcome>>>()

export function outcomesOf(mapped: ts.MappedTypeNode, own: ts.Type, checker: ts.TypeChecker): ReadonlySet<Outcome> {
  const ofText = known.get(mapped) ?? new WeakMap<ts.Type, ReadonlySet<Outcome>>()
  known.set(mapped, ofText)
  const found = ofText.get(own) ?? findOutcomes(mapped, own, checker)
  ofText.set(own, found)
  return found
}

function findOutcomes(mapped: ts.MappedTypeNode, own: ts.Type, checker: ts.TypeChecker): ReadonlySet<Outcome> {
  if (!mapped.type) return new Set()
  const key = mapped.typeParameter.name.text
  const object = mappedObject(mapped, checker)?.getText()
  const isOwn = (node: ts.Node) =>
    ts.isIndexedAccessTypeNode(node) &&
    node.indexType.getText() === key &&
    (object === undefined || node.objectType.getText() === object)
  return new Set(outcomes(mapped.type, { checker, own, names: new Map(), isOwn, open: [] }))
}

/** The T of `[K in keyof T]`, and of `[K in P]` where P extends `keyof T`. */
export function mappedObject({ typeParameter }: ts.MappedTypeNode, checker: ts.TypeChecker): ts.TypeNode | undefined {
  const { constraint } = typeParameter
  if (!constraint) return undefined
  const parameter = referenced(constraint, checker)?.declarations?.find(ts.isTypeParameterDeclaration)
  const keys = parameter ? parameter.constraint : constraint
  return keys && isKeyOf(keys) ? keys.type : undefined
}

interface KeyOf extends ts.TypeOperatorNode {
  readonly operator: ts.SyntaxKind.KeyOfKeyword
}

function isKeyOf(node: ts.Node): node is KeyOf {
  return ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword
}

function outcomes(node: ts.TypeNode, known: Known): readonly Outcome[] {
  if (known.isOwn(node)) return ['own']
  if (ts.isParenthesizedTypeNode(node)) return outcomes(node.type, known)
  if (isKeyOf(node)) return ['other']
  if (ts.isTypeOperatorNode(node)) return outcomes(node.type, known)
  if (ts.isConditionalTypeNode(node)) return ofCondition(node, known)
  if (ts.isTypeReferenceNode(node)) return ofName(node, known)
  if (ts.isUnionTypeNode(node)) {
    const [only, ...others] = node.types.filter((each) => !isNothing(known.checker.getTypeFromTypeNode(each)))
    return only && others.length === 0 ? outcomes(only, known) : [inside(node, known)]
  }
  if (ts.isIntersectionTypeNode(node)) {
    const all = node.types.flatMap((each) => outcomes(each, known))
    return [all.find((each) => each === 'own') ?? all.find((each) => each === 'made') ?? 'other']
  }
  if (ts.isMappedTypeNode(node)) {
    // What maps over the member keeps the members of that one, which are asked by themselves.
    const object = mappedObject(node, known.checker)
    if (object && outcomes(object, known).includes('own')) return ['own']
  }
  return [inside(node, known)]
}

function ofName(node: ts.TypeReferenceNode, known: Known): readonly Outcome[] {
  const name = node.typeName.getText()
  const args = node.typeArguments ?? []
  const parameter = known.names.get(name)
  if (parameter) return [parameter]
  const [first] = args
  if (first && name === 'NoInfer') return outcomes(first, known)
  const alias = referenced(node, known.checker)?.declarations?.find(ts.isTypeAliasDeclaration)
  if (!alias || inside(node, known) === 'other') return [inside(node, known)]
  if (known.open.includes(alias)) return []
  const names = new Map<string, Outcome>()
  for (const [i, { name }] of (alias.typeParameters ?? []).entries()) {
    const arg = args[i]
    const found = arg ? outcomes(arg, known) : []
    names.set(name.text, found.includes('own') ? 'own' : found.includes('made') ? 'made' : 'other')
  }
  return outcomes(alias.type, { ...known, names, isOwn: () => false, open: [...known.open, alias] })
}

/** Where the text tells which of the two it is, that one; else both. */
function ofCondition(node: ts.ConditionalTypeNode, known: Known): readonly Outcome[] {
  const { checkType, extendsType, trueType, falseType } = node
  const about = outcomes(checkType, known)
  const inferred = inferredIn(extendsType)
  const isOwn = about.length === 1 && about[0] === 'own'
  if (isOwn && inferred.length === 0 && !hasParameter(extendsType, known.checker)) {
    const wanted = known.checker.getTypeFromTypeNode(extendsType)
    const parts = known.own.isUnion() ? known.own.types : [known.own]
    const met = parts.map((each) => known.checker.isTypeAssignableTo(each, wanted))
    return [
      ...(met.includes(true) ? outcomes(trueType, known) : []),
      ...(met.includes(false) ? outcomes(falseType, known) : []),
    ]
  }
  const of = ts.isInferTypeNode(extendsType) && isOwn ? 'own' : inside(checkType, known) === 'other' ? 'other' : 'made'
  const names = new Map([...known.names, ...inferred.map((each): [string, Outcome] => [each, of])])
  return [...outcomes(trueType, { ...known, names }), ...outcomes(falseType, known)]
}

function inferredIn(node: ts.Node): string[] {
  if (ts.isInferTypeNode(node)) return [node.typeParameter.name.text]
  const found: string[] = []
  ts.forEachChild(node, (child) => void found.push(...inferredIn(child)))
  return found
}

/** Whether a type is written with a type parameter. */
export function hasParameter(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isTypeReferenceNode(node)) {
    const symbol = checker.getSymbolAtLocation(node.typeName)
    if (symbol && symbol.flags & ts.SymbolFlags.TypeParameter) return true
  }
  return ts.forEachChild(node, (child) => hasParameter(child, checker) || undefined) ?? false
}

/** Whether a text has the type of the member anywhere; what is asked about in a condition comes to nobody. */
function inside(node: ts.Node, known: Known): Outcome {
  const has = (each: ts.Node): boolean => {
    if (known.isOwn(each)) return true
    if (ts.isTypeReferenceNode(each) && (known.names.get(each.typeName.getText()) ?? 'other') !== 'other') return true
    if (isKeyOf(each)) return false
    if (ts.isConditionalTypeNode(each)) {
      return ofCondition(each, known).some((outcome) => outcome !== 'other')
    }
    return ts.forEachChild(each, (child) => has(child) || undefined) ?? false
  }
  return has(node) ? 'made' : 'other'
}

function isNothing({ flags }: ts.Type): boolean {
  return Boolean(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never))
}
