/** JSON whose objects keep their order whatever their names are. */
export type Printable = string | number | boolean | null | readonly Printable[] | ReadonlyMap<string, Printable>

/** A line takes no more than this. */
const width = 120

/** JSON with a line for what fits on one, so that a change is a line in a review. */
export function printJson(value: Printable): string {
  return `${printAt(value, '', 0)}\n`
}

/** `before` is what stands on the line already, in columns. */
function printAt(value: Printable, indent: string, before: number): string {
  const line = printLine(value)
  // A comma may follow.
  if (before + line.length < width || !isNested(value)) return line
  const inner = `${indent}  `
  if (!isMap(value))
    return `[\n${value.map((each) => inner + printAt(each, inner, inner.length)).join(',\n')}\n${indent}]`
  const members = Array.from(value, ([name, each]) => {
    const key = `${inner}${JSON.stringify(name)}: `
    return key + printAt(each, inner, key.length)
  })
  return `{\n${members.join(',\n')}\n${indent}}`
}

type Nested = readonly Printable[] | ReadonlyMap<string, Printable>

function isNested(value: Printable): value is Nested {
  return typeof value === 'object' && value !== null
}

function isMap(value: Nested): value is ReadonlyMap<string, Printable> {
  return value instanceof Map
}

function printLine(value: Printable): string {
  if (!isNested(value)) return JSON.stringify(value)
  if (!isMap(value)) return `[${value.map(printLine).join(', ')}]`
  if (value.size === 0) return '{}'
  return `{ ${Array.from(value, ([name, each]) => `${JSON.stringify(name)}: ${printLine(each)}`).join(', ')} }`
}

/** Any JSON value; members in the order that they have. */
export function printableOf(value: unknown): Printable {
  if (Array.isArray(value)) return value.map(printableOf)
  if (typeof value !== 'object' || value === null) return value as Printable
  return new Map(Object.entries(value).map(([name, each]) => [name, printableOf(each)]))
}
