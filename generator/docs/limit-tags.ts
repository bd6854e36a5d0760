import type { DocComment, DocProblem, DocTag } from './comment.js'
import { textBelow } from './rpc-tag.js'

/** The limits that the doc tags of a procedure or of a module specify. */
export interface ProcedureLimits {
  /** Milliseconds that a call may take: `@timeout 30s`. */
  readonly timeoutMs?: number
  /** Bytes of a request body: `@maxBody 8MiB`. */
  readonly bodyBytes?: number
}

interface LimitTag {
  readonly tag: string
  readonly limit: keyof ProcedureLimits
  /** The value of each unit, in the smallest one, which is the first. */
  readonly units: Readonly<Record<string, number>>
  /** In the smallest unit. */
  readonly max: number
  readonly example: string
}

const kinds: readonly LimitTag[] = [
  {
    tag: 'timeout',
    limit: 'timeoutMs',
    units: { ms: 1, s: 1000, min: 60_000, h: 3_600_000 },
    // The longest delay of a timer.
    max: 2 ** 31 - 1,
    example: '30s',
  },
  {
    tag: 'maxBody',
    limit: 'bodyBytes',
    units: { B: 1, kB: 1000, MB: 1e6, KiB: 1024, MiB: 2 ** 20 },
    max: Number.MAX_SAFE_INTEGER,
    example: '8MiB',
  },
]

/** Reads `@timeout 30s` and `@maxBody 8MiB` into milliseconds and bytes, rounded to whole ones. */
export function limitTags(doc: DocComment): { readonly limits: ProcedureLimits; readonly problems: DocProblem[] } {
  const limits: Partial<Record<keyof ProcedureLimits, number>> = {}
  const problems: DocProblem[] = []
  for (const kind of kinds) {
    const [tag, second] = doc.tags.filter(({ name }) => name === kind.tag)
    if (!tag) continue
    const value = readValue(tag, kind)
    if (typeof value === 'number') limits[kind.limit] = value
    else problems.push({ ...value, line: tag.line })
    problems.push(...textBelow(tag))
    if (second) problems.push({ message: `@${kind.tag} is written twice`, hint: 'keep one of them', line: second.line })
  }
  return { limits, problems }
}

function readValue({ firstLine }: DocTag, { tag, units, max, example }: LimitTag): number | Omit<DocProblem, 'line'> {
  const names = Object.keys(units)
  const hint = `write a number and a unit (${names.join(', ')}): @${tag} ${example}`
  if (firstLine === '') return { message: `@${tag} has no value`, hint }
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(firstLine) ?? []
  if (number === undefined) {
    return { message: `@${tag}: expected a number and a unit, got ${JSON.stringify(firstLine)}`, hint }
  }
  if (unit === '') return { message: `@${tag} ${number} has no unit`, hint }
  if (!Object.hasOwn(units, unit)) return { message: `@${tag}: unknown unit ${JSON.stringify(unit)}`, hint }
  const value = Math.round(Number(number) * (units[unit] ?? 0))
  if (value >= 1 && value <= max) return value
  return {
    message: `@${tag} ${firstLine} is out of range`,
    hint: `write a value between 1${names[0]} and ${max}${names[0]}`,
  }
}
