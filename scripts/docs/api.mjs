// Writes the pages of docs/reference/api from the exports of the entry points and their docstrings: called by scripts/docs/options.mjs
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Entry points with a page of their own: docs/reference/generated-module.md has the exports that generated modules import. */
const documentedElsewhere = ['rpc-gen/codegen/v1']

/**
 * Returns a page for each entry point.
 *
 * @throws Error if an export or a method has no docstring, or that of an option has no default
 */
export function renderApiPages() {
  const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.paths.json'), 'utf8')).compilerOptions
  const entryPoints = Object.entries(paths).filter(([name]) => !documentedElsewhere.includes(name))
  const pages = entryPoints.map(([name, [path]]) => ({
    name,
    path: `docs/reference/api/${pageOf(name)}`,
    source: path,
  }))
  const homes = new Map()
  const rendered = pages.map((page) => ({ path: join(root, page.path), text: renderPage(page, homes) }))
  if (problems.length > 0) throw new Error(`docstrings to write:\n${problems.splice(0).join('\n')}`)
  return rendered
}

/** `client-websocket.md` for `rpc-gen/client/websocket`; that of `rpc-gen` is `rpc-gen.md`. */
function pageOf(name) {
  return `${name.replace(/^rpc-gen\//, '').replaceAll('/', '-')}.md`
}

const problems = []

function renderPage({ name, source }, homes) {
  const exported = [...exportsOf(join(root, source))].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  const isValue = ([, declarations]) => declarations.some((each) => !isType(each))
  const groups = {
    'Functions, classes and values': exported.filter(isValue),
    Types: exported.filter((each) => !isValue(each)),
  }
  const sections = Object.entries(groups).flatMap(([title, group]) => {
    if (group.length === 0) return []
    return [
      `## ${title}`,
      ...group.map(([exportName, declarations]) => renderExport(exportName, declarations, name, homes)),
    ]
  })
  const note = '<!-- Written by scripts/docs/options.mjs from the docstrings of the sources. -->'
  return `${[`# \`${name}\``, note, moduleDoc(parse(join(root, source))), ...sections].join('\n\n')}\n`
}

function renderExport(exportName, declarations, entryPoint, homes) {
  const [first] = declarations
  const home = homes.get(first)
  const heading = `### \`${exportName}\``
  if (home) return `${heading}\n\nThe same as in [\`${home.entryPoint}\`](${pageOf(home.entryPoint)}#${home.anchor}).`
  homes.set(first, { entryPoint, anchor: exportName.toLowerCase() })
  const docs = declarations.map(docOf).filter(({ text }) => text !== '')
  if (docs.length === 0) problems.push(`${positionOf(first)}: ${exportName} has no docstring`)
  for (const each of declarations) checkMembers(each)
  const code = fenced(declarations.map(signatureOf).join('\n\n'))
  const [summary, ...details] = docs.flatMap(({ text, tags }) => [text, ...tags])
  return [heading, summary, code, ...details].filter(Boolean).join('\n\n')
}

function fenced(code) {
  return `\`\`\`ts\n${code}\n\`\`\``
}

/** Returns the text of a docstring, and its tags as Markdown. */
function docOf(node) {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = docs.map((each) => textOf(each.comment)).join('\n\n')
  const tags = docs.flatMap((each) => [...(each.tags ?? [])])
  const lists = {
    param: tags
      .filter(ts.isJSDocParameterTag)
      .map((tag) => `- \`${tag.name.getText()}\`: ${oneLine(textOf(tag.comment))}`),
    returns: tags.filter(ts.isJSDocReturnTag).map((tag) => `Returns ${oneLine(textOf(tag.comment))}.`),
    throws: tags.filter(ts.isJSDocThrowsTag).map((tag) => `- ${oneLine(textOf(tag.comment))}`),
  }
  const examples = tags.filter((tag) => tag.tagName.text === 'example').map((tag) => fenced(textOf(tag.comment)))
  const throws = lists.throws.length > 0 ? `Throws:\n\n${lists.throws.join('\n')}` : ''
  return { text, tags: [lists.param.join('\n'), lists.returns.join('\n'), throws, ...examples].filter(Boolean) }
}

function textOf(comment) {
  return (ts.getTextOfJSDocComment(comment) ?? '').trim()
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ')
}

function moduleDoc(source) {
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(source.text) ?? []
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
  return lines
    .filter((line) => !line.startsWith('@'))
    .join('\n')
    .trim()
}

/** Returns the declarations of each export of a module by its name. */
function exportsOf(path) {
  const source = parse(path)
  const found = new Map()
  const add = (name, declaration) => found.set(name, [...(found.get(name) ?? []), declaration])
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) addExportsOf(statement, path, found)
    else if (!ts.canHaveModifiers(statement)) continue
    else if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
    else if (ts.isVariableStatement(statement))
      for (const each of statement.declarationList.declarations) add(each.name.getText(), each)
    else add(/** @type {ts.DeclarationStatement} */ (statement).name?.getText(), statement)
  }
  return new Map([...found].map(([name, declarations]) => [name, withoutImplementation(declarations)]))
}

/**
 * Adds the exports of `export { a, type B } from './c.js'`.
 *
 * @param {ts.ExportDeclaration} statement
 */
function addExportsOf(statement, path, found) {
  const { moduleSpecifier: specifier, exportClause: clause } = statement
  if (!specifier || !ts.isStringLiteral(specifier) || !clause || !ts.isNamedExports(clause))
    throw new Error(`${path}: expected exports by name from another module`)
  const from = specifier.text
  const exported = exportsOf(join(dirname(path), from.replace(/\.js$/, '.ts')))
  for (const { name, propertyName } of clause.elements) {
    const declarations = exported.get((propertyName ?? name).text)
    if (!declarations) throw new Error(`${path}: ${name.text} is not declared in ${from}`)
    found.set(name.text, declarations)
  }
}

/** Of an overloaded function, the overloads. */
function withoutImplementation(declarations) {
  const overloads = declarations.filter((each) => !each.body)
  return declarations.length > 1 && overloads.length > 0 ? overloads : declarations
}

const parsed = new Map()

function parse(path) {
  const known = parsed.get(path)
  if (known) return known
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  parsed.set(path, source)
  return source
}

function isType(node) {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

function positionOf(node) {
  const source = node.getSourceFile()
  const { line } = source.getLineAndCharacterOfPosition(node.getStart())
  return `${source.fileName.slice(root.length)}:${line + 1}`
}

/** Returns a declaration without implementation. */
function signatureOf(node) {
  if (ts.isClassDeclaration(node)) return classSignature(node)
  if (ts.isVariableDeclaration(node)) return withoutLintComments(`const ${withoutBodies(node)}`)
  return withoutLintComments(headOf(node).replace(/^export (?:declare )?(?:async )?/, ''))
}

function classSignature(node) {
  const source = node.getSourceFile().text
  const head = source.slice(node.getStart(), node.members.pos).replace(/^export /, '')
  const members = publicMembers(node).map((member) => {
    const comments = ts
      .getJSDocCommentsAndTags(member)
      .filter(ts.isJSDoc)
      .map((each) => `  ${each.getText()}\n`)
    return `${comments.join('')}  ${headOf(member).replace(/^(?:override |async |declare )+/, '')}`
  })
  return withoutLintComments(`${head}\n${members.join('\n')}\n}`)
}

/** Returns the members that callers see; of overloaded methods, the overloads. */
function publicMembers(node) {
  const seen = node.members.filter((member) => {
    if (ts.isClassStaticBlockDeclaration(member) || (member.name && ts.isPrivateIdentifier(member.name))) return false
    return !member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  })
  const isOverloaded = (member) => seen.some((each) => each !== member && nameOf(each) === nameOf(member) && !each.body)
  return seen.filter((member) => !member.body || !isOverloaded(member))
}

function nameOf(member) {
  return member.name?.getText() ?? 'constructor'
}

/** Returns the text before the body, or before the value if the type is declared. */
function headOf(node) {
  const source = node.getSourceFile().text
  const end = node.body?.pos ?? (node.type && node.initializer ? node.type.end : undefined) ?? node.end
  return source.slice(node.getStart(), end).trim()
}

/** Returns a constant with the heads of its methods without their bodies. */
function withoutBodies(node) {
  const bodies = []
  const visit = (each) => (ts.isBlock(each) ? bodies.push(each) : ts.forEachChild(each, visit))
  visit(node)
  const { text } = node.getSourceFile()
  return [node.getStart(), ...bodies.map(({ end }) => end)]
    .map((start, i) => text.slice(start, bodies[i]?.pos ?? node.end))
    .join('')
}

function withoutLintComments(text) {
  return text.replace(/^ *\/\/ biome-ignore.*\n/gm, '')
}

/** Options need a docstring with their default, other members if the name is not enough: methods, and members of classes. */
function checkMembers(node) {
  const isClass = ts.isClassDeclaration(node)
  const members = isClass ? publicMembers(node) : ts.isInterfaceDeclaration(node) ? node.members : []
  for (const member of members) {
    const { text } = docOf(member)
    const name = `${node.name.text}.${nameOf(member)}`
    const isOption = /(?:Options|Limits|Config|Compatibility|Retries)$/.test(node.name.text)
    const isClear =
      ['constructor', 'name'].includes(nameOf(member)) || !(isClass || isOption || ts.isMethodSignature(member))
    if (text === '' && !isClear) problems.push(`${positionOf(member)}: ${name} has no docstring`)
    if (isOption && member.questionToken && !/\bdefaults?\b/i.test(text))
      problems.push(`${positionOf(member)}: ${name} has no default in its docstring`)
  }
}
