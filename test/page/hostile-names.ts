import type { DescribedProcedure, DescribedType, NameRef } from '../../runtime/description/description.js'
import type { DocsSource } from '../../runtime/page/index.js'
import { attack } from './hostile.js'

/** What ends or changes something where a name is put without a quotation: markup, selectors, addresses, code. */
const parts = [
  ...`[]'"\\;\n\t\r \${}()<>&#%.:*+~,/|^=@\`\u0000\u2028\u202e\ud800`,
  '*/',
  '</script>',
  '__proto__',
  '%E0',
  attack,
]

/** Names with each of these first, last and alone. */
export const names: readonly string[] = [...new Set(parts.flatMap((part) => [`${part}name`, `name${part}`, part]))]

const ref = (name: string): NameRef => ({ kind: 'ref', name })
const text: DescribedType = { kind: 'string' }

function procedureOf(name: string, index: number): DescribedProcedure {
  const params = [{ name, type: ref(name), doc: '' }]
  return {
    name,
    description: '',
    params,
    returns: { type: ref(name), doc: '' },
    signatures: [],
    ...(index % 3 === 0 ? { subscription: true } : {}),
    security: [[{ rule: name, scheme: { name, scheme: 'bearer' } }]],
  }
}

/** An API whose every name is hostile: procedures, parameters, types, members, schemes and groups. */
export const hostileNames: DocsSource = {
  description: {
    procedures: names.map(procedureOf),
    types: names.map((name) => ({
      name,
      doc: '',
      type: {
        kind: 'struct',
        members: [{ name, type: { kind: 'union', branches: [{ kind: 'literal', value: name }, text] }, doc: '' }],
      },
    })),
  },
  info: { title: 'Names', version: '1' },
  protocols: ['json-rpc', 'xml-rpc'],
  endpoint: undefined,
  openrpc: undefined,
}
