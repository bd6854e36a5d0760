import { isIdentifier } from '../../templates/text.js'

/** Words that cannot be the name of a variable in a module. */
const reserved = (
  'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
  'function if implements import in instanceof interface let new null package private protected public return static ' +
  'super switch this throw true try typeof var void while with yield arguments eval'
).split(' ')

/** Globals that generated code means when it says them, and its own variables and exports. */
const meant = (
  'undefined async Array ArrayBuffer Awaited Buffer Date Map Parameters Promise ReadonlyMap ReadonlySet Record ' +
  'ReturnType Set URL Uint8Array args context out result v wire procedures server router Procedures JsonProcedures JsonParams JsonErrors'
).split(' ')

/** Names of one module, none of them twice. */
export interface Scope {
  /** The name itself, or with `$1`, `$2` … behind it when it is taken; what is no identifier is made one: `oddName`. */
  claim(name: string): string
}

/** `others` are names that are not to be given out either. */
export function createScope(others: readonly string[] = []): Scope {
  const used = new Set([...reserved, ...meant, ...others])
  const last = new Map<string, number>()
  return {
    claim(name) {
      const wanted = identifierOf(name)
      let candidate = wanted
      // The names before the last one of its kind are taken.
      for (let n = last.get(wanted) ?? 1; used.has(candidate); n += 1) {
        candidate = `${wanted}$${n}`
        last.set(wanted, n)
      }
      used.add(candidate)
      return candidate
    },
  }
}

/** An export may have any text as its name: `export { f as 'odd name' }`. */
function identifierOf(name: string): string {
  if (isIdentifier(name)) return name
  const [first = '', ...others] = name.split(/[^\p{ID_Continue}$]+/u).filter((each) => each !== '')
  const joined = first + others.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join('')
  return isIdentifier(joined) ? joined : `_${joined}`
}

/** Whether a word can be the name of a parameter. */
export function canBeParameter(word: string): boolean {
  return !reserved.includes(word)
}
