// The problems of a run, and the places in types that they point at:
//
//   a node and 'createOrder(draft).lines[]'  →  { code: 'RPC121', message: …, position: { file: 'src/orders.ts', line: 7, column: 24 }, path: … }
import type { ts } from 'ts-morph'
import type { Diagnostic, DiagnosticCode, Position } from '../../diagnostics/diagnostic.js'
import { relativeTo, slashes } from '../../paths.js'

/** Where a type is used: the node to point at, and the path inside the type. */
export interface Place {
  readonly node: ts.Node
  /** The procedure or the codec whose types these are; undefined for a problem of the file. */
  readonly owner: string | undefined
  /** `createOrder(draft).lines[]` */
  readonly path: string
  /** The number of types around this one. */
  readonly depth: number
}

/** Returns a place in the types of a procedure or a codec: the path begins with its name. */
export function placeOf(node: ts.Node, owner: string, path = owner): Place {
  return { node, owner, path, depth: 0 }
}

/** Optional members of a problem. */
interface ProblemDetails {
  readonly path?: string | undefined
  readonly hint?: string | undefined
}

/** What is wrong, and what to do. */
export interface Mistake {
  readonly message: string
  readonly hint?: string | undefined
}

/** Collects diagnostics and finds their positions. */
export interface Problems {
  /** In order of discovery, without duplicates. */
  readonly list: readonly Diagnostic[]
  add(diagnostic: Omit<Diagnostic, keyof ProblemDetails> & ProblemDetails): void
  /** Adds the problems of a source that are not reported at their positions yet: several sources may lead to one. */
  addNew(own: Problems): void
  /** Reports a problem at a node. */
  at(node: ts.Node, code: DiagnosticCode, message: string, more?: ProblemDetails): void
  /** Reports the cause of the problems that are reported at a node, instead of them; nothing if there are none. */
  explain(node: ts.Node, code: DiagnosticCode, message: string, more?: ProblemDetails): void
  position(node: ts.Node): Position
  positionIn(source: ts.SourceFile, start: number): Position
  relative(path: string): string
}

export function collectProblems(cwd: string): Problems {
  const list = new Map<string, Diagnostic>()
  const placed = new Set<string>()
  const relative = (path: string) => relativeTo(cwd, slashes(path))
  const positionIn = (source: ts.SourceFile, start: number): Position => {
    const { line, character } = source.getLineAndCharacterOfPosition(start)
    return { file: relative(source.fileName), line: line + 1, column: character + 1 }
  }
  const position = (node: ts.Node) => positionIn(node.getSourceFile(), node.getStart())
  const add: Problems['add'] = ({ path, hint, ...others }) => {
    const diagnostic = { ...others, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) }
    list.set(JSON.stringify(diagnostic), diagnostic)
    if (diagnostic.position) placed.add(placeKey(diagnostic))
  }
  const at: Problems['at'] = (node, code, message, more = {}) =>
    add({ code, message, position: position(node), ...more })
  return {
    get list() {
      return [...list.values()]
    },
    add,
    addNew(own) {
      for (const each of own.list.filter((found) => !placed.has(placeKey(found)))) add(each)
    },
    at,
    explain(node, code, message, more) {
      const { file, line, column } = position(node)
      const isHere = (at?: Position) => at?.line === line && at.column === column && at.file === file
      const explained = [...list].filter(([, each]) => isHere(each.position))
      for (const [key] of explained) list.delete(key)
      if (explained.length > 0) at(node, code, message, more)
    },
    position,
    positionIn,
    relative,
  }
}

function placeKey({ code, message, position }: Diagnostic): string {
  return JSON.stringify([code, message, position])
}

/** Returns the position in a file that is not part of the program. */
export function positionAt(text: string, start: number, file: string): Position {
  const lines = text.slice(0, start).split('\n')
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
