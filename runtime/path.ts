/** `draft.lines` or, where the name is no identifier, `draft["first line"]`. */
export function memberPath(path: string, name: string): string {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
