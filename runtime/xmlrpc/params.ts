import * as elements from './elements.js'
import { inParams, type Source } from './source.js'
import { closeBehind, missing, nextChild, openChild } from './tags.js'
import { paramEnd, paramStart, passes } from './usual.js'
import { readValue } from './values.js'

/** Reads what stands behind a `<params>`, up to its end. */
export function readParams(source: Source, method: string): unknown[] {
  const { params, param, value } = elements
  const read: unknown[] = []
  if (source.empty) return read
  source.multicall = method === 'system.multicall'
  for (;;) {
    source.path[0] = read.length
    if (passes(source, paramStart)) {
      read.push(readValue(source, 0))
      if (!passes(source, paramEnd)) closeBehind(source, value, param, 0)
    } else {
      if (!nextChild(source, params, inParams)) return read
      openChild(source, param, params, inParams)
      read.push(readParam(source))
    }
  }
}

function readParam(source: Source): unknown {
  const { param, value } = elements
  if (source.empty || !nextChild(source, param, 0)) throw missing(source, 0, param, value)
  openChild(source, value, param, 0)
  const read = readValue(source, 0)
  closeBehind(source, value, param, 0)
  return read
}
