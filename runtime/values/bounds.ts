// What a sender wrote and an error repeats is bounded here, so that no error is larger than a few kilobytes. Lengths are in
// UTF-16 code units.

/** The most of a name (of a member, a parameter, a method) that an error repeats. */
export const MAX_NAME = 60
/** The length of an error's message. */
export const MAX_MESSAGE = 1000
/** The length of the JSON text of the issues that an error lists. */
export const MAX_DATA = 16_000

/** Returns at most `most` code units of a text and an ellipsis. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Returns a name in quotes for a message. */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name, MAX_NAME))
}

/** Returns the text of a message that ends in `end`, of at most `MAX_MESSAGE` code units. */
export function boundMessage(text: string, end = ''): string {
  // One for the ellipsis.
  return cut(text, MAX_MESSAGE - 1 - end.length) + end
}
