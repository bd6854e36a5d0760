import { appendSegment } from './describe.js'
import type { PathSegment } from './issue.js'

/** The path of a value that is explained. Its text is made once: that of an inner value begins with that of the outer one. */
export class Path {
  readonly #outer: Path | undefined
  readonly #segment: PathSegment
  #text: string | undefined

  private constructor(outer: Path | undefined, segment: PathSegment) {
    this.#outer = outer
    this.#segment = segment
  }

  /** Returns the path with these segments. */
  static of(segments: readonly PathSegment[]): Path {
    return segments.reduce((path, segment) => path.inner(segment), new Path(undefined, ''))
  }

  /** Returns the path of an inner value. */
  inner(segment: PathSegment): Path {
    return new Path(this, segment)
  }

  /** `draft.lines[2].quantity`; equal for equal paths. */
  get text(): string {
    this.#text ??= this.#outer ? appendSegment(this.#outer.text, this.#segment) : ''
    return this.#text
  }

  /** `['draft', 'lines', 2, 'quantity']` */
  get segments(): readonly PathSegment[] {
    const segments: PathSegment[] = []
    for (let path: Path = this; path.#outer; path = path.#outer) segments.push(path.#segment)
    return segments.reverse()
  }
}
