/** Words that Python reserves, and the built-in names that annotations and bodies of the generated classes refer to. */
const reserved = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import ' +
    'in is lambda nonlocal not or pass raise return try while with match case type print self cls int str float bool bytes object ' +
    'super property list dict set tuple isinstance len'
  ).split(' '),
)

/** Names that a method or a parameter may have although they are those of functions: annotations do not refer to them. */
const harmless = new Set('match case type print list dict set tuple len isinstance super'.split(' '))

/**
 * Returns a Python identifier for any text. One that Python reserves, or that begins with an underscore, ends with an underscore
 * instead; other characters become underscores.
 */
export function identifier(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(
      /[^A-Za-z0-9_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a1\u03a3-\u03ff\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]/gu,
      '_',
    )
  const bare = plain.replace(/^_+/, '')
  if (bare === '') return 'x_'
  const name = /^\d/.test(bare) ? `x${bare}` : bare
  const isChanged = bare !== plain || (reserved.has(name) && !harmless.has(name))
  return isChanged && !name.endsWith('_') ? `${name}_` : name
}

/** True if a text can be the name of a member in the body of a class, exactly as it is. */
export function isMemberName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(text) && !reserved.has(text)
}

/** Unique names of one namespace. */
export interface PythonScope {
  /** Returns the identifier for a text, with further underscores if it is not free. */
  claim(text: string): string
}

/** `taken`: names that are not available. */
export function createPythonScope(taken: Iterable<string>): PythonScope {
  const used = new Set(taken)
  return {
    claim(text) {
      let name = identifier(text)
      while (used.has(name)) name += '_'
      used.add(name)
      return name
    },
  }
}

/** Returns names for texts, in their order: those that are unchanged first, so that another one does not take their name. */
export function namesFor(texts: readonly string[], taken: Iterable<string>): string[] {
  const scope = createPythonScope(taken)
  const names = new Map<number, string>()
  const order = [...texts.keys()].sort((a, b) => rank(texts[a] as string) - rank(texts[b] as string) || a - b)
  for (const i of order) names.set(i, scope.claim(texts[i] as string))
  return texts.map((_, i) => names.get(i) as string)
}

function rank(text: string): number {
  return identifier(text) === text ? 0 : 1
}
