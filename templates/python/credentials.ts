// The credentials of callers as arguments of the client, by the schemes of the procedures:
//
//   def __init__(self, url: str, *, bearer: Optional[Secret] = None, headers: …)
import type { AuthScheme } from '../../generator/model/model.js'
import { call, docstring, type Python, print, quote, textLines, tuple } from './layout.js'
import { createPythonScope } from './names.js'

/** The schemes of the procedures, by name. */
type Schemes = ReadonlyMap<string, AuthScheme>

/** An argument of the constructor, and the schemes whose credentials it is. */
interface Argument {
  readonly name: string
  readonly type: 'Secret' | 'Tuple[str, str]'
  readonly words: string
  readonly header: string
  readonly prefix: string
  readonly docs: string[]
}

/** The arguments that clients have without schemes, with their types. */
const options = {
  headers: 'Optional[Headers] = None',
  timeout: 'Optional[float] = None',
  retry: 'Optional[Retry] = None',
  transport: 'Optional[Transport] = None',
}

/** Returns the constructor of a client whose procedures have schemes; undefined if none takes an argument. */
export function constructorText(schemes: Schemes): string | undefined {
  const all = argumentsOf(schemes)
  if (all.length === 0) return undefined
  const parameters = [
    ...['self', 'url: str', '*'],
    ...all.map(({ name, type }) => `${name}: ${type} = _unset`),
    ...Object.entries(options).map(([name, type]) => `${name}: ${type}`),
  ]
  const docs = all.map(({ name, words, docs }) => `'${name}' is the ${words} of ${docs.join(', or of ')}`)
  const text = ['Pass the credentials of one scheme, or none.', '', ...docs].join('\n')
  const own: Python[] = all.map(({ name, header, prefix }) => tuple([quote(header), quote(prefix), name]))
  const rest = ['timeout', 'retry', 'transport'].map((name) => `${name}=${name}`)
  const body = call('super().__init__', ['url', ['headers=', call('_identified', ['headers', ...own])], ...rest])
  return `    ${print([call('def __init__', parameters), ':'], 4)}\n${docstring(text, 8)}        ${print(body, 8)}\n`
}

function argumentsOf(schemes: Schemes): Argument[] {
  const scope = createPythonScope(['self', 'url', 'basic', 'bearer', ...Object.keys(options)])
  const byHeader = new Map<string, Argument>()
  for (const [name, scheme] of schemes) {
    if (scheme.scheme === 'cookie') continue
    const made = credentialArgument(scheme)
    const key = `${made.prefix}${made.header.toLowerCase()}`
    const known = byHeader.get(key)
    const argument = known ?? {
      ...made,
      name: made.name ?? scope.claim(made.header.toLowerCase().replaceAll('-', '_')),
      docs: [],
    }
    const text = textLines(scheme.description ?? '').join(' ')
    argument.docs.push(text === '' ? name : `${name} (${text})`)
    byHeader.set(key, argument)
  }
  return [...byHeader.values()]
}

function credentialArgument(
  scheme: Exclude<AuthScheme, { scheme: 'cookie' }>,
): Omit<Argument, 'docs' | 'name'> & { name?: string } {
  if (scheme.scheme === 'apiKey') return { type: 'Secret', words: 'key', header: scheme.header, prefix: '' }
  const isBasic = scheme.scheme === 'basic'
  return {
    name: scheme.scheme,
    type: isBasic ? 'Tuple[str, str]' : 'Secret',
    words: isBasic ? 'name and password' : 'token',
    header: 'Authorization',
    prefix: isBasic ? 'Basic ' : 'Bearer ',
  }
}
