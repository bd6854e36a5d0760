import type { Call } from '../call/call.js'
import { refusedWhenRead, UnreadableParam } from '../call/unreadable.js'
import type { PathSegment } from '../values/describe.js'

/**
 * Refuses a call with a number such as `1e999` in its params, whatever the procedure declares: JSON.parse makes it
 * Infinity, and numbers are finite.
 */
export function refuseInfinite(call: Call): Call {
  const path = findInfinite(call.params)
  return path ? refusedWhenRead(call, new UnreadableParam(path, 'finite number', () => 'a number too large')) : call
}

/** The path of the first number that is not finite. */
function findInfinite(value: unknown): PathSegment[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value) ? infiniteItem(value) : infiniteMember(value as Record<string, unknown>)
}

function infiniteItem(items: readonly unknown[]): PathSegment[] | undefined {
  for (let i = 0; i < items.length; i += 1) {
    const found = findInfinite(items[i])
    if (found) return [i, ...found]
  }
  return undefined
}

function infiniteMember(members: Readonly<Record<string, unknown>>): PathSegment[] | undefined {
  for (const name of Object.keys(members)) {
    const found = findInfinite(members[name])
    if (found) return [name, ...found]
  }
  return undefined
}
