/**
 * Returns the name that a misspelt one means: `retruns` means `returns`. It differs in its case or in one letter that is missing, added,
 * different, or swapped with the next one; names of up to four letters only in their case or in a swap, because others are words.
 */
export function nearName(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return undefined
  const lower = name.toLowerCase()
  return names.find((each) => each.toLowerCase() === lower) ?? names.find((each) => isNear(lower, each.toLowerCase()))
}

/** True if one letter is missing, added or different, or swapped with the next one. Both are in lower case. */
export function isNear(one: string, other: string): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [left, right] = [one.slice(same), other.slice(same)]
  if (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)) return true
  if (other.length <= 4) return false
  return left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1)
}
