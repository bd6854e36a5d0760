import type { DescribedProcedure, NamedType, NameRef } from '../../runtime/description/description.js'
import type { DocsSource } from '../../runtime/page/index.js'

const ref = (name: string): NameRef => ({ kind: 'ref', name })

/** An API of `count` procedures in groups of ten, each with a type of its own, as large as those of a real API. */
export function apiOf(count: number): DocsSource {
  const numbers = Array.from({ length: count }, (_, index) => index)
  return {
    description: { procedures: numbers.map(procedure), types: numbers.map(type) },
    info: { title: 'Many', version: '1.0.0' },
    protocols: ['json-rpc', 'xml-rpc'],
    endpoint: undefined,
    openrpc: '?asset=openrpc.json',
  }
}

function procedure(index: number): DescribedProcedure {
  return {
    name: `module${Math.floor(index / 10)}.proc${index % 10}`,
    description: `Stores a record in table ${index} and returns it.\n\nA record that exists is replaced, unless \`note\` is empty.`,
    params: [
      { name: 'record', type: ref(`Record${index}`), doc: 'The record to store' },
      { name: 'note', type: { kind: 'string' }, doc: 'Why it is stored', optional: true },
    ],
    returns: { type: ref(`Record${index}`), doc: 'The stored record' },
    signatures: [
      ['struct', 'struct'],
      ['struct', 'struct', 'string'],
    ],
    throws: [{ name: 'RpcError', code: 409, text: '409 if the table is full' }],
  }
}

function type(index: number): NamedType {
  return {
    name: `Record${index}`,
    doc: `A record of table ${index}.`,
    type: {
      kind: 'struct',
      members: [
        { name: 'id', type: { kind: 'bigint' }, doc: 'Unique in the table' },
        { name: 'name', type: { kind: 'string', constraints: { minLength: 1, maxLength: 80 } }, doc: 'As it is shown' },
        { name: 'amount', type: { kind: 'double', constraints: { minimum: 0 } }, doc: 'In euros' },
        { name: 'created', type: { kind: 'date' }, optional: true },
        { name: 'tags', type: { kind: 'array', element: { kind: 'string' } }, doc: 'In any order' },
      ],
    },
  }
}
