import { describeType, describeValue } from './describe.js'
import type { Issue } from './issue.js'
import type { WireType } from './wire-type.js'

/** The issue of a value that is not of a type, or, where it is undefined, not there. */
export function unlike(type: WireType, value: unknown, path: string, why = ''): Issue[] {
  return [{ path, expected: describeType(type), received: describeValue(value) + why }]
}
