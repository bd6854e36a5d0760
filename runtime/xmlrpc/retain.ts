/** Of this length on, an engine may make a part of a text by pointing into it. */
const least = 13

/** A text so short may well be kept for the sake of a part of it. */
const most = 1024

/** A part of a body that does not keep the whole body in memory: a procedure may keep its parameters for long. */
export function detach(part: string, text: string): string {
  return part.length < least || text.length <= most || part.length > text.length / 2 ? part : copyOf(part)
}

/** The same characters in memory of their own: taking a part of a sum has to put the sum together first. */
export function copyOf(part: string): string {
  return part.length < least ? part : ` ${part}`.slice(1)
}
