import type { ProtocolName } from '../../protocol.js'
import type { DescribedProcedure, TypesByName } from '../../schema/description.js'
import { paramsOf } from '../sample.js'
import { escapeUnseen } from '../type-text.js'
import { methodCall } from '../xml.js'
import type { ShownCall } from './call.js'
import { pythonJson, pythonXml } from './python.js'
import { clientJson, clientXml, fetchJson, fetchXml } from './script.js'
import { curlJson, curlXml } from './shell.js'

/** Code that makes one call. */
export interface Sample {
  readonly language: Language
  readonly protocol: ProtocolName
  readonly code: string
}

/** The form of the code: a language or a tool. */
export type Language = 'curl' | 'Python' | 'fetch' | 'TypeScript'

/** Languages, in their order. */
export const languages: readonly Language[] = ['curl', 'Python', 'fetch', 'TypeScript']

const writers: readonly [Language, ProtocolName, (call: ShownCall) => string][] = [
  ['curl', 'json-rpc', curlJson],
  ['curl', 'xml-rpc', curlXml],
  ['Python', 'json-rpc', pythonJson],
  ['Python', 'xml-rpc', pythonXml],
  ['fetch', 'json-rpc', fetchJson],
  ['fetch', 'xml-rpc', fetchXml],
  ['TypeScript', 'json-rpc', clientJson],
  ['TypeScript', 'xml-rpc', clientXml],
]

/** What a call is made in. */
export interface Surroundings {
  readonly url: string
  readonly types: TypesByName
  readonly protocols: readonly ProtocolName[]
  /** Headers other than the content type, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Code for a call, in every language and every protocol of a list; `params` in JSON form. */
export function samplesOf(
  procedure: Pick<DescribedProcedure, 'name' | 'params' | 'paramsObject'>,
  params: readonly unknown[],
  { url, types, protocols, headers = {} }: Surroundings,
): readonly Sample[] {
  const { name, params: declared } = procedure
  const message = { jsonrpc: '2.0', id: 1, method: name, params: paramsOf(procedure, params) }
  const xml = protocols.includes('xml-rpc')
    ? documentOf(() => escapeUnseen(methodCall(name, params, declared, types), xmlReference))
    : ''
  const call: ShownCall = { url, name, params, declared, types, headers, message, xml }
  return writers
    .filter(([, protocol]) => protocols.includes(protocol))
    .map(([language, protocol, write]) => ({ language, protocol, code: write(call) }))
}

function xmlReference(code: number): string {
  return `&#x${code.toString(16)};`
}

/** A text may contain characters that XML cannot represent: the code then has a comment that reports it. */
function documentOf(write: () => string): string {
  try {
    return write()
  } catch (error) {
    return `<!-- ${error instanceof Error ? error.message.replaceAll('--', '- -') : 'cannot be written'} -->`
  }
}
