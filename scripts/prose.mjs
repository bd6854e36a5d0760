// Reports phrasings that docs/internals/glossary.md replaces, in pages and in comments of the sources: node scripts/prose.mjs [FILE...]
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * For comments of the sources and for pages: a pattern, and what to write instead. Only phrasings that have no other meaning.
 *
 * @type {[pattern: RegExp, instead: string][]}
 */
const rules = [
  [/\btravel(?:s|led|ling)?\b/i, 'be serialised, be supported, be sent'],
  [/\bin place of\b/i, 'instead of'],
  [/\bcounts? for nothing\b/i, 'is unused, has no effect'],
  [/\bsilent holes?\b/i, 'silent gap'],
  [/\bundeclared members\b/i, 'unknown keys'],
  [/\bolder generation\b/i, 'legacy entry points'],
  [/\bwho(?:m)? may call\b/i, 'callers'],
  [/\banswer(?:s|ed|ing)?\b/i, 'response, result; return, respond'],
  [/\b(?:says|(?:is|are|was|were) (?:said|told))\b/i, 'specifies, declares, reports, shows'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|other\b)/i, 'is not a'],
  [/\bstands? (?:in|at|on|there|beside|behind|before|below|above|outside)\b/i, 'is in, is listed in'],
  [/\blies\b|\blie (?:in|at|on|there|beside|below)\b/i, 'is in, is defined in'],
  [/\brefus(?:e|es|ed|al|als|ing)\b/i, 'reject, error'],
  [/\bnobody\b/i, 'name the caller or the reader'],
  [/\bwho(?:so)?ever\b/i, 'name the caller or the reader'],
]

/**
 * The same for comments only.
 *
 * @type {typeof rules}
 */
const commentRules = [
  ...rules,
  [/\b(?:tells?|told|said)\b/i, 'specifies, distinguishes, reports'],
  [/\bstands?\b/i, 'is in, represents'],
  [/\b(?:is|are|was|were) (?:asked|taken|looked at)\b/i, 'is called, is accepted, is read'],
  [/\btaken over\b/i, 'reused'],
  [/\bhears?\b/i, 'receives'],
  [/\bholds?\b/i, 'contains, applies, can represent'],
  [/\bby way of\b/i, 'through, by'],
  [/\bwhat is there\b/i, 'name the thing'],
  [/\bgoes on\b|\bc[oa]mes? back\b/i, 'continues; is returned'],
  [/\bas (?:it|they) stands?\b/i, 'unchanged'],
  [/\bin silence\b|\bwithout a word\b/i, 'silently'],
]

/** Where the phrasings are listed, or are the subject. */
const exempt = ['docs/internals/glossary.md', 'docs/conformance.md']

/** Replaces code by spaces, so that positions stay. */
function withoutCode(text) {
  const blank = (code) => code.replace(/[^\n]/g, ' ')
  return text
    .replace(/^(```+)[\s\S]*?^\1$/gm, blank)
    .replace(/^ {4}\S.*$/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)\s]*\)/g, blank)
}

/** Replaces everything except comment lines by empty lines. */
function commentsOf(text) {
  const isComment = (line) => /^\s*(?:\/\/|\/?\*)/.test(line)
  return text
    .split('\n')
    .map((line) => (isComment(line) ? line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length)) : ''))
    .join('\n')
}

function listed() {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md']
  const sources = ['runtime/*.ts', 'generator/*.ts', 'templates/*.ts', 'scripts/*.mjs', 'bench/*.mjs']
  const patterns = [...pages, ...sources]
  return execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
}

/** Returns `file:line:column phrase: instead` for each finding. */
function problemsIn(path) {
  const text = readFileSync(join(root, path), 'utf8')
  const isPage = path.endsWith('.md')
  const lines = (isPage ? withoutCode(text) : commentsOf(text)).split('\n')
  return lines.flatMap((line, i) =>
    (isPage ? rules : commentRules).flatMap(([pattern, instead]) =>
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
