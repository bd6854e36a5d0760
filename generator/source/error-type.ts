import { ts } from 'ts-morph'

/** Whether a type is what the checker has for one that is not resolved, or that is made of itself alone: it looks like `any`. */
export function isErrorType(type: ts.Type): boolean {
  const { intrinsicName } = type as ts.Type & { intrinsicName?: string }
  return Boolean(type.flags & ts.TypeFlags.Any) && intrinsicName === 'error'
}
