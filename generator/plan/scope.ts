/** Words that cannot be a name, and globals that generated code means when it says them. */
const taken = (
  'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
  'function if implements import in instanceof interface let new null package private protected public return static ' +
  'super switch this throw true try typeof undefined var void while with yield arguments eval async ' +
  'Array ArrayBuffer Awaited Buffer Date Map Parameters Promise Record ReturnType Set Uint8Array ' +
  'args context out result v wire procedures server router Procedures JsonProcedures'
).split(' ')

/** Names of one module, none of them twice. */
export interface Scope {
  /** The name itself, or with `$1`, `$2` … behind it when it is taken. */
  claim(name: string): string
}

export function createScope(reserved: readonly string[] = []): Scope {
  const used = new Set([...taken, ...reserved])
  return {
    claim(name) {
      let candidate = name
      for (let n = 1; used.has(candidate); n += 1) candidate = `${name}$${n}`
      used.add(candidate)
      return candidate
    },
  }
}
