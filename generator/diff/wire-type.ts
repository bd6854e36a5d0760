import { bigintText, sentDate } from './limits.js'
import type { Side } from './side.js'
import type { Branch } from './type.js'

/**
 * Whether XML-RPC carries the values of one branch, which JSON knows to be of the other, as it carries those of the other.
 * A double takes what an int holds, so that numbers which callers send are left to JSON; so is the text of a bigint, which
 * is the form of JSON alone there. Who gets a value has been promised its type.
 */
export function isCarriedAs(one: Branch, other: Branch, side: Side): boolean {
  return wireType(one, side) === wireType(other, side)
}

const int32 = { least: -(2 ** 31), most: 2 ** 31 - 1 }

function wireType(branch: Branch, side: Side): string {
  switch (branch.kind) {
    case 'literal':
      return typeof branch.value === 'number'
        ? numberType((branch.value | 0) === branch.value, side)
        : typeof branch.value
    case 'number': {
      const isInt = branch.integer && branch.least >= int32.least && branch.most <= int32.most
      return numberType(isInt, side)
    }
    case 'string':
      return stringType(branch, side)
    default:
      return branch.kind
  }
}

function numberType(isInt: boolean, side: Side): string {
  return side === 'result' && isInt ? 'int' : 'double'
}

function stringType({ formats, patterns }: Extract<Branch, { kind: 'string' }>, side: Side): string {
  if (formats.includes(side === 'param' ? sentDate : 'date-time')) return 'dateTime.iso8601'
  if (formats.includes('base64')) return 'base64'
  return side === 'result' && patterns.includes(bigintText) ? 'i8' : 'string'
}
