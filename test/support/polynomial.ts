import { type Graph, graphOf } from '../../generator/model/slow-pattern.js'

/**
 * Returns two positions of a regular expression between which a text can be divided in as many ways as it has characters, as in `\s+$`:
 * matching takes at least quadratic time. Undefined if there are none: the time is linear, as for `^\s+` and `(?<!\s)\s+$`.
 *
 * A text leads from one position to itself, from there to the other, and from that to itself (Weber and Seidl 1991).
 */
export function dividedAt(source: string, flags: string): readonly [string, string] | undefined {
  // A search begins at each character.
  const isSearch = !/^\^/.test(source) && !flags.includes('y')
  const graph = graphOf(isSearch ? `[^]*(?:${source})` : source, flags.replace(/[gyd]/g, ''))
  const positions = graph.sets.map((_, i) => i)
  const loops = positions.filter((at) => leadsTo(graph, at, at))
  for (const one of loops) {
    for (const other of loops) {
      const canFail = graph.checked[other]
      if (one !== other && canFail && leadsTo(graph, one, other) && isDivided(graph, one, other))
        return [graph.sets[one] as string, graph.sets[other] as string]
    }
  }
  return undefined
}

function leadsTo({ next }: Graph, from: number, to: number): boolean {
  const seen = new Set(next[from]?.keys())
  for (const each of seen) for (const further of next[each]?.keys() ?? []) seen.add(further)
  return seen.has(to)
}

type Overlap = ReturnType<typeof graphOf>['overlap']

/** True if one text leads from `one` to `one`, from `one` to `other`, and from `other` to `other`. */
function isDivided(graph: Graph & { overlap: Overlap }, one: number, other: number): boolean {
  const { next, overlap } = graph
  const key = (triple: readonly number[]) => triple.join()
  const start = [one, one, other] as const
  const seen = new Map<string, readonly [number, number, number]>([[key(start), start]])
  const goal = key([one, other, other])
  for (const [a, b, c] of seen.values()) {
    for (const toA of next[a]?.keys() ?? []) {
      if (toA !== one && !leadsTo(graph, toA, one)) continue
      for (const toB of next[b]?.keys() ?? []) {
        if (!overlap(toA, toB)) continue
        for (const toC of next[c]?.keys() ?? []) {
          if (!overlap(toA, toC) || !overlap(toB, toC)) continue
          const triple = [toA, toB, toC] as const
          if (key(triple) === goal) return true
          if (!seen.has(key(triple))) seen.set(key(triple), triple)
        }
      }
    }
  }
  return false
}
