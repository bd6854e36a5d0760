// Reports phrasings of scripts/phrases.mjs in pages, and in comments and messages of sources: node scripts/prose.mjs [FILE...]
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { phrases } from './phrases.mjs'
import { root } from './run.mjs'

/** Where the phrasings are listed. */
const exempt = ['docs/internals/glossary.md', 'scripts/phrases.mjs']

/** Replaces code by spaces, so that positions stay. */
function withoutCode(text) {
  return text
    .replace(/^(```+)[\s\S]*?^\1$/gm, blank)
    .replace(/^ {4}\S.*$/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\s]*\)/g, blank)
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ')
}

/** Replaces everything except comment lines by empty lines. */
function commentsOf(text) {
  const isComment = (line) => /^\s*(?:\/\/|\/?\*)/.test(line)
  return text
    .split('\n')
    .map((line) => (isComment(line) ? line.replace(/`[^`]*`/g, blank) : ''))
    .join('\n')
}

/** Replaces everything except the texts of strings that contain a space by spaces. */
function messagesOf(text, path) {
  const kept = [...blank(text)]
  const visit = (node) => {
    const isText = ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)
    if (isText && node.text.includes(' ')) for (let i = node.getStart(); i < node.end; i += 1) kept[i] = text.charAt(i)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return kept.join('')
}

function listed() {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/*.md', 'bench/*.md']
  const sources = ['runtime/*.ts', 'generator/*.ts', 'templates/*.ts', 'scripts/*.mjs', 'bench/*.mjs', 'test/*.ts']
  return execFileSync('git', ['ls-files', ...pages, ...sources], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
}

/** Returns `file:line:column phrase: instead` for each finding. */
function problemsIn(path) {
  const text = readFileSync(join(root, path), 'utf8')
  const checked = phrases.filter(({ pattern }) => pattern)
  const everywhere = checked.filter(({ onlyComments }) => !onlyComments)
  if (path.endsWith('.md')) return findingsIn(withoutCode(text), everywhere, path)
  const messages = path.endsWith('.gen.ts') ? [] : findingsIn(messagesOf(text, path), everywhere, path)
  return [...findingsIn(commentsOf(text), checked, path), ...messages]
}

function findingsIn(text, list, path) {
  return text
    .split('\n')
    .flatMap((line, i) =>
      list.flatMap(({ pattern, instead }) =>
        [...line.matchAll(new RegExp(pattern, 'gi'))].map(
          ({ 0: phrase, index }) => `${path}:${i + 1}:${index + 1} "${phrase.trim()}": ${instead}`,
        ),
      ),
    )
}

const given = process.argv.slice(2)
const paths = (given.length > 0 ? given : listed()).filter(
  (path) => !exempt.includes(path) && existsSync(join(root, path)),
)
const problems = paths.flatMap(problemsIn)
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`${problems.length} phrasings to replace: see docs/internals/glossary.md`)
process.exitCode = problems.length > 0 ? 1 : 0
