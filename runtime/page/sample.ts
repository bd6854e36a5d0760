// Values for forms and samples of code: of a type (`{ name: 'text', age: 1 }` with its constraints), and of a regular expression
// (`'AB12'` for `^[A-Z]{2}\d{2}$`).
import { type PlainType, resolveConstrained, resolveType } from '../description/described-types.js'
import type { DescribedParam, DescribedProcedure, DescribedType, TypesByName } from '../description/description.js'
import type { FormatName } from '../values/format.js'
import type { ScalarKind } from '../values/types.js'

/** Arguments for a call: those of the first example, else samples of required values. */
export function sampleCall(
  procedure: Pick<DescribedProcedure, 'params' | 'overloads' | 'examples'>,
  types: TypesByName,
): readonly unknown[] {
  const example = procedure.examples?.find(({ params }) => params)
  return example?.params ?? sampleParams(procedure.overloads?.at(-1)?.params ?? procedure.params, types)
}

function sampleParams(params: readonly DescribedParam[], types: TypesByName): unknown[] {
  const last = params.findLastIndex(({ optional }) => !optional)
  return params.slice(0, last + 1).map((each) => (each.optional ? null : sampleOf(each.type, types)))
}

/** The most values in a sample: types that contain others twice double its size. Further ones are null. */
const MAX_VALUES = 10_000

/** A plausible value of a type, in JSON form. */
export function sampleOf(type: DescribedType, types: TypesByName): unknown {
  return new Sampler(types).sample(type)
}

/** Makes one sample. */
class Sampler {
  readonly #types: TypesByName
  /** The named types around what is being made. */
  readonly #inside = new Set<string>()
  #left = MAX_VALUES

  constructor(types: TypesByName) {
    this.#types = types
  }

  sample(type: DescribedType): unknown {
    this.#left -= 1
    if (this.#left < 0 || this.#isInside(type)) return null
    const plain = resolveConstrained(type, this.#types)
    // A codec decides which texts are valid.
    if (this.#isCustom(type) && plain.kind === 'string' && !plain.constraints?.format) return ''
    if (type.kind !== 'ref') return this.#ofKind(plain)
    this.#inside.add(type.name)
    const sample = this.#ofKind(plain)
    this.#inside.delete(type.name)
    return sample
  }

  #isInside(type: DescribedType): boolean {
    return type.kind === 'ref' && this.#inside.has(type.name)
  }

  #isCustom(type: DescribedType): boolean {
    return type.kind === 'custom' || (type.kind === 'ref' && this.#types.get(type.name)?.type.kind === 'custom')
  }

  #ofKind(type: PlainType): unknown {
    switch (type.kind) {
      case 'int':
      case 'double':
      case 'number':
        return sampleNumber(type)
      // An int if possible: not every language sends larger integers in XML-RPC.
      case 'bigint':
        return type.value ?? String(BigInt(Math.ceil(sampleNumber(type))))
      case 'string':
        return sampleString(type)
      case 'template':
        return sampleTemplate(type.text, type.pattern)
      case 'literal':
        return type.value
      case 'array':
      case 'set':
        return this.#list(type)
      case 'tuple': {
        const { elements, rest, required, constraints } = type
        const length = Math.min(
          Math.max(required, constraints?.minItems ?? 0),
          elements.length + (rest ? MAX_SAMPLES : 0),
        )
        return Array.from({ length }, (_, i) => this.sample((elements[i] ?? rest) as DescribedType))
      }
      case 'struct': {
        const members = type.members.filter((each) => !each.optional)
        return Object.fromEntries(members.map((each) => [each.name, this.sample(each.type)]))
      }
      case 'map':
        return this.#isEndless(type.value) || !isKey('key', type) ? {} : { key: this.sample(type.value) }
      case 'union':
        return this.#union(type)
      default:
        return Object.hasOwn(samplesByKind, type.kind) ? samplesByKind[type.kind as keyof typeof samplesByKind] : null
    }
  }

  #list(type: Extract<PlainType, { kind: 'array' | 'set' }>): unknown[] {
    if (this.#isEndless(type.element)) return []
    const {
      maxItems = 1,
      minItems: count = Math.min(1, maxItems),
      uniqueItems = type.kind === 'set',
    } = type.constraints ?? {}
    if (count > (uniqueItems ? 1 : MAX_SAMPLES)) return []
    return Array.from({ length: count }, () => this.sample(type.element))
  }

  /** The first branch that is neither null nor a type that the union is in. */
  #union(type: Extract<PlainType, { kind: 'union' }>): unknown {
    const ends = (each: DescribedType) =>
      !this.#isInside(each) && !/^(null|undefined|void)$/.test(resolveType(each, this.#types).kind)
    const branch = type.branches.find(ends)
    return branch ? this.sample(branch) : null
  }

  /** True if a value of a type has to contain another one of an enclosing type, in which case optional parts are left out. */
  #isEndless(type: DescribedType): boolean {
    return type.kind === 'union' ? type.branches.every((each) => this.#isEndless(each)) : this.#isInside(type)
  }
}

function isKey(name: string, { keys }: Extract<PlainType, { kind: 'map' }>): boolean {
  return !keys || (patternOf(keys.pattern)?.test(name) ?? false)
}

/** Kinds whose samples follow from their constraints. */
type Chosen = 'int' | 'double' | 'number' | 'string'

/** The sample of each kind that has no values to choose from; null for others. */
const samplesByKind: Readonly<
  Record<Exclude<ScalarKind, Chosen | 'null' | 'undefined' | 'void' | 'any'> | 'bytes', unknown>
> = {
  boolean: true,
  date: '2026-01-31T12:00:00Z',
  bytes: 'aGVsbG8=',
  url: 'https://example.com/',
}

/** A number near 1 that meets the constraints. */
function sampleNumber({ kind, constraints = {} }: PlainType): number {
  const { minimum: min, exclusiveMinimum: above, maximum: max, exclusiveMaximum: below, multipleOf } = constraints
  const low = min ?? above
  const high = max ?? below
  const start = kind === 'double' ? 1.5 : 1
  const near = [start, low, high, low !== undefined && high !== undefined ? (low + high) / 2 : undefined]
  const isWhole = kind === 'int' || kind === 'bigint'
  const step = multipleOf ?? (isWhole ? 1 : undefined)
  const found = near
    .filter((each) => each !== undefined)
    .flatMap((each) => (step === undefined ? [each, each + 0.5, each - 0.5] : multiplesNear(each, step)))
    .find((each) => isInside(each) && (!isWhole || Number.isInteger(each)))
  return found ?? start

  function isInside(value: number): boolean {
    const { NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number
    return value >= (min ?? least) && value > (above ?? least) && value <= (max ?? most) && value < (below ?? most)
  }
}

function multiplesNear(value: number, step: number): number[] {
  const floor = Math.floor(value / step)
  return [floor + 1, floor, floor - 1].map((times) => times * step).sort((a, b) => distance(a) - distance(b))

  function distance(multiple: number): number {
    return Math.abs(multiple - value)
  }
}

const samplesByFormat: Readonly<Record<FormatName, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'ada@example.com',
  uuid: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
  duration: 'P1DT12H',
  'uri-reference': '/orders?page=2',
  'uri-template': '/orders/{id}',
  iri: 'https://example.com/grüße',
  'iri-reference': '/grüße',
  'idn-email': 'jörg@example.com',
  'idn-hostname': 'bücher.example',
  'json-pointer': '/orders/0',
  'relative-json-pointer': '1/name',
  regex: '^[a-z]+$',
  url: 'https://example.com/',
  byte: 'aGVsbG8=',
  password: 'secret',
}

/** Empty where no text is known that the server accepts. */
function sampleString({ constraints = {} }: PlainType): string {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '' } = constraints
  const text = format ? samplesByFormat[format] : 'text'.padEnd(Math.min(minLength, 200), ' text').slice(0, maxLength)
  const isValid = (each: string) =>
    each.length >= minLength && each.length <= maxLength && patternOf(pattern)?.test(each) === true
  return [text, ...(format ? [] : [textMatching(pattern, minLength) ?? ''])].find(isValid) ?? ''
}

function sampleTemplate(text: string, pattern: string): string {
  const filled = text
    .replace(/^`|` & `|`$/g, '')
    .replace(/\$\{([^}]*)\}/g, (_, type: string) =>
      /string/.test(type) ? 'text' : (/^'([^']*)'/.exec(type)?.[1] ?? '1'),
    )
  return patternOf(pattern)?.test(filled) ? filled : (textMatching(pattern) ?? '')
}

/** The maximum number of elements in a sample list, besides those of a tuple; a list that needs more is empty. */
const MAX_SAMPLES = 10

/** Returns the `params` of a message with these arguments: the list, or the object that is the only one. */
export function paramsOf(
  { paramsObject }: Pick<DescribedProcedure, 'paramsObject'>,
  args: readonly unknown[],
): unknown {
  return paramsObject ? (args[0] ?? args) : args
}

/** Values by position: omitted ones at the end are left out, and before others they are null. */
export function positional(values: readonly unknown[]): unknown[] {
  const given = values.findLastIndex((value) => value !== undefined) + 1
  return values.slice(0, given).map((each) => each ?? null)
}

/** The text is at most this long, whatever a pattern repeats. */
const MAX_LENGTH = 200

/**
 * Returns a short text of at least `minLength` characters that matches a pattern: `^[A-Z]{2}-\d+$` → `AA-0`. Undefined if the pattern has
 * parts that are not built here, such as lookaheads and references: the text is tested against the pattern itself.
 */
function textMatching(pattern: string, minLength = 0): string | undefined {
  const expression = patternOf(pattern)
  const texts = [0, minLength].map((times) => new Builder(pattern, Math.min(times, MAX_LENGTH)).alternatives())
  return texts.find((text) => text.length >= minLength && expression?.test(text))
}

/** Reads a pattern from left to right, and builds a text that matches the first alternatives. */
class Builder {
  #at = 0
  readonly #pattern: string
  /** How often a part is repeated, if its quantifier allows that. */
  readonly #times: number

  constructor(pattern: string, times: number) {
    this.#pattern = pattern
    this.#times = times
  }

  /** The first alternative; the others are read and dropped. */
  alternatives(): string {
    const [first = ''] = this.#split()
    return first
  }

  #split(): string[] {
    const texts = ['']
    while (this.#at < this.#pattern.length && this.#peek() !== ')') {
      if (this.#skip('|')) texts.push('')
      else texts[texts.length - 1] += this.#part()
    }
    return texts
  }

  #part(): string {
    const part = this.#atom()
    const [quantifier = '', least, comma, most = ''] = this.#match(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y) ?? []
    if (quantifier === '') return part
    const low = Number(least ?? (quantifier.startsWith('+') ? 1 : 0))
    const isOpen = comma === ',' || /^[*+]/.test(quantifier)
    const high = isOpen ? Number(most || MAX_LENGTH) : low
    return part.repeat(Math.min(Math.max(low, this.#times), high, MAX_LENGTH)).slice(0, MAX_LENGTH)
  }

  #atom(): string {
    if (this.#match(/\(\?(?:<?[=!])/y)) return this.#closed('')
    if (this.#match(/\((?:\?(?::|<[^>]*>))?/y)) return this.#closed(undefined)
    const [set] = this.#match(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\./suy) ?? []
    if (set !== undefined) return characterIn(set)
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
    this.#at += character.length
    if (character === '^' || character === '$') return ''
    return character === '.' ? 'a' : character
  }

  /** The text of a group, or another one in its place. */
  #closed(other: string | undefined): string {
    const text = this.alternatives()
    this.#skip(')')
    return other ?? text
  }

  #peek(): string | undefined {
    return this.#pattern[this.#at]
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at += 1
    return true
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#pattern) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }
}

/** The characters that a set is tested with: letters and digits first. */
const candidates = ['a', 'A', '0', '1', ...' -_.@/:+#,;=&%!?*()<>[]{}|~^$\'"`\\', 'é', '中', '\n', '\t']

/** Returns a character that a set, a class or an escape matches. Empty if there is none among the usual ones, as for `\b`. */
function characterIn(set: string): string {
  const expression = patternOf(`^(?:${set})$`)
  const first = /^\[(?!\^)(\\?.)/su.exec(set)?.[1] ?? set
  const own = first.replace(/^\\(?=[^\w])/, '')
  return [...candidates, own].find((each) => expression?.test(each)) ?? ''
}

/** Returns a pattern as the server tests it, with the flag `u`; undefined if this platform cannot read it. */
export function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
