// Writes the tables of docs/options.md from the docstrings of the options: node scripts/options.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The page with the tables. */
export const optionsPage = join(root, 'docs/options.md')

/** Where the interface of each table is declared. */
const sources = {
  RpcServerOptions: 'runtime/server/options.ts',
  Limits: 'runtime/call/limits.ts',
  RpcNamespaceOptions: 'runtime/server/registry.ts',
  RegisterOptions: 'runtime/server/registry.ts',
  WebSocketOptions: 'runtime/websocket/index.ts',
  ConnectionLimits: 'runtime/websocket/limits.ts',
  McpOptions: 'runtime/mcp/options.ts',
  StdioOptions: 'runtime/mcp/options.ts',
  NatsOptions: 'runtime/nats/options.ts',
}

/** Returns the page with the tables as the docstrings are now. */
export function renderOptions() {
  const page = readFileSync(optionsPage, 'utf8')
  return Object.entries(sources).reduce((text, [name, path]) => {
    const marks = new RegExp(`(<!-- options:${name} -->\n)[^]*?(<!-- /options -->)`)
    if (!marks.test(text)) throw new Error(`docs/options.md has no table ${name}`)
    return text.replace(marks, (_, start, end) => `${start}${tableOf(name, path)}\n${end}`)
  }, page)
}

function tableOf(name, path) {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const declared = source.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name)
  const rows = declared.members.map((member) => {
    const [comment] = ts.getJSDocCommentsAndTags(member)
    if (!comment) throw new Error(`${path}: ${name}.${member.name.text} has no docstring`)
    const description = ts.getTextOfJSDocComment(comment.comment).replace(/\s+/g, ' ')
    return `| \`${member.name.text}\` | \`${member.type.getText()}\` | ${description} |`.replace(
      / \| (?='|\w)/g,
      (or, at, row) => (isInCode(row, at) ? ' \\| ' : or),
    )
  })
  return ['| option | type | |', '| --- | --- | --- |', ...rows].join('\n')
}

/** True between backticks, where a vertical bar is part of a type. */
function isInCode(row, at) {
  return row.slice(0, at).split('`').length % 2 === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(optionsPage, renderOptions())
