import { ts } from 'ts-morph'
import type { AuthModel, Declared } from '../model/model.js'
import type { Analysis } from './analysis.js'
import { reportInComment } from './comments/comments.js'
import type { PlacedTag } from './comments/module-tags.js'
import { type Declaration, exportOf, symbolInScope } from './declarations.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'

/** Returns the predicates in the procedure's own comment, else in its module's. */
export function authOf(
  { comment, node, module, served, guarded }: Declaration,
  name: string,
  analysis: Analysis,
): AuthModel | undefined {
  const { options, problems, project, moduleOf, tagsOf } = analysis
  const tag = comment.doc.tags.find((each) => each.name === 'auth')
  const placed = tag ? { tag, comment } : tagsOf(module).auth
  if (placed) return resolveAuth(placed, project, moduleOf, problems)
  if (!guarded && options.requireAuth) {
    problems.at(node, 'RPC141', `${name} has no auth of its own, and its module has none`, {
      hint: `write @auth isStaff in its doc comment, or @auth public if everyone may call it${served ? '' : '; or pass { auth } where it is registered'}`,
    })
  }
  return undefined
}

/**
 * Resolves `@auth isStaff, {@link isAdmin}` to the modules that export the predicates, in the scope of the comment's
 * file. `@auth public` allows everyone: the word is reserved in modules, so a predicate cannot have this name. Reports a name
 * that does not resolve.
 */
function resolveAuth(
  { tag, comment }: PlacedTag,
  project: OpenProject,
  moduleOf: (source: ts.SourceFile) => string,
  problems: Problems,
): AuthModel | undefined {
  const names = tag.text.split(/[\s,]+(?![^{]*\})/).map((name) => name.replace(/^\{@link\s+([^\s|}]+)[^}]*\}$/, '$1'))
  if (names.length === 1 && names[0] === 'public') return 'public'
  const predicates = names.map((name) => predicateOf(name, comment.source, project, moduleOf))
  const missing = names.filter((_name, i) => !predicates[i])
  for (const name of missing) {
    const { message, hint } = missingPredicate(name)
    reportInComment(comment, { line: tag.line, message }, problems, 'RPC140', { hint })
  }
  return missing.length > 0 ? undefined : predicates.filter((predicate) => predicate !== undefined)
}

function missingPredicate(name: string): { readonly message: string; readonly hint: string } {
  if (name === 'false')
    return { message: '@auth false is not supported', hint: 'write @auth public to let everyone call' }
  if (name === 'public') {
    return { message: '@auth public is combined with a predicate', hint: 'write either @auth public or the predicates' }
  }
  if (name === '')
    return { message: '@auth has no predicate', hint: 'name an exported function: @auth isStaff, or @auth public' }
  const message = `there is no exported predicate ${name} in this file’s scope`
  return { message, hint: 'import it here, and export it where it is declared' }
}

function predicateOf(
  name: string,
  source: ts.SourceFile,
  project: OpenProject,
  moduleOf: (source: ts.SourceFile) => string,
): Declared | undefined {
  const symbol = symbolInScope(name, source, ts.SymbolFlags.Value, project.checker)
  const node = symbol?.valueDeclaration
  const isFunction = node && project.checker.getTypeOfSymbolAtLocation(symbol, node).getCallSignatures().length > 0
  return isFunction ? exportOf(symbol, project, moduleOf) : undefined
}
