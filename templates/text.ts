/** Lines longer than this are broken where they can be. */
export const lineWidth = 120

/** A JavaScript string literal: in single quotes, or in double ones where that saves escapes. */
export function quote(text: string): string {
  // Nearly every text: a tenth of the time that all of them would take.
  if (/^[ -&(-[\]-~]*$/.test(text)) return `'${text}'`
  const escaped = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  if (text.includes("'") && !text.includes('"')) return escaped
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A member's name in an object literal or an interface. */
export function key(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return isIdentifier(name) ? name : quote(name)
}

/** `name: value` of an object literal, `name` alone where the value is the variable of that name. */
export function property(name: string, value: string): string {
  return name === value && isIdentifier(name) ? name : `${key(name)}: ${value}`
}

export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** A list in one line where it fits behind what stands before it, else one item a line. */
export function list(open: string, items: readonly string[], close: string, before = 0): string {
  const pad = open.endsWith('{') && items.length > 0 ? ' ' : ''
  const line = `${open}${pad}${items.join(', ')}${pad}${close}`
  if (items.length === 0 || (before + line.length <= lineWidth && !line.includes('\n'))) return line
  return `${open}\n${indent(items.map((item) => `${item},`).join('\n'))}\n${close}`
}

/** Conditions that must all hold, in one line where they fit, else one a line. */
export function all(conditions: readonly string[], before = 0): string {
  return conditions.length === 0 ? 'true' : joined(conditions, '&&', before)
}

/** Conditions of which one must hold. */
export function oneOf(conditions: readonly string[], before = 0): string {
  return joined(conditions, '||', before)
}

function joined(conditions: readonly string[], operator: string, before: number): string {
  const line = conditions.join(` ${operator} `)
  return before + line.length <= lineWidth ? line : `\n${indent(conditions.join(` ${operator}\n`))}`
}

/** Puts an expression behind the arrow of its function, where it is not broken into lines of its own. */
export function behind(start: string, expression: string): string {
  return expression.startsWith('\n') ? start + expression : `${start} ${expression}`
}

/** The text of a plan, where it is known; else it is made, and known from then on. */
export function known<Plan extends object>(
  plan: Plan,
  render: (plan: Plan) => string,
  texts: WeakMap<object, string> | undefined,
): string {
  const text = texts?.get(plan) ?? render(plan)
  texts?.set(plan, text)
  return text
}

/** A doc comment; '' for an empty text. */
export function docBlock(text: string): string {
  if (text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** Names from one module. */
export interface ImportPlan {
  readonly from: string
  readonly names: readonly ImportName[]
  readonly typeOnly: boolean
}

export interface ImportName {
  readonly name: string
  /** The local name, where it is another one. */
  readonly as?: string
}

/** One import statement, its names in order. */
export function importLine({ from, names, typeOnly }: ImportPlan): string {
  const items = names.map(({ name, as }) => (as === undefined ? name : `${name} as ${as}`)).sort()
  return list(`import ${typeOnly ? 'type ' : ''}{`, items, `} from ${quote(from)}`)
}
