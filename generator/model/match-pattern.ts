// Matches patterns that a stranger may have written, without running them: RegExp can take exponential time for a text of thirty
// characters. Here a part of a pattern maps a set of positions to a set of positions, so that no position is tried twice:
//
//     (a+)+$ and the text aab:  {0,1,2,3} → a+ → {1,2} → (a+)+ → {1,2} → $ → {}
import { type Node, parsePattern } from './slow-pattern.js'

/** Longer patterns, and texts that take more steps, match nothing. */
const MAX_LENGTH = 2000
const MAX_STEPS = 5000

/** Matches a part of a pattern at positions, and returns the positions after it. */
type Matcher = (from: ReadonlySet<number>, text: Text) => ReadonlySet<number>

/** A text as characters, and the steps that may still be taken. */
interface Text {
  readonly characters: readonly string[]
  steps: number
}

/** What a pattern contains that is not supported, or a text that takes too many steps. */
class Unsupported extends Error {}

const nowhere: Matcher = () => new Set()
const matchers = new Map<string, Matcher>()

/**
 * True if a pattern matches a part of a text. An invalid pattern matches nothing, nor does one with what is not supported:
 * `\b`, `\1`, `(?<=`.
 */
export function matches(pattern: string, value: string): boolean {
  if (matchers.size > 1000) matchers.clear()
  const matcher =
    matchers.get(pattern) ??
    (isValidPattern(pattern) ? guarded(() => matcherOf(parsePattern(pattern)), nowhere) : nowhere)
  matchers.set(pattern, matcher)
  const characters = [...value]
  if (characters.length > MAX_STEPS) return false
  const starts = new Set([...characters.keys(), characters.length])
  return guarded(() => matcher(starts, { characters, steps: MAX_STEPS }).size > 0, false)
}

/** True for a regular expression. Compiling it takes linear time. */
export function isValidPattern(pattern: string): boolean {
  return pattern.length <= MAX_LENGTH && guarded(() => new RegExp(pattern, 'u') !== undefined, false)
}

/** RangeError: thousands of groups in each other. */
function guarded<Result>(run: () => Result, failed: Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof Unsupported || error instanceof SyntaxError || error instanceof RangeError) return failed
    throw error
  }
}

function matcherOf(node: Node): Matcher {
  switch (node.kind) {
    case 'chars': {
      const test = new RegExp(`^${node.source}$`, 'u')
      return filtered((at, { characters }) => at < characters.length && test.test(characters[at] as string), 1)
    }
    case 'zero':
      return assertion(node)
    case 'sequence': {
      const parts = node.nodes.map(matcherOf)
      return (from, text) => parts.reduce((at, part) => part(at, text), from)
    }
    case 'choice': {
      const parts = node.nodes.map(matcherOf)
      return (from, text) => new Set(parts.flatMap((part) => [...part(from, text)]))
    }
    case 'repeat':
      return repeated(matcherOf(node.node), node.min, node.max)
  }
}

/** Keeps the positions that pass a test, moved by `width`. */
function filtered(test: (at: number, text: Text) => boolean, width = 0): Matcher {
  return (from, text) => {
    text.steps -= from.size + 1
    if (text.steps < 0) throw new Unsupported()
    return new Set([...from].filter((at) => test(at, text)).map((at) => at + width))
  }
}

function assertion({ source, around }: Extract<Node, { kind: 'zero' }>): Matcher {
  if (source === '^') return filtered((at) => at === 0)
  if (source === '$') return filtered((at, { characters }) => at === characters.length)
  if (!around || (source !== '(?=' && source !== '(?!')) throw new Unsupported()
  const inner = matcherOf(around)
  return filtered((at, text) => inner(new Set([at]), text).size > 0 === (source === '(?='))
}

function repeated(part: Matcher, min: number, max: number): Matcher {
  return (from, text) => {
    let at = from
    // The positions no longer change if each is reached after any number of further repetitions.
    for (let count = 0, before = ''; count < min && before !== [...at].join(); count += 1) {
      before = [...at].join()
      at = part(at, text)
    }
    const found = new Set(at)
    for (let count = min; count < max && at.size > 0; count += 1) {
      at = new Set([...part(at, text)].filter((each) => !found.has(each)))
      for (const each of at) found.add(each)
    }
    return found
  }
}
