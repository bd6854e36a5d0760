/** `createOrder(draft).lines` or, where the name is no identifier, `createOrder(draft)["first line"]`. */
export function memberPath(path: string, name: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}
