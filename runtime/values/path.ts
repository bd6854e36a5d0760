import { cut, MAX_NAME } from './bounds.js'

/** A position in a list, or the name of a member. */
export type PathPart = number | string

/** `draft.lines` or, where the name is no identifier, `draft["first line"]`; a long name is cut. */
export function memberPath(path: string, name: string): string {
  const short = cut(name, MAX_NAME)
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(short)) return `${path}[${JSON.stringify(short)}]`
  return path === '' ? short : `${path}.${short}`
}

/** `draft.lines[2].quantity` */
export function joinPath(root: string, parts: readonly PathPart[]): string {
  return parts.reduce<string>(
    (path, part) => (typeof part === 'number' ? `${path}[${part}]` : memberPath(path, part)),
    root,
  )
}
