import { isIdentifier } from '../../templates/layout.js'

/** `createOrder(draft).lines` or, where the name is no identifier, `createOrder(draft)["first line"]`. */
export function memberPath(path: string, name: string): string {
  return isIdentifier(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}
