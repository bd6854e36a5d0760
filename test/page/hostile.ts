import type { DescribedType, NameRef } from '../../runtime/description/description.js'
import type { DocsSource } from '../../runtime/page/index.js'

/** Text that would run, or break out, if it were parsed as markup, as code or as the end of a script. */
export const attack = `</script><script>alert(1)</script><img src=x onerror="alert(2)">'"\`\${alert(3)}\\ --> <!-- \u202e\n$(id) it's`

const ref = (name: string): NameRef => ({ kind: 'ref', name })
const literal = (value: string): DescribedType => ({ kind: 'literal', value })
const text: DescribedType = { kind: 'string' }

/** An API whose every text is an attack. */
export const hostile: DocsSource = {
  description: {
    procedures: [
      {
        name: attack,
        description: `${attack}\n\n- ${attack}\n\n[a](javascript:alert(1)) [b](https://example.com/"onclick=alert(1)) **${attack}**`,
        params: [
          { name: attack, type: literal(attack), doc: attack },
          { name: 'named', type: ref('Named'), doc: attack },
        ],
        returns: { type: ref('Named'), doc: attack },
        signatures: [[attack, attack]],
        deprecated: true,
        deprecation: attack,
        since: attack,
        throws: [{ name: attack, code: 7, text: attack }],
        examples: [{ text: attack, params: [attack, { [attack]: attack, __proto__: attack }], result: [attack] }],
      },
    ],
    types: [
      {
        name: 'Named',
        doc: attack,
        type: {
          kind: 'struct',
          members: [{ name: attack, type: { kind: 'union', branches: [literal(attack), text] }, doc: attack }],
          indexes: [
            { type: { kind: 'template', text: attack, pattern: attack }, keys: { text: attack, pattern: attack } },
          ],
        },
      },
    ],
  },
  info: { title: attack, version: attack, description: attack },
  protocols: ['json-rpc', 'xml-rpc'],
  endpoint: undefined,
  openrpc: undefined,
}
