// Types that cannot be serialised, or are not resolved:
//
//   (done: () => void) => void  →  RPC121 at `done`: a function cannot be serialised
import { ts } from 'ts-morph'
import { type ModelType, placeholderType } from '../../model/model.js'
import {
  isAnyOrAnyArray,
  isErrorType,
  isFunction,
  isUntypedValue,
  lacksType,
  objectLike,
  referenced,
  typeNodeOf,
} from '../program/checker.js'
import { missingImports, missingIn, missingModule, type Unresolved, whyUnresolved } from '../program/missing.js'
import type { Place } from '../program/problems.js'
import { isDeclaredByRpcGen } from '../program/sources.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'

/**
 * Rejects unresolved types: a missing import, an uninstalled package. The checker represents them as `any`, for which the
 * validator would accept everything.
 */
export const rejectUnresolved: ResolveKind = (type, place, resolver) => {
  if (!isErrorType(type)) return undefined
  const name = type.aliasSymbol?.name
  if (name === 'Buffer') {
    resolver.unresolved.add(name)
    return resolver.reject(
      place,
      'RPC108',
      'the type Buffer is not resolved: @types/node declares it',
      'install @types/node, and name "node" in the "types" of the tsconfig',
    )
  }
  const written = writtenAt(place)
  const alias = written && referenced(written, resolver.checker)
  const aliased = alias?.declarations?.find(ts.isTypeAliasDeclaration)
  // TypeScript gives up on more than 100,000 texts.
  if (ts.isTemplateLiteralTypeNode(aliased?.type ?? written ?? place.node))
    return resolver.reject(place, 'RPC124', 'the template literal type has too many texts', hintForTexts)
  const missing = written && missingIn(written, resolver.project)
  const isIt = missing && (name === undefined || name === missing.name.split('.').at(-1))
  if (isIt && missing.module) return rejectAs(whyUnresolved(missing), place, resolver)
  const reason = written && name === undefined && reasonIn(aliased?.type ?? written, resolver)
  if (reason) return resolver.reject(place, 'RPC120', `the type is not resolved: ${reason}`, 'correct the type')
  if (isIt) return rejectAs(whyUnresolved(missing), place, resolver)
  if (!aliased || !alias) {
    const imports = missingImports(place.node.getSourceFile(), resolver.project).filter((each) => {
      return name === undefined || (ts.isImportDeclaration(each.parent) && importsName(each.parent, name))
    })
    for (const each of imports) rejectAs(missingModule(each), place, resolver)
    return imports.length > 0
      ? placeholderType
      : rejectAs(whyUnresolved(name === undefined ? {} : { name }), place, resolver)
  }
  return resolver.reject(
    place,
    'RPC120',
    `the type ${alias.name} only refers to itself, or to no type`,
    'write its type',
  )
}

function writtenAt({ node }: Place): ts.TypeNode | undefined {
  return ts.isTypeNode(node) ? node : typeNodeOf(node)
}

function importsName({ importClause }: ts.ImportDeclaration, name: string): boolean {
  const names = importClause?.namedBindings
  return names !== undefined && ts.isNamedImports(names) && names.elements.some((each) => each.name.text === name)
}

/** Reports an import at itself and without a path: many types may come from it. */
export function rejectAs(
  { subject, message, hint, import: node }: Unresolved,
  place: Place,
  { reject, unresolved: reported }: Pick<Resolver, 'reject' | 'unresolved'>,
): ModelType {
  reported.add(subject)
  return reject(node ? { ...place, node, owner: undefined } : place, 'RPC120', message, hint)
}

/** Returns TypeScript's error in a type, such as a wrong number of type arguments. It checks the whole source, which is slow. */
function reasonIn(node: ts.Node, { project }: Resolver): string | undefined {
  const found = project.program.getSemanticDiagnostics(node.getSourceFile())
  const inside = found.find(({ start = -1 }) => start >= node.pos && start < node.end)
  return inside && ts.flattenDiagnosticMessageText(inside.messageText, ' ').replace(/\.$/, '')
}

/** The message for `never`. */
export const noValues = 'never has no values'

const unsupported: readonly [flags: ts.TypeFlags, words: string, hint: string][] = [
  [ts.TypeFlags.Never, noValues, 'leave it out, or declare the type of its values'],
  [ts.TypeFlags.ESSymbolLike, 'a symbol cannot be serialised', 'leave it out, or use a string'],
  [ts.TypeFlags.TypeParameter, 'a type parameter is not a type on the wire', 'write the actual type'],
  [ts.TypeFlags.NonPrimitive, 'object does not declare its members', 'declare the members, or unknown'],
]

/** The message and hint for a function. */
export const aFunction = ['a function cannot be serialised', 'leave it out: Pick or Omit make such a type'] as const

/** Rejects types that no protocol can represent. */
export const rejectUnsupported: ResolveKind = (type, place, resolver) => {
  const found = unsupported.find(([flags]) => type.flags & flags)
  if (!found) return isFunction(type) ? resolver.reject(place, 'RPC121', ...aFunction) : undefined
  // `keyof` of what is not resolved has symbols.
  const written = ts.TypeFlags.ESSymbolLike & type.flags ? writtenAt(place) : undefined
  const missing = written && missingIn(written, resolver.project)
  if (missing?.module) return rejectAs(whyUnresolved(missing), place, resolver)
  const [, message, hint] = found
  return resolver.reject(place, 'RPC121', message, hint)
}

/** More than any hand-written list; a template literal type can multiply into such a number. */
const MAX_BRANCHES = 2000

const hintForTexts = 'declare string, and check the value in the procedure'

/** Rejects a union, or an enum, whose validator would be longer than the program. */
export function rejectTooLong(count: number, place: Place, { reject }: Resolver): ModelType | undefined {
  if (count <= MAX_BRANCHES) return undefined
  return reject(place, 'RPC124', `the union has ${count} members: the limit is ${MAX_BRANCHES}`, hintForTexts)
}

/** The same for a struct, whose keys may come from such a literal. */
export function rejectTooWide(count: number, place: Place, { reject }: Resolver): ModelType | undefined {
  if (count <= MAX_BRANCHES) return undefined
  const hint = 'declare Record<string, …>, and check the keys in the procedure'
  return reject(place, 'RPC124', `the struct has ${count} members: the limit is ${MAX_BRANCHES}`, hint)
}

/** Rejects RpcContext, recognised by its name and its package, and types made from it, which have its members. */
export const rejectContext: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLike) || !hasMembersOfContext(type)) return undefined
  const message = 'RpcContext is only supported as a parameter'
  return resolver.reject(place, 'RPC121', message, 'declare it as one: (…, context: RpcContext)')
}

/** True if a type is the RpcContext of this package. */
export function isContextType(type: ts.Type): boolean {
  const symbol = type.getSymbol()
  return symbol?.name === 'RpcContext' && isDeclaredByRpcGen(symbol)
}

function hasMembersOfContext(type: ts.Type): boolean {
  if (isContextType(type)) return true
  const member = type.getProperty('honoContext')
  const [declaration] = member?.declarations ?? []
  const owner = declaration?.parent
  return member !== undefined && owner !== undefined && ts.isInterfaceDeclaration(owner) && isDeclaredByRpcGen(member)
}

/** Rejects `Data` of a list and of a type of the language, whose data is not in its members. */
export const rejectData: ResolveKind = (type, place, { checker, project, reject }) => {
  const { aliasSymbol: alias, aliasTypeArguments: [argument] = [] } = type
  if (alias?.name !== 'Data' || !argument || !isDeclaredByRpcGen(alias)) return undefined
  if (isFunction(argument)) return reject(place, 'RPC121', ...aFunction)
  const isOther = (part: ts.Type) => {
    const declaration = part.symbol?.declarations?.find(ts.isInterfaceDeclaration)
    const isOfLibrary = declaration && project.program.isSourceFileDefaultLibrary(declaration.getSourceFile())
    return isOfLibrary || checker.isTupleType(part) || !(part.flags & objectLike)
  }
  if (!(argument.isIntersection() ? argument.types : [argument]).some(isOther)) return undefined
  const name = checker.typeToString(argument)
  return reject(place, 'RPC121', `Data takes a class or an interface of yours, not ${name}`, `write ${name} itself`)
}

/** Rejects a declaration without a type: the checker infers `any`, so its values would not be checked. */
export function rejectUntyped(what: string, place: Place, { reject }: Pick<Resolver, 'reject'>): ModelType {
  return reject(place, 'RPC120', `${what} has no type`, 'declare one: unknown if any value is allowed')
}

/** True if a member or an index signature is declared without a type that cannot be inferred either. */
export function isUntyped(declaration: ts.Node | undefined, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!declaration || !isAnyOrAnyArray(type, checker)) return false
  if (ts.isIndexSignatureDeclaration(declaration)) return !declaration.type
  if (ts.isBinaryExpression(declaration)) return isUntypedValue(declaration.right) && !ts.getJSDocType(declaration)
  return (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) && lacksType(declaration)
}

/** Returns the assignment `this.steps = []`, which declares a member in JavaScript with the type of the value. */
export function assignedIn({ valueDeclaration: node }: ts.Symbol): ts.BinaryExpression | undefined {
  return node && ts.isBinaryExpression(node) ? node : undefined
}
