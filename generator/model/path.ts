import { isIdentifier } from '../text.js'

/** Appends a member to a path: `createOrder(draft).lines` or, if the name is not an identifier, `createOrder(draft)["first line"]`. */
export function memberPath(path: string, name: string): string {
  return isIdentifier(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}

const methodName =
  /^[\p{L}\p{N}\p{ID_Continue}$][\p{L}\p{N}\p{ID_Continue}$:/-]*(?:\.[\p{L}\p{N}\p{ID_Continue}$:/-]+)*$/u

/** True for a dotted name; dash, colon and slash occur in method names as well (XML-RPC, "Payload format"). */
export function isMethodName(name: string): boolean {
  return methodName.test(name)
}

/** What the name of a procedure may consist of, for hints. */
export const allowedNames = 'letters, digits, _, $, -, : and /, with dots between'
