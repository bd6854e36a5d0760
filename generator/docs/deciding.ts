/** Tags that decide what is served, to whom, and within which limits. */
const deciding = ['rpc', 'auth', 'namespace', 'protocol', 'timeout', 'maxBody']
const byLower = new Map(deciding.map((name) => [name.toLowerCase(), name]))

const names = deciding.join('|')
const anywhere = new RegExp(`@(?:${names})s?(?![\\w-])`, 'i')
const alike = new RegExp(`^(${names})s?(?![\\w-])`, 'i')
const behind = new RegExp(`\\S\\s+@(${names})(?=\\s|$)`)

/** Whether a tag, without its `@`, decides what is served. */
export function decides(name: string): boolean {
  return deciding.includes(name)
}

/** Whether a text may have such a tag, or one that was meant to be: nothing else is parsed for them. */
export function mayDecide(text: string): boolean {
  return anywhere.test(text)
}

/** Which of them a tag is, or was meant to be: `Auth`, `protocols` and `auth:` are none, and open doors. */
export function decidingTag(name: string): string | undefined {
  return byLower.get(alike.exec(name)?.[1]?.toLowerCase() ?? '')
}

/** The one that stands behind other text on a line. */
export function decidingInside(text: string): string | undefined {
  return behind.exec(text.replace(/`[^`]*`/g, '``'))?.[1]
}
