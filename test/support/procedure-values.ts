import type { Procedure } from '../../runtime/call/types.js'
import { attempt, INVALID } from '../../runtime/values/definition.js'
import { localWire, type Wire } from '../../runtime/values/wire.js'

export { INVALID }

/** The arguments as the function gets them, or INVALID. */
export function read(
  procedure: Procedure,
  args: readonly unknown[],
  wire: Wire = localWire,
): readonly unknown[] | typeof INVALID {
  return attempt((each) => procedure.read(each, wire), args, wire)
}

export function accepts(procedure: Procedure, args: readonly unknown[], wire: Wire = localWire): boolean {
  return read(procedure, args, wire) !== INVALID
}

/** The result as a value of the wire, or INVALID. */
export function written(procedure: Procedure, result: unknown, wire: Wire = localWire): unknown {
  return attempt((each) => procedure.write(each, wire), result, wire)
}
