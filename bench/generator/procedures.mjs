/** A module of procedures of one domain: two entities, each with its operations repeated under other names. */
export function procedures(file, domain, count) {
  const first = (file * 2) % 10
  const things = [`Thing${domain}x${first}`, `Thing${domain}x${first + 1}`]
  const names = things.flatMap((thing) => [
    thing,
    ...['Draft', 'Filter', 'Key', 'Part', 'State'].map((part) => thing + part),
  ])
  const bodies = Array.from({ length: count }, (_each, i) => operations[i % 10](things[Math.floor(i / 10) % 2], i))
  return `import type { Code, DeepPartial, Level, Nullable, Page, Problem, Result } from '../types/common.js'
import type {
${names.map((name) => `  ${name},`).join('\n')}
} from '../types/domain-${domain}.js'


${things.map((thing) => `const all${thing} = new Map<string, ${thing}>()`).join('\n')}

function need<T>(all: ReadonlyMap<string, T>, id: string): T {
  const found = all.get(id)
  if (!found) throw new Error(\`nothing has the id \${id}\`)
  return found
}

${bodies.join('\n')}`
}

/** Half of the comments are reST, half JSDoc. */
function comment(at, text, params, result) {
  const lines =
    at % 2 === 0
      ? [...params.map(([name, about]) => `:param ${name}: ${about}`), `:return: ${result}`, '', '@rpc']
      : [...params.map(([name, about]) => `@param ${name} ${about}`), `@returns ${result}`, '@rpc']
  return ['/**', ` * ${text}`, ' *', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n')
}

const operations = [
  (T, i) => `${comment(
    i,
    `Creates a ${T} from a draft.`,
    [
      ['draft', 'What is known so far'],
      ['level', 'How important it is'],
    ],
    'What was made',
  )}
export async function create${T}n${i}(draft: ${T}Draft, level: Level = 5): Promise<${T}> {
  const now = new Date()
  const made: ${T} = {
    ...draft,
    id: \`${T}-\${all${T}.size}\`,
    level,
    state: { kind: 'draft', author: draft.title },
    created: { at: now, by: 'somebody' },
  }
  all${T}.set(made.id, made)
  return made
}
`,
  (T, i) => `${comment(
    i,
    `Finds those that pass a filter.`,
    [
      ['filter', 'What to look for'],
      ['first', 'How many to skip'],
      ['count', 'How many to return'],
    ],
    'One page',
  )}
export function list${T}n${i}(filter: ${T}Filter, first = 0, count = 50): Page<${T}> {
  const all = [...all${T}.values()].filter((each) => {
    if (filter.text !== undefined && !each.title.includes(filter.text)) return false
    const { range } = filter
    return range === undefined || (each.created.at >= range.from && each.created.at < range.to)
  })
  const items = all.slice(first, first + count)
  return { items, total: all.length, next: first + count < all.length ? String(first + count) : null }
}
`,
  (T, i) => `${comment(
    i,
    `Changes some members.`,
    [
      ['id', 'Which one'],
      ['change', 'What is to be another'],
    ],
    'What it is now',
  )}
export function update${T}n${i}(id: ${T}['id'], change: DeepPartial<${T}Draft>): Result<${T}, Problem> {
  const found = need(all${T}, id)
  if (change.title === '') {
    return { kind: 'failed', error: { code: 'E-12', message: 'it needs a title', level: 1, causes: [] } }
  }
  const value: ${T} = { ...found, title: change.title ?? found.title, changed: { at: new Date(), by: 'somebody' } }
  all${T}.set(id, value)
  return { kind: 'done', value }
}
`,
  (T, i) => `${comment(i, `Removes several.`, [['ids', 'Which ones']], 'How many there were')}
export function remove${T}n${i}(...ids: string[]): number {
  let count = 0
  for (const id of ids) {
    if (all${T}.delete(id)) count += 1
  }
  return count
}
`,
  (T, i) => `${comment(
    i,
    `Goes to another state.`,
    [
      ['id', 'Which one'],
      ['state', 'The new state'],
      ['note', 'Why'],
    ],
    'The former state, and the new one',
  )}
export function move${T}n${i}(id: string, state: ${T}State, note: string | null = null): [from: ${T}State, to: ${T}State] {
  const found = need(all${T}, id)
  const former = found.state
  all${T}.set(id, { ...found, state, changed: { at: new Date(), by: 'somebody', note } })
  return [former, state]
}
`,
  (
    T,
    i,
  ) => `${comment(i, `Counts the parts, with those inside them.`, [['part', 'Where to begin']], 'How many there are, and what they cost')}
export const weigh${T}n${i} = (part: ${T}Part): { amount: number; cents: number; codes: Code[] } => {
  const inner = part.children.map(weigh${T}n${i})
  return {
    amount: inner.reduce((sum, each) => sum + each.amount, part.amount),
    cents: inner.reduce((sum, each) => sum + each.cents, part.price.cents * part.amount),
    codes: inner.flatMap((each) => each.codes),
  }
}
`,
  (T, i) => `${comment(
    i,
    `Tells the keys by label.`,
    [
      ['label', 'The label'],
      ['limit', 'At most so many'],
    ],
    'Keys by the value of the label',
  )}
export function keys${T}n${i}(label: string, limit?: number) {
  const found: Record<string, ${T}Key[]> = {}
  for (const each of [...all${T}.values()].slice(0, limit)) {
    const value = each.labels[label]
    if (value === undefined) continue
    found[value] = [...(found[value] ?? []), { id: each.id, title: each.title }]
  }
  return found
}
`,
  (T, i) => `${comment(
    i,
    `Sets the photo.`,
    [
      ['id', 'Which one'],
      ['photo', 'The bytes'],
      ['size', 'How large it is'],
    ],
    'When it was set',
  )}
export function photo${T}n${i}(id: string, photo: Uint8Array, size?: ${T}['size']): Date {
  const found = need(all${T}, id)
  all${T}.set(id, { ...found, photo, size: size ?? found.size })
  return new Date()
}
`,
  (T, i) => `${comment(
    i,
    `Fills in what is missing.`,
    [
      ['key', 'Which one'],
      ['values', 'What to fill in'],
    ],
    'Nothing, where there was nothing to do',
  )}
export async function fill${T}n${i}(key: ${T}Key, values: Partial<Nullable<${T}Key>>): Promise<${T}Key | null> {
  const title = values.title ?? key.title
  if (title === key.title) return null
  await Promise.resolve()
  return { ...key, title }
}
`,
  (T, i) => `${comment(
    i,
    `Sorts by level.`,
    [
      ['levels', 'Which levels count'],
      ['newest', 'Whether the newest come first'],
    ],
    'The list of each level',
  )}
export function sort${T}n${i}(levels: readonly Level[], newest: boolean): Map<string, ${T}Key[]> {
  const lists = new Map<string, ${T}Key[]>()
  const all = [...all${T}.values()].sort((a, b) => a.created.at.getTime() - b.created.at.getTime())
  for (const { id, title, level } of newest ? all.reverse() : all) {
    if (!levels.includes(level)) continue
    lists.set(String(level), [...(lists.get(String(level)) ?? []), { id, title }])
  }
  return lists
}
`,
]
