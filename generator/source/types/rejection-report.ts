import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isBroken } from '../program/sources.js'

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
    if (isBroken(node.getSourceFile(), this.#project)) return
    const { problems } = this.#project
    const hinted = hint === undefined ? {} : { hint }
    if (owner === undefined) {
      problems.at(node, code, message, hinted)
      return
    }
    const own = this.#byOwner.get(owner) ?? { seen: new Set() }
    this.#byOwner.set(owner, own)
    own.seen.add(`${code} ${path} ${message}`)
    if (own.seen.size <= MAX_SHOWN) problems.at(node, code, message, { path, ...hinted })
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
  finish(): void {
    for (const [owner, { seen, first }] of this.#byOwner) {
      const count = seen.size - MAX_SHOWN
      if (!first) continue
      const message = `there ${count === 1 ? 'is 1 more problem' : `are ${count} more problems`} in ${owner}`
      this.#project.problems.at(first.node, first.code, message)
    }
  }
}
