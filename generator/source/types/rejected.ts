// Types that cannot be serialised, and how they are reported: with a limit for each procedure:
//
//   (done: () => void) => void  →  RPC121 at `done`: a function cannot be serialised
import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { type ModelType, placeholderType } from '../../model/model.js'
import { isFunction, objectLikeFlags } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isDeclaredByRpcGen, reportSyntax } from '../program/sources.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'
import { hintForTexts, mayFollowFromUnresolved } from './unresolved.js'

/** The message for `never`. */
export const noValues = 'never has no values'

const unsupported: readonly [flags: ts.TypeFlags, words: string, hint: string][] = [
  [ts.TypeFlags.Never, noValues, 'leave it out, or declare the type of its values'],
  [ts.TypeFlags.ESSymbolLike, 'a symbol cannot be serialised', 'leave it out, or use a string'],
  [ts.TypeFlags.TypeParameter, 'a type parameter is not a type on the wire', 'write the actual type'],
  [ts.TypeFlags.NonPrimitive, 'object does not declare its members', 'declare the members, or unknown'],
]

/** Rejects a function: a member, or a parameter. */
export function rejectFunction(place: Place, { reject }: Pick<Resolver, 'reject'>): ModelType {
  const isParameter = ts.isParameter(place.node) && place.path.endsWith(')')
  const hint = isParameter
    ? 'return what it would get; an async generator returns several values'
    : 'leave it out: Pick or Omit make such a type'
  return reject(place, 'RPC121', 'a function cannot be serialised', hint)
}

/** Rejects types that no protocol can represent. */
export const rejectUnsupported: ResolveKind = (type, place, resolver) => {
  const found = unsupported.find(([flags]) => type.flags & flags)
  if (!found) return isFunction(type) ? rejectFunction(place, resolver) : undefined
  // `keyof` of what is not resolved has symbols.
  if (ts.TypeFlags.ESSymbolLike & type.flags && mayFollowFromUnresolved(place, resolver)) return placeholderType
  const [, message, hint] = found
  return resolver.reject(place, 'RPC121', message, hint)
}

/** More than any hand-written list; a template literal type can multiply into such a number, also of keys. */
const MAX_MEMBERS = 2000

/** Rejects a union, an enum or a struct whose validator would be longer than the program. */
export function rejectTooMany(
  kind: 'union' | 'struct',
  count: number,
  place: Place,
  { reject }: Resolver,
): ModelType | undefined {
  if (count <= MAX_MEMBERS) return undefined
  const hint = kind === 'union' ? hintForTexts : 'declare Record<string, …>, and check the keys in the procedure'
  return reject(place, 'RPC124', `the ${kind} has ${count} members: the limit is ${MAX_MEMBERS}`, hint)
}

/** Rejects RpcContext, recognised by its name and its package, and types made from it, which have its members. */
export const rejectContext: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLikeFlags) || !hasMembersOfContext(type)) return undefined
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
export const rejectData: ResolveKind = (type, place, resolver) => {
  const { checker, project, reject } = resolver
  const { aliasSymbol: alias, aliasTypeArguments: [argument] = [] } = type
  if (alias?.name !== 'Data' || !argument || !isDeclaredByRpcGen(alias)) return undefined
  if (isFunction(argument)) return rejectFunction(place, resolver)
  const isOther = (part: ts.Type) => {
    const declaration = part.symbol?.declarations?.find(ts.isInterfaceDeclaration)
    const isOfLibrary = declaration && project.program.isSourceFileDefaultLibrary(declaration.getSourceFile())
    return isOfLibrary || checker.isTupleType(part) || !(part.flags & objectLikeFlags)
  }
  if (!(argument.isIntersection() ? argument.types : [argument]).some(isOther)) return undefined
  const name = checker.typeToString(argument)
  return reject(place, 'RPC121', `Data takes a class or an interface of yours, not ${name}`, `write ${name} itself`)
}

/** More problems than a reader can use at once; a type of the platform has thousands. */
const MAX_SHOWN = 6

/** Deeper than types written by hand; bounds types that contain an ever larger instance of themselves. */
const MAX_TYPE_DEPTH = 150

const hintForDepth =
  'declare inner levels as interfaces, and use the same type arguments in them: type Chain<T> = { next?: Chain<T> }'

const hintForMapped =
  'move the condition into the mapped type, so that the recursive type has a name: type Deep<T> = { [K in keyof T]?: T[K] extends Date ? T[K] : Deep<T[K]> }'

/** How many characters of an infinite type's path are shown. */
const MAX_PATH = 60

/** The problems of one procedure or codec, and the first one that was not shown. */
interface OwnerProblems {
  readonly seen: Set<string>
  first?: { readonly node: ts.Node; readonly code: DiagnosticCode }
}

/** Reports unsupported types, with a limit for each procedure. */
export class RejectionReport {
  readonly #project: OpenProject
  readonly #byOwner = new Map<string, OwnerProblems>()
  /** The procedures with a type that nests too deeply. */
  readonly #tooDeep = new Set<string | undefined>()

  constructor(project: OpenProject) {
    this.#project = project
  }

  reject({ node, owner, path }: Place, code: DiagnosticCode, message: string, hint?: string): void {
    // After a syntax error TypeScript guesses types.
    if (reportSyntax(node.getSourceFile(), this.#project)) return
    const { problems } = this.#project
    if (owner === undefined) {
      problems.at(node, code, message, { hint })
      return
    }
    const own = this.#byOwner.get(owner) ?? { seen: new Set() }
    this.#byOwner.set(owner, own)
    own.seen.add(`${code} ${path} ${message}`)
    if (own.seen.size <= MAX_SHOWN) problems.at(node, code, message, { path, hint })
    else own.first ??= { node, code }
  }

  /** Rejects a type that nests too deeply, and then every further type of the same procedure: their number may double at each level. */
  isTooDeep(type: ts.Type, place: Place): boolean {
    if (this.#tooDeep.has(place.owner)) return true
    if (place.depth <= MAX_TYPE_DEPTH) return false
    this.#tooDeep.add(place.owner)
    const message = `the type nests deeper than ${MAX_TYPE_DEPTH} levels: it may be infinite`
    const isMapped = !type.aliasSymbol && type.symbol?.declarations?.some(ts.isMappedTypeNode)
    const shortened = { ...place, path: `${place.path.slice(0, MAX_PATH)}…` }
    this.reject(shortened, 'RPC122', message, isMapped ? hintForMapped : hintForDepth)
    return true
  }

  /** Reports for each procedure how many problems were not shown. */
  reportOmitted(): void {
    for (const [owner, { seen, first }] of this.#byOwner) {
      const count = seen.size - MAX_SHOWN
      if (!first) continue
      const message = `there ${count === 1 ? 'is 1 more problem' : `are ${count} more problems`} in ${owner}`
      this.#project.problems.at(first.node, first.code, message)
    }
  }
}
