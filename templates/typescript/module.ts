import type { Model, NamedType, ProcedureModel } from '../../generator/model/model.js'
import {
  alternatives,
  braces,
  call,
  docBlock,
  generic,
  importName,
  intersection,
  key,
  type Layout,
  members,
  print,
  quote,
  typeofMember,
} from '../layout.js'
import { definitionText, describeEntry, isFunction, ownType } from './definitions.js'
import { header, importStatement, interfaceMember, typeDeclaration } from './file.js'
import { errorsText, functionText, paramsText, sourceText } from './functions.js'
import { codecText, type Form, type Names, textOf } from './kinds.js'
import { contentOf, importId, importOf, isShareable, type ModuleNames, type NamedModule, nameModule } from './names.js'
import { procedureEntry } from './procedures.js'

/** How the sources are imported and the manifest is made. */
export interface ModuleSettings {
  /** Returns how a module is written in an import. */
  readonly specifier: (module: string) => string
  /** True if RPC_METHODS_MODULES is set. */
  readonly methods: boolean
}

/** The imports of a text. */
interface Imports {
  /** From `rpc-gen/codegen/v1`. */
  readonly codegen: readonly string[]
  /** The ids of types. */
  readonly imported: readonly string[]
}

/** The part of a module that depends on the types and the signatures, and not on the docs of procedures. */
interface Frame extends Imports {
  readonly names: readonly (readonly [kind: string, names: readonly (readonly [string, string])[]])[]
  /** The hash of the types and the names: texts of procedures depend on nothing else of the model. */
  readonly environment: string
  /** The definitions of the types. */
  readonly definitions: readonly string[]
  /** The server and the types of the procedures. */
  readonly procedures: readonly string[]
  /** The JSON forms of the types. */
  readonly json: readonly string[]
}

/** The texts of the procedures of a source, or of procedures that are registered by hand. */
interface ProcedureTexts extends Imports {
  /** Their entries in the manifest. */
  readonly entries: string
  /** Their members in each interface; empty if it does not contain them. */
  readonly members: readonly string[]
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
  const frame = memo.reuse(
    () =>
      memo.hash([
        model.types.map((each) => memo.hash(each)),
        model.procedures.map((each) => memo.hash(each, withoutDocs)),
      ]),
    () => makeFrame(model, types, memo),
  )
  const names = Object.fromEntries(frame.names.map(([kind, all]) => [kind, new Map(all)])) as never
  const textsOf = (procedures: readonly ProcedureModel[]): ProcedureTexts => {
    const key = () => memo.hash([frame.environment, procedures.map((each) => memo.hash(each))])
    return memo.reuse(key, () => printProcedures(procedures, createPage(names, types)))
  }
  const procedures = model.procedures.filter((each) => !each.registered)
  const served = groupBySource(procedures).map(textsOf)
  const registered = distinctNames(model.procedures.filter((each) => each.registered)).map(textsOf)
  const page = createPage(names, types)
  for (const { codegen, imported } of [...served, ...registered, frame]) {
    for (const name of codegen) page.codegen.add(name)
    for (const id of imported) page.imported.add(id)
  }
  const blocks = [
    ...frame.definitions,
    manifestText(served, registered, functionsName(procedures), methods ? 'methodsModulesManifest' : 'manifest', page),
    ...frame.procedures,
    ...typeTexts(served, page),
    ...frame.json,
  ]
  const head = header(['@ts-nocheck The declared types are checked where `procedures`, `server` or `router` is used.'])
  return `${[head + importTexts(page, specifier), ...blocks].join('\n\n')}\n`
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

/** Names, types, and the imports of what is printed with them. */
interface Page {
  readonly names: ModuleNames
  typeOf(name: string): NamedType
  readonly codegen: Set<string>
  readonly imported: Set<string>
  readonly source: Form
  readonly json: Form
  /** The names for a definition: types that are defined later need `ref`. */
  namesFor(isLater?: (name: string) => boolean): Names
}

/** Names a module, and prints its types. */
function makeFrame(model: Model, types: ReadonlyMap<string, NamedType>, memo: TextMemo): Frame {
  const named = nameModule(model)
  const page = createPage(named.names, types)
  const served = model.procedures.filter((each) => !each.registered)
  const procedures = [serverText(served, page), ...proceduresTexts(served, page)]
  const described = named.types.length > 0 ? [describeText(named.types, page)] : []
  const definitions = [...definitionTexts(named, page), ...described]
  const json = jsonTypes(page)
  const names = Object.entries(named.names).map(([kind, all]) => [kind, [...all]] as const)
  const environment = memo.hash([model.types.map((each) => memo.hash(each)), names])
  return { names, environment, definitions, procedures, json, ...importsOf(page) }
}

function importsOf({ codegen, imported }: Page): Imports {
  return { codegen: [...codegen], imported: [...imported] }
}

function createPage(names: ModuleNames, types: ReadonlyMap<string, NamedType>): Page {
  const [codegen, imported] = [new Set<string>(), new Set<string>()]
  const use = (name: string) => {
    codegen.add(name)
    return name
  }
  const module = (path: string) => names.modules.get(path) ?? path
  const typeOf = (name: string) => types.get(name) as NamedType
  const source: Form = {
    name: 'source',
    codegen: use,
    decoded: (type) => generic(use('Decoded'), [codecText(type, { module }, typeofMember)]),
    named(ref, form) {
      const { declared, type } = typeOf(ref.name)
      if (!declared) return textOf(type, form)
      imported.add(importId(declared))
      const local = names.imported.get(importId(declared)) ?? declared.name
      return declared.member === undefined ? local : `${local}.${declared.member}`
    },
  }
  const json: Form = {
    name: 'json',
    codegen: use,
    named: ({ name }) => names.json.get(name) ?? textOf(typeOf(name).type, json),
  }
  return {
    ...{ names, typeOf, codegen, imported, source, json },
    namesFor: (isLater = () => false) => ({
      ...{ types, codegen: use, module, wire: () => 'w' },
      isShared: (type) => isShareable(type) && names.constants.has(contentOf(type)),
      constant: (type) => names.constants.get(contentOf(type)) ?? '',
      named(name) {
        const definition = names.definitions.get(name) ?? name
        return !isFunction(typeOf(name).type) && isLater(name) ? call(use('lazy'), [`() => ${definition}`]) : definition
      },
    }),
  }
}

/** Constants are before the first definition that needs them. */
function definitionTexts({ types, constants }: NamedModule, { names, namesFor }: Page): string[] {
  const order = new Map(types.map(({ name }, at) => [name, at]))
  const namesAt = (at: number) => namesFor((name) => (order.get(name) ?? 0) >= at)
  const constantsAt = (at: number) =>
    constants.filter((each) => each.at === at).map(({ name, type }) => definitionText(name, type, namesAt(at)))
  const texts = types.flatMap(({ name, type }, at) => {
    const own = isFunction(type) ? namesFor() : namesAt(at)
    return [...constantsAt(at), definitionText(names.definitions.get(name) ?? name, type, own)]
  })
  return joinLines([...texts, ...constantsAt(types.length)])
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

function describeText(types: readonly NamedType[], { names, codegen }: Page): string {
  codegen.add('describeTypes')
  const entryOf = (type: NamedType) => describeEntry(type, names.definitions.get(type.name) ?? type.name)
  const unnamed = types.filter(({ anonymous }) => anonymous)
  const named = types.filter(({ anonymous }) => !anonymous)
  const lists = [braces(named.map(entryOf)), ...(unnamed.length > 0 ? [', ', braces(unnamed.map(entryOf))] : [])]
  const doc = 'The names and docs of types, for errors, schemas and docs'
  const about = unnamed.length > 0 ? '; those of the second list are unnamed in the source.' : '.'
  return docBlock(doc + about) + print(['describeTypes(', ...lists, ')'])
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

/** The beginnings of the interfaces that have a member for each procedure, in the order of `ProcedureTexts.members`. */
const interfaces = [
  'export interface JsonFunctions',
  '/** The parameters by name, over JSON. */\nexport interface JsonParams',
  '/** The errors that `@throws` declares, with their data over JSON: for `RpcErrorGuard`. */\nexport interface JsonErrors',
  '/** The functions when this module was generated. If one differs now, using the exports above is a compile error. */\nexport interface Compiled',
]

function printProcedures(procedures: readonly ProcedureModel[], page: Page): ProcedureTexts {
  const { names, json, source, namesFor, typeOf } = page
  const served = procedures.filter((each) => !each.registered)
  const membersWith = (typeText: (each: ProcedureModel) => Layout | undefined): string => {
    const members = served.flatMap((each) => {
      const type = typeText(each)
      return type ? interfaceMember({ name: each.name, type, doc: '' }) : []
    })
    return members.join('\n')
  }
  const entries = procedures.map((each) => `  ${print(procedureEntry(each, namesFor(), names.modules), 2, 2, 1)},`)
  const members = [
    membersWith((each) => functionText(each, json)),
    membersWith((each) => paramsText(each, json)),
    membersWith((each) => errorsText(each, json)),
    membersWith((each) => sourceText(each, source, typeOf)),
  ]
  return { entries: entries.join('\n'), members, ...importsOf(page) }
}

function manifestText(
  served: readonly ProcedureTexts[],
  registered: readonly ProcedureTexts[],
  functions: string,
  manifest: string,
  { codegen }: Page,
): string {
  for (const name of [manifest, 'IfUpToDate', 'Manifest']) codegen.add(name)
  const list = (all: readonly ProcedureTexts[]) =>
    all.length === 0 ? '{}' : `{\n${all.map(({ entries }) => entries).join('\n')}\n}`
  const type = generic('IfUpToDate', [functions, 'Compiled', 'Manifest<Procedures, JsonProcedures, JsonParams>'])
  const lists = [list(served), ...registered.map((each) => list([each]))]
  const doc = registered.length > 0 ? ' Those of the second list are served where they are registered.' : ''
  const start = print(['export const procedures: ', type, ` = ${manifest}({`])
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

function serverText(served: readonly ProcedureModel[], { codegen }: Page): string {
  for (const name of ['RpcServer', 'Router']) codegen.add(name)
  const functions = functionsName(served)
  const type = generic('IfUpToDate', [functions, 'Compiled', 'RpcServer<Procedures, JsonParams, JsonProcedures>'])
  return `/** A server of these procedures, with all defaults. */
${print(['export const server: ', type, ' = new RpcServer({ procedures })'])}

/** A Hono app that serves them at its \`/\`: \`app.route('/rpc', router)\`. */
export const router: IfUpToDate<${functions}, Compiled, Router> = server.router()`
}

function typeTexts(served: readonly ProcedureTexts[], page: Page): string[] {
  page.codegen.add('Retyped')
  const [functions = [], ...others] = interfaces.map((start, i) => {
    const members = served.flatMap((each) => each.members[i] || [])
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

function proceduresTexts(served: readonly ProcedureModel[], page: Page): string[] {
  const doc = '/** Method name to function. */\n'
  const functions = proceduresType(served, page)
  if (functionsName(served) === 'Procedures') return [doc + print(['export type Procedures = ', functions])]
  page.codegen.add('OmitContext')
  return [`${doc}export type Procedures = OmitContext<Functions>`, print(['type Functions = ', functions])]
}

/** `Pick<typeof math, 'add'> & Renamed<typeof users, { create: 'user.create' }>`: so a hover shows the docs of the source. */
function proceduresType(served: readonly ProcedureModel[], { names, codegen }: Page): Layout {
  const groups = new Map<string, { readonly own: Layout[]; readonly renamed: Layout[] }>()
  for (const each of served) {
    const module = names.modules.get(each.module) ?? each.module
    const [source, last] =
      each.member === undefined ? [`typeof ${module}`, each.export] : [typeofMember(module, each.export), each.member]
    const { own, renamed } = groups.get(source) ?? { own: [], renamed: [] }
    groups.set(source, { own, renamed })
    if (last === each.name) own.push(quote(last))
    else renamed.push(`${key(last)}: ${quote(each.name)}`)
  }
  if ([...groups.values()].some(({ renamed }) => renamed.length > 0)) codegen.add('Renamed')
  const types = [...groups].flatMap(([source, { own, renamed }]) => [
    ...(own.length > 0 ? [generic('Pick', [source, alternatives(own)])] : []),
    ...(renamed.length > 0 ? [generic('Renamed', [source, members(renamed)])] : []),
  ])
  return types.length === 0 ? 'Record<never, never>' : intersection(types)
}

function jsonTypes({ names, json, typeOf }: Page): string[] {
  const texts = Array.from(names.json, ([name, own]) => {
    return typeDeclaration(ownType(own, typeOf(name), json, false))
  })
  return texts.length === 0 ? [] : [texts.join('\n')]
}

/** Types first, then functions, each by the path of its module; `rpc-gen/codegen/v1` before all others. */
function importTexts({ names, codegen, imported }: Page, specifier: (module: string) => string): string {
  const types = new Map<string, string[]>()
  for (const [id, local] of names.imported) {
    if (!imported.has(id)) continue
    const { module, name } = importOf(id)
    types.set(module, [...(types.get(module) ?? []), importName(name, local)])
  }
  const isType = (name: string) => /^[A-Z]/.test(name) && name !== 'RpcServer'
  // A type after a function of the same letters.
  const sortKey = (name: string) => name.toLowerCase() + (isType(name) ? '1' : '0')
  const words = [...codegen].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const own = words.map((name) => (isType(name) ? `type ${name}` : name))
  const bySpecifier = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
  return [
    importStatement('import', own, 'rpc-gen/codegen/v1'),
    ...[...types]
      .sort(bySpecifier)
      .map(([module, all]) => importStatement('import type', all.sort(), specifier(module))),
    ...[...names.modules]
      .sort(bySpecifier)
      .map(([module, local]) => `import * as ${local} from ${quote(specifier(module))}`),
  ].join('\n')
}
