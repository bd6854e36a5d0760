// The generated module. Names are chosen first, then every part is printed; `moduleText` lists the parts in the order of the file:
//
//   add: procedure(math.add, { params: { a: number, b: number }, returns: number }),
import type { Model, NamedType, ProcedureModel } from '../../generator/model/model.js'
import { memberKey, quote } from '../../generator/text.js'
import { defineTypes, namedConstants } from './constants.js'
import { definitionText, describeEntry, ownType } from './definitions.js'
import { header, importsIn, importTexts, interfaceMember, linesText, type SourceLine, typeDeclaration } from './file.js'
import { compiledType, errorsType, functionType, paramsType } from './functions.js'
import { codecAccess, type DefinitionContext, type Dialect, namespaceOf, typeLayout } from './kinds.js'
import {
  alternatives,
  braces,
  docBlock,
  generic,
  intersection,
  type Layout,
  members,
  type Name,
  print,
  typeofMember,
} from './layout.js'
import { reuseParts, type TextMemo } from './memo.js'
import { importId, type ModuleNames, nameModule } from './names.js'
import { procedureEntry } from './procedures.js'
import { codegen } from './scope.js'

/** How the sources are imported and the manifest is made. */
interface ModuleSettings {
  /** Returns how a module is written in an import. */
  readonly specifier: (module: string) => string
  /** True if RPC_METHODS_MODULES is set. */
  readonly methods: boolean
}

/** Texts, and the names in them that are imported. */
interface Printed {
  readonly texts: readonly string[]
  readonly imports: readonly Name[]
}

/** The part of a module that depends on the types and the signatures, and not on the docs of procedures. */
interface StaticParts {
  readonly names: ModuleNames
  /** The definitions of the types. */
  readonly definitions: Printed
  /** The server and the types of the procedures. */
  readonly server: Printed
  /** The JSON forms of the types. */
  readonly json: Printed
}

/** Some procedures: their entries in the manifest, and their members in each of `interfaces`. */
interface PrintedProcedures {
  readonly entries: string
  readonly members: readonly string[]
  readonly imports: readonly Name[]
}

/** The text of a generated module: a pure function of the model. */
export function moduleText(model: Model, { specifier, methods }: ModuleSettings, memo?: TextMemo): string {
  const types = new Map(model.types.map((each) => [each.name, each]))
  const served = model.procedures.filter((each) => !each.registered)
  const registered = model.procedures.filter((each) => each.registered)
  const { parts, ofProcedures } = reuseParts(model, () => printStaticParts(model, served, types), memo)
  const { names, definitions, server, json } = parts
  const context = createContext(names, types)
  const printOrReuse = (procedures: readonly ProcedureModel[], of: readonly ProcedureInterface[]) =>
    ofProcedures(procedures, () => printProcedures(procedures, of, context))
  const bySource = groupBySource(served).map((each) => printOrReuse(each, interfaces))
  const byHand = distinctNames(registered).map((each) => printOrReuse(each, []))
  const manifest = codegen(methods ? 'methodsModulesManifest' : 'manifest')
  const imports = [definitions, server, json, ...bySource, ...byHand].flatMap((each) => each.imports)
  return `${[
    header(['@ts-nocheck The declared types are checked where `procedures`, `server` or `router` is used.']) +
      importTexts([manifest, ...fixedImports, ...imports], context.names.modules, specifier),
    ...definitions.texts,
    manifestText(manifest, functionsName(served), bySource, byHand),
    ...server.texts,
    jsonProcedures,
    ...interfaceTexts(bySource),
    ...json.texts,
  ].join('\n\n')}\n`
}

/** Defines the types, and prints what does not depend on the docs of procedures. */
function printStaticParts(
  model: Model,
  served: readonly ProcedureModel[],
  types: ReadonlyMap<string, NamedType>,
): StaticParts {
  const named = nameModule(model, served, types)
  const { definitions, constants } = defineTypes(model, named, types)
  const names = { ...named.names, constants }
  const context = createContext(names, types)
  const described = printLines(named.types.length > 0 ? [describeLines(named.types, names)] : [])
  return {
    names,
    definitions: {
      texts: [...joinOneLiners(definitions.map(definitionText)), ...described.texts],
      imports: [...importsIn(definitions.flatMap(({ head, body = [] }) => [head, ...body])), ...described.imports],
    },
    server: printLines([...serverLines(served), ...procedureTypes(served, names)]),
    json: printLines(jsonTypes(context)),
  }
}

/** Prints blocks of lines. */
function printLines(blocks: readonly (readonly SourceLine[])[]): Printed {
  return { texts: blocks.map(linesText), imports: importsIn(blocks.flat().map(({ layout }) => layout)) }
}

/** Joins definitions of one line without a blank line between them. */
function joinOneLiners(texts: readonly string[]): string[] {
  const joined: string[] = []
  for (const [i, text] of texts.entries()) {
    if (i > 0 && !`${text}${texts[i - 1]}`.includes('\n')) joined[joined.length - 1] += `\n${text}`
    else joined.push(text)
  }
  return joined
}

function describeLines(types: readonly NamedType[], { definitions }: ModuleNames): SourceLine[] {
  const entryOf = (type: NamedType) => describeEntry(type, { name: definitions.get(type.name) ?? type.name })
  const unnamed = types.filter(({ anonymous }) => anonymous)
  const named = types.filter(({ anonymous }) => !anonymous)
  const lists = [braces(named.map(entryOf)), ...(unnamed.length > 0 ? [', ', braces(unnamed.map(entryOf))] : [])]
  const about = unnamed.length > 0 ? '; those of the second list are unnamed in the source.' : '.'
  const doc = `The names and docs of types, for errors, schemas and docs${about}`
  return [{ doc, layout: [codegen('describeTypes'), '(', ...lists, ')'] }]
}

/** What a module is printed with when all its names are known. */
interface ModuleContext extends DefinitionContext {
  readonly types: ReadonlyMap<string, NamedType>
  readonly names: ModuleNames
  /** The types as the sources declare them. */
  readonly source: Dialect
  /** The types as JSON carries their values. */
  readonly json: Dialect
}

function createContext(names: ModuleNames, types: ReadonlyMap<string, NamedType>): ModuleContext {
  const typeOf = (name: string) => types.get(name) as NamedType
  const source: Dialect = {
    name: 'source',
    decoded: (type) => generic(codegen('Decoded'), [codecAccess(type, names, typeofMember)]),
    named(ref, dialect) {
      const { declared, type } = typeOf(ref.name)
      if (!declared) return typeLayout(type, dialect)
      const { module, name, member } = declared
      const imported = { name: names.imported.get(importId(declared)) ?? name, from: { module, export: name } }
      return member === undefined ? imported : [imported, `.${member}`]
    },
  }
  const json: Dialect = {
    name: 'json',
    named: ({ name }) => names.json.get(name) ?? typeLayout(typeOf(name).type, json),
  }
  const { definitions, modules } = names
  const use = { user: 'procedures', at: types.size, path: '', member: '' }
  return { types, definitions, modules, constants: namedConstants(names.constants), use, names, source, json }
}

/** Groups procedures by their source: after an edit, those of other sources are not printed again. */
function groupBySource(procedures: readonly ProcedureModel[]): ProcedureModel[][] {
  const groups: ProcedureModel[][] = []
  for (const each of procedures) {
    const last = groups.at(-1)
    if (last?.[0]?.module === each.module) last.push(each)
    else groups.push([each])
  }
  return groups
}

/** An interface that has a member for each procedure. */
interface ProcedureInterface {
  readonly name: string
  readonly doc: string
  /** The type of the member; undefined for a procedure without one. */
  readonly memberType: (procedure: ProcedureModel, context: ModuleContext) => Layout | undefined
}

const interfaces: readonly ProcedureInterface[] = [
  { name: 'JsonFunctions', doc: '', memberType: (each, { json }) => functionType(each, json) },
  {
    name: 'JsonParams',
    doc: 'The parameters by name, over JSON.',
    memberType: (each, { json }) => paramsType(each, json),
  },
  {
    name: 'JsonErrors',
    doc: 'The errors that `@throws` declares, with their data over JSON: for `RpcErrorGuard`.',
    memberType: (each, { json }) => errorsType(each, json),
  },
  {
    name: 'Compiled',
    doc: 'The functions as generated. If one is not assignable to its type, using the exports above is a compile error.',
    memberType: (each, { source, types }) => compiledType(each, source, types),
  },
]

function printProcedures(
  procedures: readonly ProcedureModel[],
  of: readonly ProcedureInterface[],
  context: ModuleContext,
): PrintedProcedures {
  const blocks = of.map(({ memberType }) =>
    procedures.flatMap((each) => {
      const type = memberType(each, context)
      return type ? interfaceMember({ name: each.name, type, doc: '' }) : []
    }),
  )
  const manifest = procedures.map((each) => ({ indent: 2, layout: procedureEntry(each, context), end: ',' }))
  const { texts, imports } = printLines([manifest, ...blocks])
  const [entries = '', ...members] = texts
  return { entries, members, imports }
}

function interfaceTexts(served: readonly PrintedProcedures[]): string[] {
  return interfaces.flatMap(({ name, doc }, i) => {
    const members = served.flatMap((each) => each.members[i] || [])
    return members.length === 0 ? [] : [`${docBlock(doc)}export interface ${name} {\n${members.join('\n')}\n}`]
  })
}

/** What every module imports. */
const fixedImports = ['IfUpToDate', 'Manifest', 'Retyped', 'Router', 'RpcServer'].map(codegen)

/** `export const procedures: IfUpToDate<…> = manifest({ … })` */
function manifestText(
  manifest: Name,
  functions: string,
  bySource: readonly PrintedProcedures[],
  byHand: readonly PrintedProcedures[],
): string {
  const listText = (all: readonly PrintedProcedures[]) =>
    all.length === 0 ? '{}' : `{\n${all.map(({ entries }) => entries).join('\n')}\n}`
  const type = generic('IfUpToDate', [functions, 'Compiled', 'Manifest<Procedures, JsonProcedures, JsonParams>'])
  const start = print(['export const procedures: ', type, ' = ', manifest, '('], 0, 0, '{'.length)
  const lists = [listText(bySource), ...byHand.map((each) => listText([each]))]
  const about = byHand.length > 0 ? ' Those of the second list are served where they are registered.' : ''
  return `/** The procedures, by name.${about} */\n${start}${lists.join(', ')})`
}

/** Functions that are registered by hand may share a name; each list contains it once. */
function distinctNames(procedures: readonly ProcedureModel[]): ProcedureModel[][] {
  const lists: ProcedureModel[][] = []
  for (const each of procedures) {
    const list = lists.find((others) => others.every(({ name }) => name !== each.name))
    if (list) list.push(each)
    else lists.push([each])
  }
  return lists
}

const jsonProcedures = `/** The same over JSON: Date, bigint and bytes are strings, Set is an array, Map an object. */
export type JsonProcedures = Retyped<Procedures, JsonFunctions>`

function serverLines(served: readonly ProcedureModel[]): SourceLine[][] {
  const typeOf = (type: string) => generic('IfUpToDate', [functionsName(served), 'Compiled', type])
  const server = typeOf('RpcServer<Procedures, JsonParams, JsonProcedures>')
  return [
    [
      {
        doc: 'A server of these procedures, with all defaults.',
        layout: ['export const server: ', server, ' = new RpcServer({ procedures })'],
      },
    ],
    [
      {
        doc: "A Hono app that serves them at its `/`: `app.route('/rpc', router)`.",
        layout: ['export const router: ', typeOf('Router'), ' = server.router()'],
      },
    ],
  ]
}

/** The type of the served functions: `Procedures`, unless a function has a context, which callers do not pass. */
function functionsName(served: readonly ProcedureModel[]): string {
  return served.some(({ contextAt }) => contextAt.length > 0) ? 'Functions' : 'Procedures'
}

function procedureTypes(served: readonly ProcedureModel[], names: ModuleNames): SourceLine[][] {
  const doc = 'Method name to function.'
  const functions = proceduresType(served, names)
  if (functionsName(served) === 'Procedures') return [[{ doc, layout: ['export type Procedures = ', functions] }]]
  return [
    [{ doc, layout: ['export type Procedures = ', codegen('OmitContext'), '<Functions>'] }],
    [{ layout: ['type Functions = ', functions] }],
  ]
}

/** `Pick<typeof math, 'add'> & Renamed<typeof users, { create: 'user.create' }>`: so a hover shows the docs of the source. */
function proceduresType(served: readonly ProcedureModel[], names: ModuleNames): Layout {
  const groups = new Map<string, { readonly own: Layout[]; readonly renamed: Layout[] }>()
  for (const each of served) {
    const module = namespaceOf(each.module, names)
    const [source, last] =
      each.member === undefined ? [`typeof ${module}`, each.export] : [typeofMember(module, each.export), each.member]
    const { own, renamed } = groups.get(source) ?? { own: [], renamed: [] }
    groups.set(source, { own, renamed })
    if (last === each.name) own.push(quote(last))
    else renamed.push(`${memberKey(last)}: ${quote(each.name)}`)
  }
  const types = [...groups].flatMap(([source, { own, renamed }]) => [
    ...(own.length > 0 ? [generic('Pick', [source, alternatives(own)])] : []),
    ...(renamed.length > 0 ? [generic(codegen('Renamed'), [source, members(renamed)])] : []),
  ])
  return types.length === 0 ? 'Record<never, never>' : intersection(types)
}

/** The types over JSON that have a name. */
function jsonTypes({ names, types, json }: ModuleContext): SourceLine[][] {
  const lines = Array.from(names.json, ([name, own]) => {
    return typeDeclaration(ownType(own, types.get(name) as NamedType, json, false))
  })
  return lines.length === 0 ? [] : [lines.flat()]
}
