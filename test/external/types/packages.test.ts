import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { skipped } from '../../support/skip.js'
import { type Call, exportedTypes, rejectionsOf, serve } from '../../types/compile.js'

// Types as others publish them, in bulk: every type of a vocabulary is the parameter and the result of a procedure.

const require = createRequire(join(root, 'test/types/package.json'))
const notInstalled = await install(join(root, 'test/types'))

/** A procedure for each type, which returns its argument and has the type's name. */
function echoes(from: string, names: readonly string[]): string {
  const procedures = names.map(
    (name) => `/** @rpc ${name} */\nexport function $${name}(value: all.${name}): all.${name} {\n  return value\n}\n`,
  )
  return [`import type * as all from '${from}'\n`, ...procedures].join('\n')
}

describe.skipIf(skipped('vscode-languageserver-types', notInstalled))('vscode-languageserver-types', () => {
  /** Types that are not data: `object`, and two interfaces of methods. */
  const unsupported = ['LSPObject', 'TextDocument', 'TextEditChange']
  const all = notInstalled === undefined ? exportedTypes('vscode-languageserver-types/lib/esm/main.d.ts') : []
  const names = all.filter((name) => !unsupported.includes(name))
  let errors: readonly string[]
  let call: Call

  beforeAll(async () => {
    const served = await serve(echoes('vscode-languageserver-types', names))
    errors = served.errors
    call = served.call
  })

  test('every type is compiled, without errors of TypeScript', () => {
    expect(names.length).toBeGreaterThan(100)
    expect(errors).toEqual([])
  })

  test('unsupported types are reported with their paths', async () => {
    const found = await rejectionsOf(echoes('vscode-languageserver-types', unsupported))
    expect(found.map(({ code, path, message }) => `${code} ${path}: ${message}`).sort()).toEqual(
      [
        'RPC121 LSPObject(value): object does not declare its members',
        'RPC121 LSPObject(): object does not declare its members',
        ...['getText', 'positionAt', 'offsetAt'].map(
          (name) => `RPC121 TextDocument(value).${name}: a function cannot be serialised`,
        ),
        ...['all', 'clear', 'add', 'insert', 'replace', 'delete'].map(
          (name) => `RPC121 TextEditChange(value).${name}: a function cannot be serialised`,
        ),
      ].sort(),
    )
  })

  const range = { start: { line: 0, character: 4 }, end: { line: 2, character: 0 } }
  const location = { uri: 'file:///a.ts', range }

  test.each<[name: string, value: unknown]>([
    ['Position', { line: 1, character: 2 }],
    [
      'Diagnostic',
      { range, message: 'no', severity: 1, code: 'E1', relatedInformation: [{ location, message: 'here' }] },
    ],
    ['Diagnostic', { range, message: 'no', code: 42, tags: [1, 2], data: { any: [null, 'thing'] } }],
    ['WorkspaceEdit', { changes: { 'file:///a.ts': [{ range, newText: 'x' }] } }],
    [
      'WorkspaceEdit',
      {
        documentChanges: [
          {
            textDocument: { uri: 'file:///a.ts', version: null },
            edits: [{ range, newText: 'x', annotationId: 'one' }],
          },
          { kind: 'create', uri: 'file:///b.ts', options: { overwrite: true } },
          { kind: 'rename', oldUri: 'file:///b.ts', newUri: 'file:///c.ts' },
          { kind: 'delete', uri: 'file:///c.ts' },
        ],
        changeAnnotations: { one: { label: 'One', needsConfirmation: true } },
      },
    ],
    ['CompletionItem', { label: 'a', kind: 3, documentation: { kind: 'markdown', value: '*a*' }, insertTextFormat: 2 }],
    ['CompletionItem', { label: 'a', textEdit: { newText: 'b', insert: range, replace: range } }],
    ['SymbolInformation', { name: 'a', kind: 12, location, containerName: 'b' }],
    [
      'DocumentSymbol',
      {
        name: 'a',
        kind: 5,
        range,
        selectionRange: range,
        children: [{ name: 'b', kind: 6, range, selectionRange: range }],
      },
    ],
    ['SelectionRange', { range, parent: { range, parent: { range } } }],
    ['Hover', { contents: ['text', { language: 'ts', value: 'let a' }], range }],
    ['LSPAny', { deep: [1, 'two', [null, { three: true }]] }],
    ['FormattingOptions', { tabSize: 2, insertSpaces: true, trimFinalNewlines: false, own: 'x', other: 1 }],
    [
      'InlayHint',
      { position: range.start, label: [{ value: 'a', command: { title: 't', command: 'c', arguments: [1, {}] } }] },
    ],
    ['CodeAction', { title: 'Fix', kind: 'quickfix.a', edit: { changes: {} }, disabled: { reason: 'no' } }],
    ['FoldingRange', { startLine: 1, endLine: 2, kind: 'imports' }],
  ])('%s is returned unchanged', async (name, value) => {
    expect(await call(name, value)).toEqual(value)
  })

  test.each<[name: string, value: unknown, reason: string]>([
    ['Position', { line: '1', character: 2 }, 'value.line: number, not string of length 1'],
    ['Diagnostic', { range }, 'value.message: string | MarkupContent, not nothing'],
    ['Diagnostic', { range, message: 'no', severity: 5 }, 'value.severity: 1 | 2 | 3 | 4, not int'],
    [
      'WorkspaceEdit',
      { changes: { 'file:///a.ts': [{ range }] } },
      'value.changes["file:///a.ts"][0].newText: string, not nothing',
    ],
    ['CompletionItem', { label: 'a', insertTextFormat: 3 }, 'value.insertTextFormat: 1 | 2, not int'],
    ['SymbolInformation', { name: 'a', kind: 12, location: { uri: 'x' } }, 'value.location.range: Range, not nothing'],
    [
      'DocumentSymbol',
      { name: 'a', kind: 5, range, selectionRange: range, children: [{}] },
      'value.children[0].name: string, not nothing',
    ],
    ['SelectionRange', { range, parent: { range, parent: {} } }, 'value.parent.parent.range: Range, not nothing'],
    [
      'FormattingOptions',
      { tabSize: 2, insertSpaces: true, own: [] },
      'value.own: string | number | boolean | null, not array of length 0',
    ],
    ['FoldingRange', { startLine: 1 }, 'value.endLine: number, not nothing'],
  ])('%s is rejected at the path of the mismatch', async (name, value, reason) => {
    expect(await call(name, value)).toBe(reason)
  })
})

describe.skipIf(skipped('@types/geojson', notInstalled))('@types/geojson', () => {
  const plain = notInstalled === undefined ? exportedTypes('@types/geojson/index.d.ts') : []
  // These have type parameters, each with a default.
  const names = [...plain, 'GeometryCollection', 'Feature', 'FeatureCollection', 'GeoJSON']
  let errors: readonly string[]
  let call: Call

  beforeAll(async () => {
    const served = await serve(echoes('geojson', names))
    errors = served.errors
    call = served.call
  })

  test('every type is compiled, without errors of TypeScript', () => {
    expect(plain).toContain('Geometry')
    expect(errors).toEqual([])
  })

  const point = { type: 'Point', coordinates: [1, 2] }
  const nested = {
    type: 'GeometryCollection',
    geometries: [point, { type: 'GeometryCollection', geometries: [point] }],
  }
  const feature = { type: 'Feature', id: 7, geometry: nested, properties: { name: 'x', tags: [1, null] } }

  test.each<[name: string, value: unknown]>([
    ['Point', point],
    [
      'Geometry',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
        bbox: [0, 0, 1, 1],
      },
    ],
    ['Geometry', nested],
    ['GeometryCollection', nested],
    ['Feature', feature],
    ['Feature', { ...feature, geometry: point, properties: null, bbox: [0, 0, 0, 1, 1, 1] }],
    ['FeatureCollection', { type: 'FeatureCollection', features: [feature, { ...feature, id: 'a' }] }],
    ['GeoJSON', feature],
    ['GeoJSON', nested],
  ])('%s is returned unchanged', async (name, value) => {
    expect(await call(name, value)).toEqual(value)
  })

  test.each<[name: string, value: unknown, reason: string]>([
    ['Point', { type: 'Point', coordinates: ['1', 2] }, 'value.coordinates[0]: number, not string of length 1'],
    [
      'Geometry',
      { type: 'Square' },
      'value.type: "GeometryCollection" | "LineString" | "MultiLineString" | "MultiPoint" | "MultiPolygon" | "Point" | "Polygon", not string of length 6',
    ],
    [
      'Geometry',
      { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [{ type: 'Point' }] }] },
      'value.geometries[0].geometries[0].coordinates: array of number, not nothing',
    ],
    [
      'Feature',
      { ...feature, bbox: [1, 2, 3] },
      'value.bbox: [number, number, number, number] | [number, number, number, number, number, number], not array of length 3',
    ],
    ['Feature', { type: 'Feature', geometry: point }, 'value.properties: object of any | null, not nothing'],
  ])('%s is rejected at the path of the mismatch', async (name, value, reason) => {
    expect(await call(name, value)).toBe(reason)
  })
})

/** Why payloads are rejected: the declared types of these members are newer than the payloads, or differ from them. */
const older = [
  'alert.number: number, not nothing',
  'alert.rule.tags: null, not array of length 1',
  'changes.tier.from.is_one_time: boolean, not nothing',
  'comment.reactions: Reactions, not nothing',
  'forkee.is_template: boolean, not nothing',
  'hook.deliveries_url: string, not nothing',
  'installation.suspended_by: User | null, not nothing',
  'issue.labels.description: string | null, not nothing',
  'label.description: string | null, not nothing',
  'pull_request.draft: boolean, not nothing',
  'pull_request.head.repo.is_template: boolean, not nothing',
  'pull_request.head.repo.web_commit_signoff_required: boolean, not nothing',
  'release.name: string, not null',
  'repository.custom_properties: object of (string | array of string | null), not nothing',
  'repository.is_template: boolean, not nothing',
  'repository.web_commit_signoff_required: boolean, not nothing',
  'security_advisory.cvss: object, not nothing',
  'workflow: Workflow | null, not nothing',
]

interface Examples {
  readonly name: string
  readonly examples: readonly object[]
}

describe.skipIf(skipped('@octokit/webhooks-types', notInstalled))('@octokit/webhooks-types', () => {
  const published = notInstalled === undefined ? (require('@octokit/webhooks-examples') as readonly Examples[]) : []
  // Its payload has a member of the type {}, which declares no members.
  const events = published.filter(({ name }) => name !== 'package')
  let errors: readonly string[]
  let call: Call

  beforeAll(async () => {
    const handlers = events.map(
      ({ name }) =>
        `/** @rpc ${name} */\nexport function $${name}(payload: EventPayloadMap['${name}']): void {\n  payload\n}\n`,
    )
    const push = `/** @rpc answerPush */\nexport function answerPush(payload: PushEvent): PushEvent {\n  return payload\n}\n`
    const imported = "import type { EventPayloadMap, PushEvent } from '@octokit/webhooks-types'\n"
    const served = await serve([imported, ...handlers, push].join('\n'))
    errors = served.errors
    call = served.call
  })

  test('every event is compiled, without errors of TypeScript', () => {
    expect(events.length).toBeGreaterThan(50)
    expect(errors).toEqual([])
  })

  test('a payload with a member of type {} is reported with its path', async () => {
    const source =
      "import type { PackageEvent } from '@octokit/webhooks-types'\n\n/** @rpc */\nexport function packed(payload: PackageEvent): void {\n  payload\n}\n"
    const found = await rejectionsOf(source)
    expect(found.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual([
      'RPC121 packed(payload).package.package_version.body.attributes: {} does not declare its members',
    ])
  })

  test('recorded payloads are accepted, except those that lack a newer required member', async () => {
    const accepted: string[] = []
    const rejected: string[] = []
    for (const { name, examples } of events) {
      for (const example of examples) {
        const response = await call(name, example)
        if (response === null) accepted.push(name)
        else rejected.push(String(response))
      }
    }
    const reasons = [...new Set(rejected.map((each) => each.replace(/^payload\.|\[\d+\]/g, '')))].sort()
    expect(reasons).toEqual(older)
    expect([accepted.length, rejected.length]).toEqual([276, 50])
    expect(new Set(accepted).size).toBe(events.length)
  })

  test('a push is returned unchanged, except for unknown keys', async () => {
    const push = await acceptedExample('push')
    const response = await call('answerPush', push)
    expect(push).toMatchObject(response as object)
    expect(Object.keys(response as object).sort()).toEqual(Object.keys(push).sort())
  })

  test.each(['push', 'release', 'check_run'])(
    '%s without one of its members is rejected with the name',
    async (name) => {
      const example = await acceptedExample(name)
      const optional = ['installation', 'organization']
      const required = Object.keys(example).filter((member) => !optional.includes(member))
      expect(required.length).toBeGreaterThan(3)
      for (const member of required) {
        const { [member]: _without, ...rest } = example
        expect([member, await call(name, rest)]).toEqual([
          member,
          expect.stringMatching(`^payload\\.${member}: .*, not nothing$`),
        ])
      }
    },
  )

  test('a pull request is rejected at the path of the mismatch', async () => {
    const { number: _number, ...numberless } = await acceptedExample('pull_request')
    expect(await call('pull_request', numberless)).toBe('payload.number: number, not nothing')
    // Two of the many have the same action: it is not a discriminant, and still distinguishes most of them.
    const { action: _action, ...actionless } = await acceptedExample('pull_request')
    expect(await call('pull_request', actionless)).toMatch(/^payload.action: "assigned" \| .*, not nothing$/)
  })

  async function acceptedExample(name: string): Promise<Readonly<Record<string, unknown>>> {
    const all = events.find((event) => event.name === name)?.examples ?? []
    for (const example of all) if ((await call(name, example)) === null) return example as Record<string, unknown>
    throw new Error(`no payload of ${name} is accepted`)
  }
})
