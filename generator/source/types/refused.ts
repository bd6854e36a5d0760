import { ts } from 'ts-morph'
import { typeNodeOf } from '../annotations.js'
import type { ResolveKind } from '../resolver.js'
import { isErrorType, referenced } from '../symbols.js'

/**
 * A type that is not resolved looks like `any` to the checker: a missing import, an uninstalled package. Taken for
 * `any`, it would give a validator that accepts everything.
 */
export const refuseUnresolved: ResolveKind = (type, place, resolver) => {
  if (!isErrorType(type)) return undefined
  const name = type.aliasSymbol?.name
  if (name === 'Buffer') {
    return resolver.refuse(
      place,
      'RPC108',
      'the type Buffer is not resolved: @types/node declares it',
      'install @types/node, and name "node" in the "types" of the tsconfig',
    )
  }
  const written = ts.isTypeNode(place.node) ? place.node : typeNodeOf(place.node)
  const alias = written && referenced(written, resolver.checker)
  if (!alias?.declarations?.some(ts.isTypeAliasDeclaration))
    return resolver.refuse(place, 'RPC120', ...unresolved(name))
  return resolver.refuse(
    place,
    'RPC120',
    `the type ${alias.name} leads to itself alone, or to no type`,
    'write what it is',
  )
}

/** What is said of a type that is not resolved, and what to do. */
export function unresolved(name: string | undefined): readonly [message: string, hint: string] {
  const message = name === undefined ? 'the type is not resolved' : `the type ${name} is not resolved`
  return [message, 'is its import right, and is its package (or @types package) installed?']
}

/** The same of a module that is imported when the program runs. */
export function unresolvedModule(name: string): readonly [message: string, hint: string] {
  return [`the module ${name} is not found, or has no types`, 'is its package (or @types package) installed?']
}

const untravelling: readonly [flags: ts.TypeFlags, words: string, hint: string][] = [
  [ts.TypeFlags.Never, 'never has no values', 'leave it out, or give it the type that its values have'],
  [ts.TypeFlags.ESSymbolLike, 'a symbol cannot travel', 'leave it out, or take a string'],
  [ts.TypeFlags.TypeParameter, 'a type parameter says nothing about the wire', 'write the type that it stands for'],
  [ts.TypeFlags.NonPrimitive, 'object does not say which members it has', 'declare the members, or unknown'],
]

/** What is said of a function, and what to do. */
export const aFunction = ['a function cannot travel', 'leave it out: Pick or Omit make such a type'] as const

/** What no protocol can carry. */
export const refuseUntravelling: ResolveKind = (type, place, resolver) => {
  const found = untravelling.find(([flags]) => type.flags & flags)
  if (found) return resolver.refuse(place, 'RPC121', found[1], found[2])
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
    return resolver.refuse(place, 'RPC121', ...aFunction)
  }
  return undefined
}
