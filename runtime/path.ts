/** A position in a list, or the name of a member. */
export type PathPart = number | string

/** `draft.lines` or, where the name is no identifier, `draft["first line"]`. */
export function memberPath(path: string, name: string): string {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

/** `draft.lines[2].quantity` */
export function joinPath(root: string, parts: readonly PathPart[]): string {
  return parts.reduce<string>(
    (path, part) => (typeof part === 'number' ? `${path}[${part}]` : memberPath(path, part)),
    root,
  )
}
