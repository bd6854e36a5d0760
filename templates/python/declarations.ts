// The types that a client declares, with their docs: an object is a class, other types with a name are aliases.
//
//   class Movement(TypedDict):
//       sku: str

import type { ModelType, NamedType, OfKind } from '../../generator/model/model.js'
import { pythonKeywords } from '../../generator/text.js'
import { innerTypesOf } from '../../runtime/description/described-types.js'
import { paragraphs } from '../docs.js'
import { bullet, valueDoc } from './docs.js'
import { call, dict, docstring, flat, print, quote, subscript } from './layout.js'
import type { PythonScope } from './names.js'
import { annotation, bodyOf, type PythonCodec, type PythonTypes, targetOf } from './types.js'

/** The names of types of a module, and what their declarations use. */
export interface Declarations extends PythonTypes {
  /** The types to declare, by their Python names, in the order of their first use. */
  readonly declared: ReadonlyMap<string, ModelType>
  /** The custom scalars that have Python classes, by name. */
  readonly codecs: ReadonlyMap<string, OfKind<'custom'>>
  /** The names of typing that were used. */
  readonly used: ReadonlySet<string>
}

/** Names all types that the roots refer to. Without recursion: a row of types may be long. */
export function createDeclarations(
  all: readonly NamedType[],
  roots: readonly ModelType[],
  scalars: ReadonlyMap<string, PythonCodec>,
  scope: PythonScope,
): Declarations {
  const types = new Map(all.map((type) => [type.name, type]))
  const names = new Map<string, string>()
  const declared = new Map<string, ModelType>()
  const codecs = new Map<string, OfKind<'custom'>>()
  const open = roots.toReversed()
  for (let type = open.pop(); type; type = open.pop()) {
    const target = type.kind === 'ref' ? targetOf(type, { types, scalars }) : type
    const named = target.kind === 'ref' ? types.get(target.name) : undefined
    if (target.kind === 'ref' && (!named || names.has(target.name))) continue
    const body = named ? bodyOf(named) : target
    if (named) {
      const name = scope.claim(named.name)
      names.set(named.name, name)
      declared.set(name, body)
    } else if (target.kind === 'custom' && scalars.has(target.name)) {
      if (codecs.has(target.name)) continue
      codecs.set(target.name, target)
    }
    open.push(...innerTypesOf(body).toReversed())
  }
  const used = new Set<string>()
  return {
    types,
    scalars,
    declared,
    codecs,
    used,
    named: (name) => names.get(name) as string,
    typing(name) {
      used.add(name)
      return name
    },
  }
}

/** Names in a class body that annotations of the same body refer to are not available for its members. */
export const annotationNames: readonly string[] =
  'int str float bool bytes property overload datetime Any List Dict Set Tuple Union Optional Literal NotRequired TypedDict Unset UNSET'.split(
    ' ',
  )

/** The names that members of classes do not get. */
export function namesInModule({ declared, scalars }: Declarations): ReadonlySet<string> {
  return new Set([...annotationNames, ...declared.keys(), ...codecModules(scalars)])
}

/** The declaration of every type: classes for objects, aliases for the others. */
export function declarationsText(own: Declarations, docs: ReadonlyMap<string, string>): string[] {
  const taken = namesInModule(own)
  return Array.from(own.declared, ([name, type]) => {
    const doc = docs.get(name) ?? ''
    if (type.kind !== 'struct' || type.indexes) return aliasText(name, type, doc, own)
    // A TypedDict has no member without a name.
    if (type.members.some((each) => each.name === '')) return aliasText(name, { ...type, indexes: [] }, doc, own)
    own.typing('TypedDict')
    const isClass = type.members.every((each) => isMemberName(each.name, taken))
    return isClass ? classText(name, type, doc, own) : callText(name, type, doc, own)
  })
}

/** The names that the imports of the classes of custom scalars bind. */
export function codecModules(scalars: ReadonlyMap<string, PythonCodec>): string[] {
  return [...scalars.values()]
    .flatMap((each) => [each.type, each.decode, each.encode])
    .map((each) => each.split('.')[0] as string)
}

/** True if a text can be the name of a member in the body of a class, exactly as it is. */
function isMemberName(text: string, taken: ReadonlySet<string>): boolean {
  return /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !pythonKeywords.has(text) && !taken.has(text)
}

/** Its docs are below it, where Sphinx and editors read those of a name. */
function aliasText(name: string, type: ModelType, doc: string, own: Declarations): string {
  return `${print([`${name} = `, annotation(type, own, true)])}\n${docstring(doc, 0)}`.trimEnd()
}

type Struct = OfKind<'struct'>

function classText(name: string, { members }: Struct, doc: string, own: Declarations): string {
  const body = members.map((each) => {
    const type = annotation(each.type, own)
    const layout = each.optional ? subscript(own.typing('NotRequired'), [type]) : type
    return `    ${print([`${each.name}: `, layout], 4)}\n${docstring(valueDoc(each, each.type), 4)}`
  })
  const text = docstring(doc, 4)
  const all = text + (text && body.length > 0 ? '\n' : '') + body.join('')
  return `class ${name}(TypedDict):\n${all || '    pass\n'}`.trimEnd()
}

/** A TypedDict of members whose names are not identifiers. */
function callText(name: string, { members }: Struct, doc: string, own: Declarations): string {
  const entries = members.map((each) => {
    const type = flat(annotation(each.type, own))
    return [each.name, quote(each.optional ? `${own.typing('NotRequired')}[${type}]` : type)] as const
  })
  const docs = members.flatMap((each) => bullet(each.name, valueDoc(each, each.type)))
  const text = docstring(paragraphs([doc, docs.join('\n')]), 0)
  return `${print([`${name} = `, call('TypedDict', [quote(name), dict(entries)])])}\n${text}`.trimEnd()
}
