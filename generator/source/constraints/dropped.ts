import { ts } from 'ts-morph'
import { labelAt } from '../symbols.js'
import { asType, type CommentReader, type Dropped, mayHaveTags, taggedDeclarations } from './comment-tags.js'
import { typeTagsOf } from './type-tags.js'

/** Returns why TypeScript drops the constraints of a written type; undefined if it does not. */
export function droppedBy(node: ts.Node, checker: ts.TypeChecker, reader: CommentReader): Dropped | undefined {
  if (ts.isIndexedAccessTypeNode(node)) return droppedByAccess(node, checker, reader)
  const rest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken) ? node.type : undefined
  const found = rest && typeTagsOf(checker.getTypeFromTypeNode(rest), checker).found
  return found?.length
    ? { message: 'the rest of a tuple does not have the constraints of the list', hint: 'constrain its elements' }
    : undefined
}

/** `Order['note']` is the type of the member alone: tags in the comment of the member are not part of it. */
function droppedByAccess(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  checker: ts.TypeChecker,
  reader: CommentReader,
): Dropped | undefined {
  const object = checker.getTypeFromTypeNode(objectType)
  const index = checker.getTypeFromTypeNode(indexType)
  for (const key of index.isUnion() ? index.types : [index]) {
    if (!key.isStringLiteral() && !key.isNumberLiteral()) continue
    const declarations = checker.isTupleType(object)
      ? [labelAt(object, Number(key.value))].flatMap((each) => each ?? [])
      : membersOf(object, String(key.value), checker, reader)
    if (!declarations.some((each) => reader.tagsOf(each)?.found.length)) continue
    return { message: `the type of ${key.value} does not have the constraint tags of its comment`, hint: asType }
  }
  return undefined
}

function membersOf(
  object: ts.Type,
  name: string,
  checker: ts.TypeChecker,
  reader: CommentReader,
): readonly ts.Declaration[] {
  const property = checker.getPropertyOfType(object, name)
  return property ? taggedDeclarations(property, checker, reader).declarations.filter(mayHaveTags) : []
}
