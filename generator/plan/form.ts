import { grouped } from './typescript.js'
import { literal } from './wire.js'

/** How types are written where the source's own are not imported. */
export interface Form {
  /** What the name of a type ends with. */
  readonly suffix: string
  /** Whether the types are exported, with their docs: for who has nothing but this file. */
  readonly isPublic: boolean
  /** Kinds that have another name in TypeScript. */
  readonly scalars: Readonly<Record<string, string>>
  /** What stands for a parameter that is left out before one that is not. */
  readonly leftOut: 'undefined' | 'null'
  /** What a call answers. */
  result(type: string): string
  bigint(value: string): string
  set(element: string): string
  map(value: string): string
}

/** As JSON carries them: Date, bytes and bigint are strings, Set is an array, Map an object. */
export const jsonForm: Form = {
  suffix: 'Json',
  isPublic: false,
  scalars: {
    int: 'number',
    double: 'number',
    bigint: 'string',
    url: 'string',
    date: 'string',
    bytes: 'string',
    undefined: 'null',
    void: 'null',
    any: 'unknown',
  },
  leftOut: 'null',
  result: (type) => type,
  bigint: literal,
  set: (element) => `${grouped(element)}[]`,
  map: (value) => `{ [name: string]: ${value} }`,
}

/** As TypeScript has them, for who calls from elsewhere. */
export const valueForm: Form = {
  suffix: '',
  isPublic: true,
  scalars: { int: 'number', double: 'number', url: 'URL', date: 'Date', bytes: 'Uint8Array', any: 'unknown' },
  leftOut: 'undefined',
  result: (type) => `Promise<${type}>`,
  bigint: (value) => `${value}n`,
  set: (element) => `Set<${element}>`,
  map: (value) => `Map<string, ${value}>`,
}
