// The generated module. Layouts of all definitions are made first, then their constants are named, then lines are broken:
//
//   add: procedure(math.add, { params: { a: number, b: number }, returns: number }),
import type { Model, ModelType, NamedType, ProcedureModel } from '../../generator/model/model.js'
import {
  alternatives,
  braces,
  call,
  generic,
  importName,
  intersection,
  key,
  type Layout,
  members,
  type Name,
  print,
  quote,
  someName,
  typeofMember,
} from '../layout.js'
import { contentOf, createConstants, isShareable } from './constants.js'
import { definitionOf, definitionText, describeEntry, isFunction, lazy, ownType } from './definitions.js'
import { header, importStatement, interfaceMember, type Line, linesText, typeDeclaration } from './file.js'
import { errorsText, functionText, paramsText, sourceText } from './functions.js'
import { codecText, type DefinitionContext, type Dialect, textOf } from './kinds.js'
import { importId, type ModuleNames, nameModule } from './names.js'
import { procedureEntry } from './procedures.js'
import { codegen, codegenModule, lowerFirst } from './scope.js'

/** How the sources are imported and the manifest is made. */
export interface ModuleSettings {
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
  /** The identifiers by kind, those of the constants by the content of their types. */
  readonly names: readonly (readonly [kind: string, names: readonly (readonly [string, string])[]])[]
  /** The hash of the types and the names: texts of procedures depend on nothing else of the model. */
  readonly environment: string
  /** The definitions of the types. */
  readonly definitions: Printed
  /** The server and the types of the procedures. */
  readonly procedures: Printed
  /** The JSON forms of the types. */
  readonly json: Printed
}

/** Reuses what the run before has printed, while watching or from its cache. */
export interface TextMemo {
  /** Returns what the run before made for the key, or makes it. It is stored as JSON. */
  reuse<T extends object>(key: () => string, make: () => T): T
  /** Returns the hash of a record, or of a part of it; `part` is the same function for all records. */
  hash<T extends object>(record: T, part?: (record: T) => object): string
}

/** Prints everything again. */
const noMemo: TextMemo = { reuse: (_key, make) => make(), hash: () => '' }

/** The text of a generated module: a pure function of the model. */
export function moduleText(model: Model, { specifier, methods }: ModuleSettings, memo: TextMemo = noMemo): string {
  const types = new Map(model.types.map((each) => [each.name, each]))
  const hashAll = <T extends object>(all: readonly T[], part?: (each: T) => object) =>
    all.map((each) => memo.hash(each, part))
  const entries = new Map<ProcedureModel, Layout>()
  const parts = memo.reuse(
    () => memo.hash([hashAll(model.types), hashAll(model.procedures, withoutDocs)]),
    () => printStaticParts(model, types, entries, (names) => memo.hash([hashAll(model.types), names])),
  )
  const { constants, ...names } = Object.fromEntries(
    parts.names.map(([kind, all]) => [kind, new Map(all)]),
  ) as unknown as {
    readonly [K in keyof ModuleNames | 'constants']: ReadonlyMap<string, string>
  }
  const context = {
    ...definitionContext(names, types),
    isShared: (type: ModelType) => isShareable(type) && constants.has(contentOf(type)),
    constant: (type: ModelType) => ({ name: constants.get(contentOf(type)) ?? '' }),
  }
  const entryOf = (each: ProcedureModel) => entries.get(each) ?? procedureEntry(each, context)
  const textsOf = (procedures: readonly ProcedureModel[]): Printed => {
    const key = () => memo.hash([parts.environment, hashAll(procedures)])
    return memo.reuse(key, () => printProcedures(procedures, entryOf, createForms(names, types), types))
  }
  const procedures = model.procedures.filter((each) => !each.registered)
  const served = groupBySource(procedures).map(textsOf)
  const registered = distinctNames(model.procedures.filter((each) => each.registered)).map(textsOf)
  const manifest = codegen(methods ? 'methodsModulesManifest' : 'manifest')
  const imports = [
    ...[manifest, ...fixedImports],
    ...[...served, ...registered, parts.definitions, parts.procedures, parts.json].flatMap((each) => each.imports),
  ]
  const blocks = [
    ...parts.definitions.texts,
    manifestText(served, registered, functionsName(procedures), manifest),
    ...parts.procedures.texts,
    ...typeTexts(served),
    ...parts.json.texts,
  ]
  const head = header(['@ts-nocheck The declared types are checked where `procedures`, `server` or `router` is used.'])
  return `${[head + importTexts(imports, names, specifier), ...blocks].join('\n\n')}\n`
}

/** A procedure as the names of a module depend on it. */
function withoutDocs(procedure: ProcedureModel): ProcedureModel {
  const { params, returns } = procedure
  return {
    ...procedure,
    description: '',
    help: '',
    params: params.map(({ doc, ...each }) => each),
    returns: { type: returns.type, promise: returns.promise },
  }
}

/**
 * Names a module, and prints what does not depend on the docs of procedures. `entries` receives the entries in the manifest that refer
 * to constants.
 */
function printStaticParts(
  model: Model,
  types: ReadonlyMap<string, NamedType>,
  entries: Map<ProcedureModel, Layout>,
  hash: (names: StaticParts['names']) => string,
): StaticParts {
  const named = nameModule(model)
  const order = new Map(named.types.map(({ name }, at) => [name, at]))
  const isLaterThan = (at: number) => (name: string) => (order.get(name) ?? 0) >= at
  const constants = createConstants(model, (isLater) => definitionContext(named.names, types, isLater), isLaterThan)
  const definitionName = (name: string) => named.names.definitions.get(name) ?? name
  const definitions = named.types.map(({ name, type }, at) => {
    const own = definitionName(name)
    return definitionOf(own, type, constants.contextOf(own, at, isFunction(type) ? undefined : isLaterThan(at)))
  })
  for (const each of model.procedures.filter(constants.isNeededBy))
    entries.set(each, procedureEntry(each, constants.contextOf(lowerFirst(each.export), types.size)))
  // All layouts exist: names first, then lines.
  const ordered = constants.named(named.scope, named.names.definitions)
  const constantsAt = (at: number) => ordered.filter((each) => each.at === at).map(({ definition }) => definition)
  const all = [...definitions.flatMap((each, at) => [...constantsAt(at), each]), ...constantsAt(types.size)]
  const served = model.procedures.filter((each) => !each.registered)
  const description = named.types.length > 0 ? [describeLines(named.types, definitionName)] : []
  const forms = createForms(named.names, types)
  const names = [
    ...Object.entries(named.names).map(([kind, each]) => [kind, [...each]] as const),
    ['constants', ordered.map(({ type, symbol }) => [contentOf(type), symbol.name] as const)] as const,
  ]
  const described = printed(description)
  return {
    names,
    environment: hash(names),
    definitions: {
      texts: [...joinLines(all.map(definitionText)), ...described.texts],
      imports: [...importsIn(all.flatMap(({ head, body = [] }) => [head, ...body])), ...described.imports],
    },
    procedures: printed([...serverLines(served), ...proceduresLines(served, named.names)]),
    json: printed(jsonLines(named.names, forms.json, types)),
  }
}

/** Prints blocks of lines. */
function printed(blocks: readonly (readonly Line[])[]): Printed {
  return { texts: blocks.map(linesText), imports: importsIn(blocks.flat().map(({ layout }) => layout)) }
}

/** Returns the names that layouts import, each once. */
function importsIn(layouts: Layout): Name[] {
  const imports = new Map<string, Name>()
  someName(layouts, (each) => {
    if (each.from) imports.set(each.name, each)
    return false
  })
  return [...imports.values()]
}

/** What definitions depend on, without constants. In a constant, types that are defined later need `lazy`. */
function definitionContext(
  { definitions, modules }: ModuleNames,
  types: ReadonlyMap<string, NamedType>,
  isLater?: (name: string) => boolean,
): Pick<DefinitionContext, 'types' | 'module' | 'named'> {
  return {
    types,
    module: (path) => modules.get(path) ?? path,
    named(name) {
      const definition = definitions.get(name) ?? name
      const type = types.get(name)?.type
      return isLater?.(name) && type && !isFunction(type) ? call(lazy, [`() => ${definition}`]) : definition
    },
  }
}

/** The forms of types in a module: as the sources declare them, and over JSON. */
interface Forms {
  readonly source: Dialect
  readonly json: Dialect
}

function createForms(names: ModuleNames, types: ReadonlyMap<string, NamedType>): Forms {
  const module = (path: string) => names.modules.get(path) ?? path
  const typeOf = (name: string) => types.get(name) as NamedType
  const source: Dialect = {
    name: 'source',
    decoded: (type) => generic(codegen('Decoded'), [codecText(type, { module }, typeofMember)]),
    named(ref, dialect) {
      const { declared, type } = typeOf(ref.name)
      if (!declared) return textOf(type, dialect)
      const { module, name, member } = declared
      const imported = { name: names.imported.get(importId(declared)) ?? name, from: { module, export: name } }
      return member === undefined ? imported : [imported, `.${member}`]
    },
  }
  const json: Dialect = {
    name: 'json',
    named: ({ name }) => names.json.get(name) ?? textOf(typeOf(name).type, json),
  }
  return { source, json }
}

/** Joins definitions of one line without a blank line between them. */
function joinLines(texts: readonly string[]): string[] {
  const joined: string[] = []
  for (const [i, text] of texts.entries()) {
    if (i > 0 && !`${text}${texts[i - 1]}`.includes('\n')) joined[joined.length - 1] += `\n${text}`
    else joined.push(text)
  }
  return joined
}

function describeLines(types: readonly NamedType[], definitionName: (name: string) => string): Line[] {
  const entryOf = (type: NamedType) => describeEntry(type, definitionName(type.name))
  const unnamed = types.filter(({ anonymous }) => anonymous)
  const named = types.filter(({ anonymous }) => !anonymous)
  const lists = [braces(named.map(entryOf)), ...(unnamed.length > 0 ? [', ', braces(unnamed.map(entryOf))] : [])]
  const about = unnamed.length > 0 ? '; those of the second list are unnamed in the source.' : '.'
  const doc = `The names and docs of types, for errors, schemas and docs${about}`
  return [{ doc, layout: [codegen('describeTypes'), '(', ...lists, ')'] }]
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

/** The beginnings of the interfaces that have a member for each procedure, in the order of the texts of procedures after their entries. */
const interfaces = [
  'export interface JsonFunctions',
  '/** The parameters by name, over JSON. */\nexport interface JsonParams',
  '/** The errors that `@throws` declares, with their data over JSON: for `RpcErrorGuard`. */\nexport interface JsonErrors',
  '/** The functions when this module was generated. If one differs now, using the exports above is a compile error. */\nexport interface Compiled',
]

/** Prints the entries of procedures in the manifest, and their members in each interface, which may be none. */
function printProcedures(
  procedures: readonly ProcedureModel[],
  entryOf: (procedure: ProcedureModel) => Layout,
  { json, source }: Forms,
  types: ReadonlyMap<string, NamedType>,
): Printed {
  const served = procedures.filter((each) => !each.registered)
  const membersWith = (typeText: (each: ProcedureModel) => Layout | undefined): Line[] =>
    served.flatMap((each) => {
      const type = typeText(each)
      return type ? interfaceMember({ name: each.name, type, doc: '' }) : []
    })
  return printed([
    procedures.map((each) => ({ indent: 2, layout: entryOf(each), end: ',' })),
    membersWith((each) => functionText(each, json)),
    membersWith((each) => paramsText(each, json)),
    membersWith((each) => errorsText(each, json)),
    membersWith((each) => sourceText(each, source, (name) => types.get(name) as NamedType)),
  ])
}

/** What every module imports, for the texts below. */
const fixedImports = ['IfUpToDate', 'Manifest', 'Retyped', 'Router', 'RpcServer'].map(codegen)

function manifestText(
  served: readonly Printed[],
  registered: readonly Printed[],
  functions: string,
  manifest: Name,
): string {
  const list = (all: readonly Printed[]) =>
    all.length === 0 ? '{}' : `{\n${all.map(({ texts: [entries] }) => entries).join('\n')}\n}`
  const type = generic('IfUpToDate', [functions, 'Compiled', 'Manifest<Procedures, JsonProcedures, JsonParams>'])
  const lists = [list(served), ...registered.map((each) => list([each]))]
  const doc = registered.length > 0 ? ' Those of the second list are served where they are registered.' : ''
  const start = print(['export const procedures: ', type, ' = ', manifest, '({'])
  return `/** The procedures, by name.${doc} */\n${start.slice(0, -1)}${lists.join(', ')})`
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

function serverLines(served: readonly ProcedureModel[]): Line[][] {
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

function typeTexts(served: readonly Printed[]): string[] {
  const [functions = [], ...others] = interfaces.map((start, i) => {
    const members = served.flatMap((each) => each.texts[i + 1] || [])
    return members.length === 0 ? [] : [`${start} {\n${members.join('\n')}\n}`]
  })
  return [
    '/** The same over JSON: Date, bigint and bytes are strings, Set is an array, Map an object. */\n' +
      'export type JsonProcedures = Retyped<Procedures, JsonFunctions>',
    ...functions,
    ...others.flat(),
  ]
}

/** The type of the served functions: `Procedures`, unless a function has a context, which callers do not pass. */
function functionsName(served: readonly ProcedureModel[]): string {
  return served.some(({ contextAt }) => contextAt.length > 0) ? 'Functions' : 'Procedures'
}

function proceduresLines(served: readonly ProcedureModel[], names: ModuleNames): Line[][] {
  const doc = 'Method name to function.'
  const functions = proceduresType(served, names)
  if (functionsName(served) === 'Procedures') return [[{ doc, layout: ['export type Procedures = ', functions] }]]
  return [
    [{ doc, layout: ['export type Procedures = ', codegen('OmitContext'), '<Functions>'] }],
    [{ layout: ['type Functions = ', functions] }],
  ]
}

/** `Pick<typeof math, 'add'> & Renamed<typeof users, { create: 'user.create' }>`: so a hover shows the docs of the source. */
function proceduresType(served: readonly ProcedureModel[], { modules }: ModuleNames): Layout {
  const groups = new Map<string, { readonly own: Layout[]; readonly renamed: Layout[] }>()
  for (const each of served) {
    const module = modules.get(each.module) ?? each.module
    const [source, last] =
      each.member === undefined ? [`typeof ${module}`, each.export] : [typeofMember(module, each.export), each.member]
    const { own, renamed } = groups.get(source) ?? { own: [], renamed: [] }
    groups.set(source, { own, renamed })
    if (last === each.name) own.push(quote(last))
    else renamed.push(`${key(last)}: ${quote(each.name)}`)
  }
  const types = [...groups].flatMap(([source, { own, renamed }]) => [
    ...(own.length > 0 ? [generic('Pick', [source, alternatives(own)])] : []),
    ...(renamed.length > 0 ? [generic(codegen('Renamed'), [source, members(renamed)])] : []),
  ])
  return types.length === 0 ? 'Record<never, never>' : intersection(types)
}

function jsonLines(names: ModuleNames, dialect: Dialect, types: ReadonlyMap<string, NamedType>): Line[][] {
  const lines = Array.from(names.json, ([name, own]) => {
    return typeDeclaration(ownType(own, types.get(name) as NamedType, dialect, false))
  })
  return lines.length === 0 ? [] : [lines.flat()]
}

/** Types first, then functions, each by the path of its module; `rpc-gen/codegen/v1` before all others. */
function importTexts(
  imports: readonly Name[],
  { modules }: ModuleNames,
  specifier: (module: string) => string,
): string {
  const types = new Map<string, string[]>()
  const words = new Set<string>()
  for (const { name, from } of new Map(imports.map((each) => [each.name, each])).values()) {
    if (!from) continue
    if (from.module === codegenModule) words.add(name)
    else types.set(from.module, [...(types.get(from.module) ?? []), importName(from.export, name)])
  }
  const isType = (name: string) => /^[A-Z]/.test(name) && name !== 'RpcServer'
  // A type after a function of the same letters.
  const sortKey = (name: string) => name.toLowerCase() + (isType(name) ? '1' : '0')
  const sorted = [...words].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const own = sorted.map((name) => (isType(name) ? `type ${name}` : name))
  const bySpecifier = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
  return [
    importStatement('import', own, codegenModule),
    ...[...types]
      .sort(bySpecifier)
      .map(([module, all]) => importStatement('import type', all.sort(), specifier(module))),
    ...[...modules].sort(bySpecifier).map(([module, local]) => `import * as ${local} from ${quote(specifier(module))}`),
  ].join('\n')
}
