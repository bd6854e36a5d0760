// The part of a Python client that is written in Python: the modules in runtime/, one after the other in one module.
//
//   values.py: from .scalars import _Type; class _List(_Type): …  →  class _List(_Type): …
import calls from './runtime/calls.py'
import client from './runtime/client.py'
import credentials from './runtime/credentials.py'
import errors from './runtime/errors.py'
import scalars from './runtime/scalars.py'
import streams from './runtime/streams.py'
import transport from './runtime/transport.py'
import values from './runtime/values.py'

/** The parts that only some clients have. */
interface OptionalParts {
  readonly hasStreams: boolean
  readonly hasCredentials: boolean
}

/** The part of a client that is not generated. */
export interface PythonRuntime {
  /** Classes and functions, formatted as black does. */
  readonly text: string
  /** The modules that it imports. */
  readonly modules: readonly string[]
  /** The names that it imports of modules. */
  readonly imported: ReadonlyMap<string, ReadonlySet<string>>
  /** All names that it binds, besides modules and those that begin with an underscore. */
  readonly names: readonly string[]
}

export function pythonRuntime({ hasStreams, hasCredentials }: OptionalParts): PythonRuntime {
  const parts = [
    ...[errors, scalars, values, calls, transportOf(hasStreams), client],
    ...(hasStreams ? [streams] : []),
    ...(hasCredentials ? [credentials] : []),
  ].map(splitImports)
  const heads = parts.map(({ head }) => head).join('')
  const text = parts.map(({ body }) => body).join('\n\n')
  const imported = importedIn(heads)
  const defined = Array.from(text.matchAll(/^(?:class |def )?([A-Za-z]\w*)(?=[:(]| = )/gm), ([, name = '']) => name)
  return {
    text,
    modules: [...new Set(Array.from(heads.matchAll(/^import (\w+)$/gm), ([, name = '']) => name))],
    imported,
    names: [...[...imported.values()].flatMap((names) => [...names]), ...defined],
  }
}

const subscriptions = '    # Of clients that have subscriptions:\n\n'
const others = '    # Of all clients:\n\n'

function transportOf(hasStreams: boolean): string {
  const [before = '', method = '', after = ''] = transport.split(subscriptions).flatMap((part) => part.split(others))
  return before + (hasStreams ? method : '') + after
}

/** The comment and the imports at the beginning of a module. */
const headOf = /^(?:#.*\n)*(?:(?:from|import) [^(\n]*(?:\([^)]*\))?\n|if TYPE_CHECKING:\n(?: {4}.*\n|\n)+|\n)*/

function splitImports(module: string): { readonly head: string; readonly body: string } {
  const [head = ''] = headOf.exec(module) ?? []
  return { head, body: module.slice(head.length) }
}

/** The names that are imported from each module, without those of the other parts. */
function importedIn(heads: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, module = '', list = ''] of heads.matchAll(/^ *from ([^.]\S*) import (\([^)]*\)|.*)$/gm)) {
    const names = found.get(module) ?? new Set()
    for (const [name] of list.matchAll(/\w+/g)) names.add(name)
    found.set(module, names)
  }
  return found
}
