// Finds regular expressions that backtrack without a bound: for `^(a+)+$` a text of 30 characters that does not match takes seconds.
//
// A repetition takes exponential time if one text leads in two ways from a character of the pattern back to that character: `(a+)+`,
// `(a|aa)*`, `(\w+\s?)*`. Each way is a path through the graph of the characters that may follow each other, so that two paths are one
// path through the graph of pairs (Weber and Seidl 1991, "On the degree of ambiguity of finite automata"). `(?:-[a-z]+)*` has one way.

import { type Overlap, overlapIn } from './character-sets.js'
import { components } from './components.js'

/** What takes too long: the part of the pattern, and how its time grows. */
export interface SlowPart {
  readonly text: string
  readonly time: 'exponential' | 'quadratic' | 'unknown'
}

/**
 * Returns a part of a regular expression, as it is valid with the flag `u`, that takes exponential time for some text, or quadratic time
 * because two repetitions of the same characters follow each other, as in `\d+\d*`. `unknown` is the time of a part that is too large
 * to examine. Undefined if there is no such part: the time may still be a power of the length, as for `^\S+@\S+\.\S+$`.
 */
export function slowPartOf(source: string): SlowPart | undefined {
  try {
    return find(parsePattern(source), false, { source, overlap: overlapIn(source) })
  } catch (error) {
    // Thousands of groups in each other.
    if (error instanceof RangeError) return { text: source, time: 'unknown' }
    throw error
  }
}

// The pattern as a tree

/** A part of a regular expression. */
type Node = Sequence | Choice | Repeat | Chars | Zero

interface Sequence {
  readonly kind: 'sequence'
  readonly nodes: readonly Node[]
  /** Where each of the nodes begins and ends. */
  readonly spans: readonly Span[]
}

type Span = readonly [start: number, end: number]

interface Choice {
  readonly kind: 'choice'
  readonly nodes: readonly Node[]
}

interface Repeat {
  readonly kind: 'repeat'
  readonly node: Node
  readonly min: number
  readonly max: number
  readonly start: number
  readonly end: number
}

/** One character of a set: its source, such as `[a-z]`. */
interface Chars {
  readonly kind: 'chars'
  readonly source: string
}

/** An assertion, or a reference to a group. `around` is the pattern of a lookaround, which does not separate its neighbours. */
interface Zero {
  readonly kind: 'zero'
  /** As in the pattern; of a lookaround its beginning, `(?=`. */
  readonly source: string
  readonly separates: boolean
  readonly around?: Node
}

const token =
  /(?<open>\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?)|(?<zero>[\^$]|\\[bB]|\\[1-9]\d*|\\k<[^>]*>)|(?<chars>\\(?:[pP]\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u\{[^}]*\}|u.{4}|x..|c.|.)|\[(?:\\.|[^\]\\])*\]|.)/suy
const quantifier = /(?:(?<sign>[*+?])|\{(?<min>\d+)(?<more>,(?<max>\d*))?\})\??/y

/** Returns how often a quantifier repeats; undefined if there is none. */
function timesOf({
  sign,
  min,
  more,
  max,
}: Record<string, string | undefined>): { min: number; max: number } | undefined {
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  const least = Number(min)
  if (min === undefined) return undefined
  return { min: least, max: more === undefined ? least : max === '' ? Infinity : Number(max) }
}

/** Parses a valid pattern. */
function parsePattern(source: string): Node {
  let at = 0
  return choice()

  function choice(): Node {
    const nodes = [sequence()]
    while (source[at] === '|') {
      at += 1
      nodes.push(sequence())
    }
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'choice', nodes }
  }

  function sequence(): Node {
    const nodes: Node[] = []
    const spans: Span[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const start = at
      const node = quantified(start, term())
      // `(a)(b)` is a sequence like `ab`.
      nodes.push(...(node.kind === 'sequence' ? node.nodes : [node]))
      if (node.kind === 'sequence') spans.push(...node.spans)
      else spans.push(node.kind === 'repeat' ? [node.start, node.end] : [start, at])
    }
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'sequence', nodes, spans }
  }

  function term(): Node {
    const { open, zero, chars = '' } = accept(token)
    if (zero !== undefined) return { kind: 'zero', source: zero, separates: !/^\\[Bk\d]/.test(zero) }
    if (open === undefined) return { kind: 'chars', source: chars }
    const node = choice()
    at += 1
    return /^\(\?<?[=!]$/.test(open) ? { kind: 'zero', source: open, separates: false, around: node } : node
  }

  function quantified(start: number, node: Node): Node {
    const times = timesOf(accept(quantifier))
    return times ? { kind: 'repeat', node, ...times, start, end: at } : node
  }

  function accept(pattern: RegExp): Record<string, string | undefined> {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    at += found?.[0].length ?? 0
    return found?.groups ?? {}
  }
}

// The search

interface PatternContext {
  readonly source: string
  readonly overlap: Overlap
}

/** More repetitions than these, of a character or of a group, take as long as any number of them. */
const MAX_COUNTED = 10
const MAX_GROUPS = 3

function isLoop({ node, min, max }: Repeat): boolean {
  // Counted repetitions in each other multiply.
  const most = node.kind === 'chars' ? MAX_COUNTED : hasRepeat(node) ? 1 : MAX_GROUPS
  return max > most && (min < max || !hasFixedLength(node))
}

function hasRepeat(node: Node): boolean {
  if (node.kind === 'repeat') return node.max > 1 || hasRepeat(node.node)
  return (node.kind === 'sequence' || node.kind === 'choice') && node.nodes.some(hasRepeat)
}

/** True for a reference to a group, outside of lookarounds: what it matches is known only while the pattern runs. */
function hasReference(node: Node): boolean {
  if (node.kind === 'sequence' || node.kind === 'choice') return node.nodes.some(hasReference)
  return node.kind === 'repeat' ? hasReference(node.node) : node.kind === 'zero' && /^\\[1-9k]/.test(node.source)
}

/** True if each text that a node matches has one length, by its form; a choice is not examined. */
function hasFixedLength(node: Node): boolean {
  if (node.kind === 'sequence') return node.nodes.every(hasFixedLength)
  return node.kind === 'repeat' ? node.min === node.max && hasFixedLength(node.node) : node.kind !== 'choice'
}

/** `isChecked`: what follows may not match, so that the other ways of a part are tried. */
function find(node: Node, isChecked: boolean, context: PatternContext): SlowPart | undefined {
  switch (node.kind) {
    case 'chars':
      return undefined
    case 'zero':
      // A lookbehind runs backwards: what is before a part may not match.
      return node.around && find(node.around, /^\(\?<[=!]$/.test(node.source), context)
    case 'repeat':
      return (isLoop(node) ? slowLoop(node, isChecked, context) : undefined) ?? find(node.node, isChecked, context)
    case 'choice':
      return firstResult(node.nodes, (each) => find(each, isChecked, context))
    case 'sequence':
      return (
        findAdjacent(node, isChecked, context) ??
        findCounted(node, isChecked, context) ??
        firstResult(node.nodes, (each, i) => find(each, isCheckedAfter(node, i, isChecked), context))
      )
  }
}

function firstResult(
  nodes: readonly Node[],
  search: (node: Node, i: number) => SlowPart | undefined,
): SlowPart | undefined {
  for (const [i, node] of nodes.entries()) {
    const found = search(node, i)
    if (found) return found
  }
  return undefined
}

/** True if something after a node of a sequence may not match. */
function isCheckedAfter({ nodes }: Sequence, at: number, isChecked: boolean): boolean {
  return isChecked || nodes.slice(at + 1).some((each) => !alwaysMatches(each))
}

/** True if a node matches nothing wherever it matches nothing else. */
function alwaysMatches(node: Node): boolean {
  switch (node.kind) {
    case 'chars':
    case 'zero':
      return false
    case 'repeat':
      return node.min === 0 || alwaysMatches(node.node)
    case 'choice':
      return node.nodes.some(alwaysMatches)
    case 'sequence':
      return node.nodes.every(alwaysMatches)
  }
}

/** Finds two repetitions that follow each other and share characters, `\d+\d*`: each place to divide a text is tried. */
function findAdjacent(
  sequence: Sequence,
  isChecked: boolean,
  { source, overlap }: PatternContext,
): SlowPart | undefined {
  for (const [i, one] of sequence.nodes.entries()) {
    const other = sequence.nodes[i + 1]
    if (!isUnlimited(one) || !isUnlimited(other) || !isCheckedAfter(sequence, i + 1, isChecked)) continue
    // Without the parentheses between them.
    const text = source.slice(one.start, one.end) + source.slice(other.start, other.end)
    if (overlap(one.node.source, other.node.source)) return { text, time: 'quadratic' }
  }
  return undefined
}

/** Ways to divide a text that take about a millisecond. */
const MAX_WAYS = 100_000

/**
 * Finds parts in a row with a limited number of lengths that share characters with their neighbours, `a?a?a?…` or `(?:a|aa)(?:a|aa)…`: the
 * ways to divide a text among them multiply.
 */
function findCounted(
  sequence: Sequence,
  isChecked: boolean,
  { source, overlap }: PatternContext,
): SlowPart | undefined {
  let [row, ways]: [Span[], number] = [[], 1]
  let last: Node | undefined
  for (const [i, node] of sequence.nodes.entries()) {
    const [least, most] = lengthsOf(node)
    const ends = new Set(last ? edgesOf(last, true) : [])
    const isNext = [...new Set(edgesOf(node, false))].some((first) => [...ends].some((end) => overlap(end, first)))
    if (!isNext || most === Infinity) [row, ways] = [[], 1]
    last = most === Infinity ? undefined : node
    if (!last) continue
    row.push(sequence.spans[i] as Span)
    ways *= most - least + 1
    if (row.length < 2 || ways < MAX_WAYS || !isCheckedAfter(sequence, i, isChecked)) continue
    return { text: row.map(([start, end]) => source.slice(start, end)).join(''), time: 'exponential' }
  }
  return undefined
}

/** The least and the greatest length of the texts that a node matches. */
function lengthsOf(node: Node): readonly [least: number, most: number] {
  if (node.kind === 'chars') return [1, 1]
  if (node.kind === 'zero') return [0, 0]
  if (node.kind === 'repeat') {
    const [least, most] = lengthsOf(node.node)
    return [least * node.min, most === 0 ? 0 : most * node.max]
  }
  const lengths = node.nodes.map(lengthsOf)
  const [least, most] = [lengths.map(([each]) => each), lengths.map(([, each]) => each)]
  if (node.kind === 'choice') return [Math.min(...least), Math.max(...most)]
  return [sumOf(least), sumOf(most)]
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** The characters with which a text of a node may begin, or end (`isLast`). */
function edgesOf(node: Node, isLast: boolean): readonly string[] {
  if (node.kind === 'chars') return [node.source]
  if (node.kind === 'zero') return []
  if (node.kind === 'repeat') return edgesOf(node.node, isLast)
  if (node.kind === 'choice') return node.nodes.flatMap((each) => edgesOf(each, isLast))
  const nodes = isLast ? node.nodes.toReversed() : node.nodes
  const required = nodes.findIndex((each) => lengthsOf(each)[0] > 0)
  return nodes.slice(0, required < 0 ? nodes.length : required + 1).flatMap((each) => edgesOf(each, isLast))
}

type CharsRepeat = Repeat & { readonly node: Chars }

function isCharsRepeat(node: Node | undefined): node is CharsRepeat {
  return node?.kind === 'repeat' && node.node.kind === 'chars'
}

function isUnlimited(node: Node | undefined): node is CharsRepeat {
  return isCharsRepeat(node) && node.max === Infinity
}

// Repetitions as graphs

/** The characters of a repetition. */
export interface Graph {
  /** The sets of characters, by position. */
  readonly sets: string[]
  /** True for a position after which the pattern may not match. */
  readonly checked: boolean[]
  /** The positions after a position, and in how many ways (at most 2) they follow. */
  readonly next: Map<number, number>[]
  /** True if a `\b` may match between two characters of one set, such as `.`: it does not separate them. */
  boundaries?: boolean
  /** The number of nodes that were added: those without characters, in repetitions of each other, multiply too. */
  nodes: number
}

/** Where a part begins and ends, and in how many ways: positions with 1 or 2. `empty` is for no characters. */
interface Ends {
  readonly first: ReadonlyMap<number, number>
  readonly last: ReadonlyMap<number, number>
  readonly empty: number
}

class TooLarge extends Error {}

const MAX_POSITIONS = 1000
const MAX_NODES = 100_000
const MAX_STEPS = 2_000_000

function slowLoop(loop: Repeat, isChecked: boolean, { source, overlap }: PatternContext): SlowPart | undefined {
  const text = source.slice(loop.start, loop.end)
  try {
    const graph: Graph = { sets: [], checked: [], next: [], nodes: 0 }
    graph.boundaries = charsOf(loop).some((each) => overlap(each, '\\w') && overlap(each, '\\W'))
    addNode(loop, isChecked, graph)
    if (isAmbiguous(graph, overlap)) return { text, time: 'exponential' }
    return isChecked && hasReference(loop.node) ? { text, time: 'unknown' } : undefined
  } catch (error) {
    if (error instanceof TooLarge) return { text, time: 'unknown' }
    throw error
  }
}

/** Returns the graph of a whole pattern, and whether two of its positions share a character: a test of this package searches it. */
export function graphOf(source: string, flags: string): Graph & { overlap(one: number, other: number): boolean } {
  const graph: Graph = { sets: [], checked: [], next: [], nodes: 0 }
  addNode(parsePattern(source), false, graph)
  const overlap = overlapIn(source, flags)
  return { ...graph, overlap: (one, other) => overlap(graph.sets[one] as string, graph.sets[other] as string) }
}

/** The sets of characters of a node, without those of lookarounds. */
function charsOf(node: Node): readonly string[] {
  if (node.kind === 'chars') return [node.source]
  if (node.kind === 'repeat') return charsOf(node.node)
  return node.kind === 'zero' ? [] : node.nodes.flatMap(charsOf)
}

const noPositions: ReadonlyMap<number, number> = new Map()
const emptyEnds: Ends = { first: noPositions, last: noPositions, empty: 1 }

function addNode(node: Node, isChecked: boolean, graph: Graph): Ends {
  graph.nodes += 1
  if (graph.nodes > MAX_NODES) throw new TooLarge()
  switch (node.kind) {
    case 'chars': {
      const at = graph.sets.push(node.source) - 1
      if (at >= MAX_POSITIONS) throw new TooLarge()
      graph.checked.push(isChecked)
      graph.next.push(new Map())
      return { first: new Map([[at, 1]]), last: new Map([[at, 1]]), empty: 0 }
    }
    case 'zero':
      return node.separates && !(graph.boundaries && node.source === '\\b') ? { ...emptyEnds, empty: 0 } : emptyEnds
    case 'choice':
      return node.nodes
        .map((each) => addNode(each, isChecked, graph))
        .reduce((one, other) => ({
          first: sum(one.first, other.first),
          last: sum(one.last, other.last),
          empty: Math.min(2, one.empty + other.empty),
        }))
    case 'sequence':
      return sequenceEnds(
        node.nodes.map((each, i) => () => addNode(each, isCheckedAfter(node, i, isChecked), graph)),
        graph,
      )
    case 'repeat':
      return addRepeat(node, isChecked, graph)
  }
}

function addRepeat(repeat: Repeat, isChecked: boolean, graph: Graph): Ends {
  const { node, min, max } = repeat
  const copy = (isLast: boolean) => () => addNode(node, isChecked || !(isLast || alwaysMatches(node)), graph)
  const required = Array.from({ length: Math.min(min, MAX_COUNTED) }, (_, i) => copy(i === min - 1))
  if (isLoop(repeat)) {
    const again = () => {
      const ends = copy(true)()
      link(ends.last, ends.first, graph)
      // `(a?){9}`: any of the required ones may be empty.
      if (min > 1 && ends.empty > 0) link(ends.last, ends.first, graph)
      // An optional repetition does not match nothing: JavaScript continues after it.
      return min === 0 ? { ...ends, empty: 1 } : ends
    }
    return sequenceEnds([...required.slice(1), again], graph)
  }
  // `a{1,3}` is `a(?:a(?:a)?)?`.
  const optional = Array.from({ length: Math.min(max - min, MAX_COUNTED) }).reduce<() => Ends>(
    (inner) => () => ({ ...sequenceEnds([copy(true), inner], graph), empty: 1 }),
    () => emptyEnds,
  )
  return sequenceEnds([...required, optional], graph)
}

/** Adds the parts of a sequence. */
function sequenceEnds(parts: readonly (() => Ends)[], graph: Graph): Ends {
  return parts.reduce<Ends>((before, part) => {
    const after = part()
    link(before.last, after.first, graph)
    return {
      first: sum(before.first, times(after.first, before.empty)),
      last: sum(times(before.last, after.empty), after.last),
      empty: Math.min(2, before.empty * after.empty),
    }
  }, emptyEnds)
}

function link(last: ReadonlyMap<number, number>, first: ReadonlyMap<number, number>, { next }: Graph): void {
  for (const [from, ways] of last) {
    const into = next[from] as Map<number, number>
    for (const [to, more] of first) into.set(to, Math.min(2, (into.get(to) ?? 0) + ways * more))
  }
}

function sum(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const both = new Map(one)
  for (const [at, ways] of other) both.set(at, Math.min(2, (both.get(at) ?? 0) + ways))
  return both
}

function times(all: ReadonlyMap<number, number>, factor: number): ReadonlyMap<number, number> {
  return factor === 0 ? noPositions : factor === 1 ? all : new Map([...all].map(([at]) => [at, 2]))
}

/**
 * True if a text leads in two ways from a position to itself: in the graph of pairs, a pair of equal positions and one of different
 * positions lead to each other, or two positions follow each other in two ways.
 */
function isAmbiguous({ sets, checked, next }: Graph, overlap: Overlap): boolean {
  const count = sets.length
  let steps = 0
  const followers = (pair: number): number[] => {
    const [one, other] = [Math.floor(pair / count), pair % count]
    const found: number[] = []
    for (const to of next[one]?.keys() ?? []) {
      for (const also of next[other]?.keys() ?? []) {
        steps += 1
        if (steps > MAX_STEPS) throw new TooLarge()
        if (to === also || overlap(sets[to] as string, sets[also] as string)) found.push(to * count + also)
      }
    }
    return found
  }
  const equal = sets.map((_, i) => i * count + i)
  return components(equal, followers).some((pairs) => {
    const inside = new Set(pairs)
    const same = equal.filter((pair) => inside.has(pair)).map((pair) => pair % count)
    if (same.length === 0 || !pairs.some((pair) => checked[pair % count])) return false
    const twice = (from: number) => same.some((to) => next[from]?.get(to) === 2)
    return pairs.length > same.length || same.some(twice)
  })
}
