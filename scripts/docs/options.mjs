// Writes the parts of the docs that are in the code: the tables of options, from generator/options/table.ts and from docstrings, and the
// pages of docs/reference/api: node scripts/docs/options.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { renderApiPages } from './api.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where the interface of each table of docs/reference/options.md is declared. */
const sources = {
  RpcServerOptions: 'runtime/options.ts',
  Limits: 'runtime/call/limits.ts',
  StreamOptions: 'runtime/options.ts',
  Compatibility: 'runtime/compatibility/options.ts',
  RpcNamespaceOptions: 'runtime/server/registry.ts',
  RegisterOptions: 'runtime/server/registry.ts',
  WebSocketOptions: 'runtime/websocket/options.ts',
  ConnectionLimits: 'runtime/websocket/options.ts',
  McpOptions: 'runtime/mcp/options.ts',
  StdioOptions: 'runtime/mcp/options.ts',
  NatsOptions: 'runtime/nats/options.ts',
}

/** Returns every page that has such tables, with up-to-date tables, and the pages of the entry points. */
export async function renderPages() {
  const { optionTable, diffTable, flagsTable, keysTable } = await importTypeScript('generator/options/table.ts')
  const docstrings = Object.entries(sources).map(([name, path]) => [name, () => docstringsTable(name, path)])
  const pages = {
    'docs/reference/cli.md': { flags: () => flagsTable(optionTable), keys: () => keysTable(optionTable) },
    'docs/reference/diff.md': { flags: () => flagsTable(diffTable) },
    'docs/reference/options.md': Object.fromEntries(docstrings),
    'docs/guide/issues.md': { IssueLimits: codesTable },
  }
  const withTables = Object.entries(pages).map(([page, tables]) => ({
    path: join(root, page),
    text: rendered(page, tables),
  }))
  return [...withTables, ...renderApiPages()]
}

function rendered(page, tables) {
  return Object.entries(tables).reduce(
    (text, [name, table]) => {
      const marks = new RegExp(`(<!-- options:${name} -->\n)[^]*?(<!-- /options -->)`)
      if (!marks.test(text)) throw new Error(`${page} has no table ${name}`)
      return text.replace(marks, (_, start, end) => `${start}${escapeBars(table())}\n${end}`)
    },
    readFileSync(join(root, page), 'utf8'),
  )
}

/** Imports a module whose only imports are types. */
async function importTypeScript(path) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
  const { outputText } = ts.transpileModule(readFileSync(join(root, path), 'utf8'), { compilerOptions })
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`)
}

function docstringsTable(name, path) {
  const rows = documentedMembers(name, path).map(
    ({ name, type, description }) => `| \`${name}\` | \`${type}\` | ${description} |`,
  )
  return ['| option | type | |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Returns the codes of issues with the types of their limits. */
function codesTable() {
  const rows = documentedMembers('IssueLimits', 'runtime/values/issue.ts').map(({ name, type, description }) => {
    const limit = type?.replace(/ ?\|? ?undefined$/, '')
    return `| \`${name}\` | ${limit ? `\`${limit}\`` : '–'} | ${description} |`
  })
  return ['| code | limit | |', '| --- | --- | --- |', ...rows].join('\n')
}

function documentedMembers(name, path) {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const declared = source.statements.filter(ts.isInterfaceDeclaration).find((each) => each.name.text === name)
  if (!declared) throw new Error(`${path} declares no interface ${name}`)
  return declared.members.filter(ts.isPropertySignature).map((member) => {
    const option = member.name.getText()
    const [comment] = ts.getJSDocCommentsAndTags(member)
    if (!comment) throw new Error(`${path}: ${name}.${option} has no docstring`)
    const description = ts.getTextOfJSDocComment(comment.comment ?? '')?.replace(/\s+/g, ' ')
    return { name: option, type: member.type?.getText(), description }
  })
}

/** Escapes vertical bars between backticks, where they are part of a type. */
function escapeBars(table) {
  return table.replace(/ \| (?=['(\w])/g, (or, at) => (isInCode(table, at) ? ' \\| ' : or))
}

function isInCode(text, at) {
  return text.slice(text.lastIndexOf('\n', at) + 1, at).split('`').length % 2 === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text } of await renderPages()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
