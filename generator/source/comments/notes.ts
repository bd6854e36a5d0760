// The docs of types, members and parameters, which their comments have:
//
//   /** @default 5 */  →  { default: 5 }
import { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/description/description.js'
import { fits } from '../../../runtime/description/json-types.js'
import type { ValueNotes } from '../../../runtime/values/types.js'
import { type DocComment, plainText, readMeta } from '../../doc-comments/index.js'
import type { ModelType } from '../../model/model.js'
import { symbolAt } from '../program/checker.js'
import { literalIn, noValue } from '../program/literals.js'
import type { OpenProject } from '../program/project.js'
import { ownComment } from './comments.js'

/** Returns the docs of a type, a member or a parameter: those of its first declaration that has any. */
export function notesOf(
  declarations: readonly ts.Node[],
  project: Pick<OpenProject, 'program' | 'checker'>,
): ValueNotes {
  for (const declaration of declarations) {
    // The docs of the language's own types do not describe an API.
    if (project.program.isSourceFileDefaultLibrary(declaration.getSourceFile())) return {}
    const own = ownComment(declaration)?.doc
    const doc = own && withInheritedDocs(own, declaration, project)
    const deprecated = doc?.tags.filter(({ name }) => name === 'deprecated') ?? []
    const notes = doc && {
      ...(doc.description !== '' && { doc: doc.description }),
      ...readMeta({ tags: deprecated }).meta,
      ...documentedDefault(defaultTextIn(doc)),
    }
    if (notes && Object.keys(notes).length > 0) return notes
  }
  return {}
}

/** Returns the text of `@default` of JSDoc, `@defaultValue` of TSDoc. */
function defaultTextIn({ tags }: DocComment): string | undefined {
  return tags.find(({ name }) => /^default(?:value)?$/i.test(name))?.text
}

/** Returns the default that a text documents: the value of a literal, or else the text itself. `undefined` is none. */
export function documentedDefault(text = ''): Pick<ValueNotes, 'default'> {
  const plain = text.replace(/^`([^`]*)`$/, '$1')
  if (text === '' || plain === 'undefined') return {}
  const value = literalIn(plain)
  return { default: value === noValue ? plain : value }
}

/** Returns a member or a parameter with its default as text of its docs if that is not a value of its type: `@default one hour`. */
export function withFittingDefault<T extends ValueNotes & { readonly type: ModelType }>(of: T, types: TypesByName): T {
  const { default: value, ...others } = of
  if (value === undefined || fits(value, of.type, types)) return of
  const text = `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  return { ...others, doc: [of.doc ?? '', text].filter(Boolean).join('\n\n') } as T
}

/** Returns a type with the defaults of its members as `withFittingDefault` does. */
export function withFittingDefaults(type: ModelType, types: TypesByName): ModelType {
  if (type.kind !== 'struct' || type.members.every((each) => each.default === undefined)) return type
  return { ...type, members: type.members.map((each) => withFittingDefault(each, types)) }
}

/**
 * Returns a doc comment in which `{@inheritDoc Base.name}` is the description of that declaration, and `{@inheritDoc}` that of the base of
 * a type or of a member; of a function, the docs of parameters and the result too. If it is not found, the text refers to it by name.
 */
export function withInheritedDocs(
  doc: DocComment,
  declaration: ts.Node,
  project: Pick<OpenProject, 'checker'>,
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
function basesOf(declaration: ts.Node, { checker }: Pick<OpenProject, 'checker'>): readonly ts.Node[] {
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
