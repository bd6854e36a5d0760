import type { ModelType } from './model.js'

export type Kind = ModelType['kind']

/** What the words of doc comments mean, in the habits of TypeScript, Python, PHP and XML-RPC. */
export const kindsOfWord: ReadonlyMap<string, readonly Kind[]> = new Map(
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
        ['list', 'array', 'readonlyarray', 'tuple'],
        ['array', 'tuple', 'set'],
      ],
      [['set', 'readonlyset'], ['set']],
      [
        ['dict', 'struct', 'object', 'map', 'readonlymap', 'record'],
        ['struct', 'map'],
      ],
      [
        ['none', 'null', 'nil', 'void', 'undefined'],
        ['null', 'undefined', 'void'],
      ],
    ] as const
  ).flatMap(([words, kinds]) => words.map((word) => [word, kinds] as const)),
)
