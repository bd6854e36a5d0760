import { printable } from './printable.js'

/** Every problem that a source, a tsconfig or a path can have: its stable code and its title. */
export const diagnosticCodes = {
  RPC101: 'no function is marked @rpc',
  RPC102: 'the path contains no sources',
  RPC103: 'the tsconfig has a problem',
  RPC104: 'the source has a syntax error',
  RPC105: 'a source imports a value of the generated file',
  RPC106: 'the module resolution does not read the exports of a package',
  RPC107: 'a referenced project is not built',
  RPC108: 'the types of a package are missing',
  RPC109: 'the tsconfig contains no files',
  RPC110: 'a function marked @rpc is not exported',
  RPC111: 'a declaration marked @rpc is not a function',
  RPC112: 'two procedures have the same name',
  RPC113: 'the name is reserved or not allowed',
  RPC114: 'a default export needs a name',
  RPC115: 'a generic function cannot be a procedure',
  RPC116: 'an overloaded function with a context, or of subscriptions, cannot be a procedure',
  RPC117: 'a function with a this parameter cannot be a procedure',
  RPC118: 'a parameter of a procedure has no name',
  RPC119: 'a registered function is not exported',
  RPC120: 'the type is not resolved',
  RPC121: 'the type cannot be serialised',
  RPC122: 'the type is infinite, or too deep or too large to be examined',
  RPC123: 'members of the union cannot be distinguished on the wire',
  RPC124: 'the union or the struct has too many members',
  RPC125: 'a constraint has an invalid value',
  RPC126: 'a constraint does not apply',
  RPC127: 'a constraint would be dropped',
  RPC128: 'a pattern backtracks without a bound',
  RPC130: 'the doc comment has a problem',
  RPC131: 'a documented parameter does not exist',
  RPC133: 'a parameter is not documented',
  RPC134: 'an inferred result is no longer an Int',
  RPC135: 'a tag does not match the parameters',
  RPC140: 'the auth predicate does not exist, or has other parameters',
  RPC141: 'the procedure has no auth',
  RPC142: 'a tag has no effect',
  RPC143: 'the type of authResult does not match the auth',
  RPC150: 'the codec of a scalar has a problem',
} as const

/** The code of a diagnostic, such as `RPC121`. Codes are stable. */
export type DiagnosticCode = keyof typeof diagnosticCodes

/** A position in a file; line and column count from 1. */
export interface Position {
  /** With forward slashes, relative to the working directory. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A problem in a source, the tsconfig or a path. Diagnostics are collected, never thrown. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly message: string
  /** Absent if the problem has no single position. */
  readonly position?: Position
  /** Where in a type, for instance `createOrder(draft).lines[].onChange`. */
  readonly path?: string
  /** What to do about it. */
  readonly hint?: string
  /** The targets of the configuration that have the problem; absent unless several are compiled. */
  readonly targets?: readonly string[]
}

/**
 * Returns one diagnostic as text: `file:line:column code message`, then the path and the hint on separate lines. Control
 * characters in names are escaped.
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { code, message } = diagnostic
  return [`${locationOf(diagnostic)}${code} ${message}`, ...detailsOf(diagnostic)].map(printable).join('\n')
}

/** `file:line:column ` before the code. */
export function locationOf({ position }: Diagnostic): string {
  return position ? `${position.file}:${position.line}:${position.column} ` : ''
}

/** The lines below the message. */
export function detailsOf({ path, hint, targets }: Diagnostic): string[] {
  return [
    ...(path === undefined ? [] : [`  in ${path}`]),
    ...(targets === undefined ? [] : [`  target: ${targets.join(', ')}`]),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
  ]
}

/** Sorts by file, line and column, so that the order of analysis does not show. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => compare(sortKey(a), sortKey(b)))
}

function sortKey({ position, code, message }: Diagnostic): (string | number)[] {
  return [position?.file ?? '', position?.line ?? 0, position?.column ?? 0, code, message]
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let i = 0; i < a.length; i += 1) {
    const [one = '', other = ''] = [a[i], b[i]]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/** Wrong usage of the command, its options or its configuration. The command prints the message and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
