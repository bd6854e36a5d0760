import { isIdentifier } from '../../templates/layout.js'

/** Appends a member to a path: `createOrder(draft).lines` or, if the name is not an identifier, `createOrder(draft)["first line"]`. */
export function memberPath(path: string, name: string): string {
  return isIdentifier(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}
