import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Compatibility } from 'rpc-gen'
import { root } from '../support/paths.js'

// The cases of fixtures/wire, one file for each topic, in the form of .http files:
//
//   ### positional-one-of-rest
//   Content-Type: application/json; charset=utf-8
//
//   {"jsonrpc":"2.0","method":"sum","params":[1],"id":1}
//
//   HTTP/1.1 200
//
//   {"jsonrpc":"2.0","result":1,"id":1}
//
// `< bodies/NAME` instead of the request's body has its bytes in that file.

/** The folders of cases, each with requests of one protocol. */
export const groups = [
  'jsonrpc',
  'xmlrpc',
  'compatibility/jsonrpc',
  'compatibility/xmlrpc',
  'scalars/jsonrpc',
  'scalars/xmlrpc',
] as const

export type Group = (typeof groups)[number]

export interface WireCase {
  readonly name: string
  /** Beside the protocol's own Content-Type. */
  readonly headers: Readonly<Record<string, string>>
  /** The server's switches: `# @compatibility {…}`. */
  readonly compatibility: Compatibility | undefined
  readonly body: Uint8Array<ArrayBuffer>
  readonly status: number
  /** Empty for a new case, which has no `HTTP/1.1` line yet. */
  readonly response: string
}

const folder = join(root, 'fixtures/wire')

export function wireCases(group: Group): readonly WireCase[] {
  const cases = filesOf(group).flatMap((file) =>
    sectionsOf(file).map((section) => readCase(section, join(folder, group))),
  )
  const names = new Set(cases.map(({ name }) => name))
  if (names.size < cases.length) throw new Error(`fixtures/wire/${group}: two cases have one name`)
  return cases
}

/** Writes what was received instead of what a case expects. */
export function writeResponse(group: Group, name: string, status: number, response: string): void {
  for (const file of filesOf(group)) {
    const sections = sectionsOf(file)
    const at = sections.findIndex((section) => section.startsWith(`${name}\n`))
    if (at === -1) continue
    const [request = ''] = splitSection(sections[at] ?? '')
    sections[at] = `${request}\n\nHTTP/1.1 ${status}\n${response && `\n${response}\n`}`
    writeFileSync(file, sections.map((section) => `### ${section.trimEnd()}\n`).join('\n'))
  }
}

function filesOf(group: Group): string[] {
  const names = readdirSync(join(folder, group)).filter((name) => name.endsWith('.http'))
  return names.map((name) => join(folder, group, name))
}

function sectionsOf(file: string): string[] {
  return readFileSync(file, 'utf8').split(/^### /m).slice(1)
}

/** The request with its name and headers, the status, and the response's body. */
function splitSection(section: string): [request: string, status: number, response: string] {
  const [, request = section, status = '200', response = ''] = /^(.*?)\n\nHTTP\/1\.1 (\d+)\n(.*)$/s.exec(section) ?? []
  return [request.trimEnd(), Number(status), response.trim()]
}

function readCase(section: string, path: string): WireCase {
  const [request, status, response] = splitSection(section)
  const [head = '', ...paragraphs] = request.split('\n\n')
  const [name = '', ...lines] = head.split('\n')
  const body = paragraphs.join('\n\n')
  const switches = lines.find((line) => line.startsWith('# @compatibility '))?.slice('# @compatibility '.length)
  const headers = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/: (.*)/).slice(0, 2))
  return {
    name,
    headers: Object.fromEntries(headers),
    compatibility: switches === undefined ? undefined : JSON.parse(switches),
    body: body.startsWith('< ')
      ? new Uint8Array(readFileSync(join(path, body.slice(2))))
      : new TextEncoder().encode(body),
    status,
    response,
  }
}
