import type { ts } from 'ts-morph'
import { isList } from '../symbols.js'

/** Returns the type of the items of an AsyncIterable, such as an AsyncGenerator; undefined for other types. */
export function itemTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (isList(type, checker)) return undefined
  const iterable = checker
    .getPropertiesOfType(type)
    .find(({ escapedName }) => `${escapedName}`.startsWith('__@asyncIterator'))
  const iterator = iterable && returnedBy(checker.getTypeOfSymbol(iterable))
  const next = iterator && checker.getPropertyOfType(iterator, 'next')
  const promise = next && returnedBy(checker.getTypeOfSymbol(next))
  const result = promise && checker.getAwaitedType(promise)
  if (!result) return undefined
  const results = (result.isUnion() ? result.types : [result]).filter((each) => !isDone(each, checker))
  const [item, ...others] = new Set(results.flatMap((each) => memberType(each, 'value', checker) ?? []))
  return others.length === 0 ? item : undefined
}

function returnedBy(method: ts.Type): ts.Type | undefined {
  return method.getCallSignatures()[0]?.getReturnType()
}

/** True for IteratorReturnResult, whose value is not an item. */
function isDone(result: ts.Type, checker: ts.TypeChecker): boolean {
  const done = memberType(result, 'done', checker)
  return done !== undefined && checker.typeToString(done) === 'true'
}

function memberType(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const member = checker.getPropertyOfType(type, name)
  return member && checker.getTypeOfSymbol(member)
}
