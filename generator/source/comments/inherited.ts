import { ts } from 'ts-morph'
import { type DocComment, plainText } from '../../doc-comments/index.js'
import type { OpenProject } from '../program/project.js'
import { symbolAt } from '../program/symbols.js'
import { ownComment } from './comments.js'

type Project = Pick<OpenProject, 'checker'>

/**
 * Returns a doc comment in which `{@inheritDoc Base.name}` is the description of that declaration, and `{@inheritDoc}` that of the base of
 * a type or of a member; of a function, the docs of parameters and the result too. If it is not found, the text refers to it by name.
 */
export function withInheritedDocs(
  doc: DocComment,
  declaration: ts.Node,
  project: Project,
  seen: ReadonlySet<ts.Node> = new Set(),
): DocComment {
  if (!/\{@inheritdoc/i.test(doc.description)) return doc
  const inside = new Set([...seen, declaration])
  const found: DocComment[] = []
  const description = plainText(doc.description, (target) => {
    const named = target === '' ? undefined : symbolAt(target, declaration, project.checker)
    const sources = target === '' ? basesOf(declaration, project) : (named?.declarations ?? [])
    const source = sources.find((each) => !inside.has(each) && ownComment(each))
    const own = source && ownComment(source)?.doc
    if (!own) return target === '' ? '' : `See ${target}.`
    const inherited = withInheritedDocs(own, source, project, inside)
    found.push(inherited)
    return inherited.description
  })
  const params = found.flatMap((each) => each.params.map((param) => ({ ...param, line: 0 })))
  const further = params.filter(({ name }) => doc.params.every((each) => each.name !== name))
  const returns = doc.returns ?? found.find((each) => each.returns)?.returns
  return { ...doc, description, params: [...doc.params, ...further], ...(returns && { returns }) }
}

/** The declarations of the same member in the bases of its type, or the bases of a type. */
function basesOf(declaration: ts.Node, { checker }: Project): readonly ts.Node[] {
  const isType = ts.isInterfaceDeclaration(declaration) || ts.isClassLike(declaration)
  const owner = isType ? declaration : declaration.parent
  if (!ts.isInterfaceDeclaration(owner) && !ts.isClassLike(owner)) return []
  const bases = (owner.heritageClauses ?? []).flatMap(({ types }) =>
    types.map((each) => checker.getTypeAtLocation(each)),
  )
  const { name } = declaration as ts.NamedDeclaration
  const symbols = bases.map((each) => (isType ? each.symbol : name && each.getProperty(name.getText())))
  return symbols.flatMap((symbol) => symbol?.declarations ?? [])
}
