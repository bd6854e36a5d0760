import type { DiagnosticCode } from '../diagnostic.js'
import type { Place, Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import { isBroken } from './project/sources.js'

/** More problems than a reader works off at once; a type of the platform has thousands. */
const mostShown = 6

/** Reports what types cannot be used, and of each declaration no more than a few. */
export interface Refusals {
  refuse(place: Place, code: DiagnosticCode, message: string, hint?: string): void
  /** Says of each declaration how many problems were not shown. */
  finish(): void
}

/** What was kept back of one declaration: how much, and where it begins. */
interface Rest {
  readonly seen: Set<string>
  first?: { readonly place: Place; readonly code: DiagnosticCode }
}

export function createRefusals(project: OpenProject, problems: Problems): Refusals {
  const rests = new Map<string, Rest>()
  return {
    refuse(place, code, message, hint) {
      // What TypeScript could not read it guesses at.
      if (isBroken(place.node.getSourceFile(), project)) return
      const declaration = declarationIn(place.path)
      const rest = rests.get(declaration) ?? { seen: new Set() }
      rests.set(declaration, rest)
      rest.seen.add(`${code} ${place.path} ${message}`)
      if (rest.seen.size <= mostShown) {
        problems.at(place.node, code, message, { path: place.path, ...(hint === undefined ? {} : { hint }) })
      } else rest.first ??= { place, code }
    },
    finish() {
      for (const [declaration, { seen, first }] of rests) {
        const count = seen.size - mostShown
        if (!first) continue
        const message = `there ${count === 1 ? 'is 1 more problem' : `are ${count} more problems`} in ${declaration}`
        problems.at(first.place.node, first.code, message)
      }
    },
  }
}

/** `createOrder` of `createOrder(draft).lines[]`. */
function declarationIn(path: string): string {
  const end = path.indexOf('(')
  return end === -1 ? path : path.slice(0, end)
}
