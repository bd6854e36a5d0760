import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from './model.js'

type Kind = ModelType['kind']

/** What the words of doc comments mean, in the habits of TypeScript, Python, PHP and XML-RPC. */
const kindsOf: ReadonlyMap<string, readonly Kind[]> = new Map(
  (
    [
      [
        ['int', 'integer', 'i4'],
        ['int', 'number', 'bigint'],
      ],
      [
        ['i8', 'long', 'bigint'],
        ['bigint', 'number', 'int'],
      ],
      [
        ['float', 'double'],
        ['double', 'number'],
      ],
      [['number'], ['int', 'double', 'number']],
      [
        ['str', 'string'],
        ['string', 'template', 'url'],
      ],
      [['bool', 'boolean'], ['boolean']],
      [
        ['url', 'uri'],
        ['url', 'string', 'template'],
      ],
      [['date', 'datetime', 'datetime.iso8601'], ['date']],
      [['bytes', 'binary', 'base64', 'buffer', 'uint8array', 'arraybuffer'], ['bytes']],
      [
        ['list', 'array', 'tuple'],
        ['array', 'tuple', 'set'],
      ],
      [['set'], ['set']],
      [
        ['dict', 'struct', 'object', 'map', 'record'],
        ['struct', 'map'],
      ],
      [
        ['none', 'null', 'nil', 'void', 'undefined'],
        ['null', 'undefined', 'void'],
      ],
    ] as const
  ).flatMap(([words, kinds]) => words.map((word) => [word, kinds] as const)),
)

/** Whether a documented type and the declared one cannot both be true. A word that we do not know contradicts nothing. */
export function contradicts(documented: string, declared: ModelType, types: TypesByName): boolean {
  const words = documented.split(/\s*\|\s*|\s+or\s+/).map(essence)
  const allowed = words.map((word) => kindsOf.get(word))
  if (allowed.some((kinds) => kinds === undefined)) return false
  const kinds = kindsIn(declared, types)
  return kinds.some((kind) => kind !== 'any' && !allowed.some((each) => each?.includes(kind)))
}

/** `Array<string>`, `string[]` and `list[str]` are lists; case does not matter. */
function essence(word: string): string {
  const trimmed = word.trim().toLowerCase()
  if (/^(?:promise|optional)</.test(trimmed)) return essence(trimmed.slice(trimmed.indexOf('<') + 1, -1))
  return trimmed.endsWith('[]') ? 'array' : (trimmed.split(/[<[(]/, 1)[0] ?? '')
}

function kindsIn(type: ModelType, types: TypesByName): Kind[] {
  if (type.kind === 'union') return type.branches.flatMap((branch) => kindsIn(branch, types))
  if (type.kind === 'literal') return [typeof type.value as Kind]
  const named = type.kind === 'ref' ? types.get(type.name) : undefined
  return named ? kindsIn(named.type, types) : [type.kind]
}
