// Matches patterns of documents, which a stranger may have written, without running them: RegExp can take exponential time for a text
// of thirty characters. A pattern becomes a program, and every pair of an instruction and a position is visited once:
// `(a+)+$` and a text of n characters take about 6n steps.

/** More steps for one text, or a longer pattern, are not taken: nothing matches then. */
const most = { steps: 2000, instructions: 4000, length: 2000 }

/** True if a pattern matches a part of a text. An invalid pattern matches nothing, nor does one with what is not supported: `\b`, `\1`, `(?<=`. */
export function matches(pattern: string, text: string): boolean {
  const program = programOf(pattern)
  return program !== undefined && run(program, text)
}

/** Returns the parts of `^a$|^b$`. A bar inside of a group or a class does not divide. */
export function alternativesOf(pattern: string): string[] {
  if (!isValid(pattern)) return [pattern]
  const parts: string[] = []
  let [depth, start, isClass] = [0, 0, false]
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (isClass) isClass = character !== ']'
    else if (character === '[') isClass = true
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === '|' && depth === 0) {
      parts.push(pattern.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, pattern.slice(start)]
}

/** True for a regular expression. Compiling it takes linear time. */
function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** `test`: one character. `split`: both ways. `look`: whether a program that begins at `from` matches here. */
type Instruction =
  | { readonly op: 'test'; readonly test: RegExp }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'look'; readonly from: number; readonly isNegative: boolean; readonly next: number }
  | { readonly op: 'start' }
  | { readonly op: 'end' }
  | { readonly op: 'done' }

type Program = readonly Instruction[]

/** One character, class or escape, or a part that no character is: `^`, `(?!`, `(`, `|`, `)`, and quantifiers. */
const token =
  /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|.)|\[\^?(?:[^\]\\]|\\.)*\]|\(\?(?:[:=!]|<(?![=!])[^>]*>)|\{\d+(?:,\d*)?\}|./gisuy

const programs = new Map<string, Program | undefined>()

/** A comparison has many texts for one pattern. */
function programOf(pattern: string): Program | undefined {
  if (programs.has(pattern)) return programs.get(pattern)
  if (programs.size > 1000) programs.clear()
  const program = pattern.length <= most.length && isValid(pattern) ? compile(pattern.match(token) ?? []) : undefined
  programs.set(pattern, program)
  return program
}

/** Appends a part of a pattern to a program. */
type Part = (program: Instruction[]) => void

class Unsupported extends Error {}

function compile(tokens: readonly string[]): Program | undefined {
  try {
    const program: Instruction[] = []
    const reader = new Reader(tokens)
    reader.alternatives()(program)
    if (!reader.isAtEnd) return undefined
    program.push({ op: 'done' })
    return program
  } catch (error) {
    // A part that is not supported, such as `(?<=`, is not a character either.
    if (error instanceof Unsupported || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads a valid pattern. */
class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  alternatives(): Part {
    const first = this.#sequence()
    if (this.#tokens[this.#at] !== '|') return first
    this.#at += 1
    const second = this.alternatives()
    return (program) => {
      const split = reserve(program)
      first(program)
      const end = reserve(program)
      program[split] = { op: 'split', first: split + 1, second: program.length }
      second(program)
      program[end] = jump(program.length)
    }
  }

  #sequence(): Part {
    const parts: Part[] = []
    for (let next = this.#tokens[this.#at]; next !== undefined && next !== '|' && next !== ')'; ) {
      parts.push(this.#quantified(this.#atom()))
      next = this.#tokens[this.#at]
    }
    return (program) => {
      for (const part of parts) part(program)
    }
  }

  #atom(): Part {
    const next = this.#tokens[this.#at] ?? ''
    this.#at += 1
    if (next === '^') return append({ op: 'start' })
    if (next === '$') return append({ op: 'end' })
    if (next === '(' || next.startsWith('(?')) return this.#group(next)
    // Boundaries and references.
    if (/^\\[bBk1-9]/.test(next)) throw new Unsupported()
    return append({ op: 'test', test: new RegExp(`^${next}$`, 'u') })
  }

  #group(opening: string): Part {
    const inner = this.alternatives()
    if (this.#tokens[this.#at] !== ')') throw new Unsupported()
    this.#at += 1
    if (opening !== '(?=' && opening !== '(?!') return inner
    return (program) => {
      const look = reserve(program)
      inner(program)
      append({ op: 'done' })(program)
      program[look] = { op: 'look', from: look + 1, isNegative: opening === '(?!', next: program.length }
    }
  }

  #quantified(part: Part): Part {
    const next = this.#tokens[this.#at] ?? ''
    const range = /^\{(\d+)(,?)(\d*)\}$/.exec(next)
    const ranges: Readonly<Record<string, readonly [number, number]>> = {
      '*': [0, Infinity],
      '+': [1, Infinity],
      '?': [0, 1],
    }
    const [least, greatest] = range
      ? [Number(range[1]), range[2] === '' ? Number(range[1]) : range[3] === '' ? Infinity : Number(range[3])]
      : (ranges[next] ?? [1, 1])
    if (!range && !ranges[next]) return part
    this.#at += this.#tokens[this.#at + 1] === '?' ? 2 : 1
    return (program) => {
      for (let i = 0, before = -1; i < least && before < program.length; i += 1) {
        before = program.length
        part(program)
      }
      if (greatest === Infinity) {
        const split = reserve(program)
        part(program)
        append(jump(split))(program)
        program[split] = { op: 'split', first: split + 1, second: program.length }
      } else {
        const splits: number[] = []
        for (let i = least; i < greatest; i += 1) {
          splits.push(reserve(program))
          part(program)
        }
        for (const split of splits) program[split] = { op: 'split', first: split + 1, second: program.length }
      }
    }
  }
}

function append(instruction: Instruction): Part {
  return (program) => {
    if (program.length >= most.instructions) throw new Unsupported()
    program.push(instruction)
  }
}

/** Appends an instruction that is replaced later; returns its position. */
function reserve(program: Instruction[]): number {
  append({ op: 'done' })(program)
  return program.length - 1
}

function jump(to: number): Instruction {
  return { op: 'split', first: to, second: to }
}

function run(program: Program, text: string): boolean {
  const characters = [...text]
  const length = characters.length + 1
  let steps = 0
  const matchesFrom = (from: number, positions: readonly number[]): boolean => {
    const visited = new Set<number>()
    const open = positions.map((position) => from * length + position)
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (visited.has(state)) continue
      visited.add(state)
      steps += 1
      if (steps > most.steps) return false
      const [position, at] = [state % length, Math.floor(state / length)]
      const instruction = program[at] as Instruction
      const next = (to: number, by = 0) => open.push(to * length + position + by)
      if (instruction.op === 'done') return true
      if (instruction.op === 'split') {
        next(instruction.second)
        next(instruction.first)
      } else if (instruction.op === 'look') {
        if (matchesFrom(instruction.from, [position]) !== instruction.isNegative) next(instruction.next)
      } else if (instruction.op === 'start') {
        if (position === 0) next(at + 1)
      } else if (instruction.op === 'end') {
        if (position === characters.length) next(at + 1)
      } else if (position < characters.length && instruction.test.test(characters[position] as string)) next(at + 1, 1)
    }
    return false
  }
  const starts = characters.length < most.steps ? Array.from({ length }, (_, i) => length - 1 - i) : []
  return matchesFrom(0, starts) && steps <= most.steps
}
