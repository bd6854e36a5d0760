// The generated client: its types, which it declares itself, its procedures by name, and the table of the values to convert:
//
//   export interface Procedures { /** The sum. */ add: (a: number, b: number) => Promise<number> }
import type {
  AuthScheme,
  BrandMember,
  BrandSymbol,
  Model,
  NamedType,
  OverloadDocs,
  ProcedureModel,
} from '../../generator/model/model.js'
import { memberKey, quote } from '../../generator/text.js'
import { errorText, parametersByName } from '../../runtime/description/description.js'
import { schemesIn } from '../../runtime/description/security.js'
import { paragraphs, paramDoc, withConstraintText } from '../docs.js'
import { clientTable } from './conversions.js'
import { constantsText, ownType, tsdocTag } from './definitions.js'
import {
  header,
  importStatement,
  linesText,
  type MemberDeclaration,
  type TypeDeclaration,
  typeDeclaration,
} from './file.js'
import { errorsType, functionType, overloadSignatures, paramsType } from './functions.js'
import { type Dialect, typeLayout } from './kinds.js'
import { braces, importName, type Layout, print, property } from './layout.js'
import { createScope, type Scope } from './scope.js'

/** Names of the text of a client, and globals that it refers to. */
export const reservedInClient = (
  'undefined AsyncIterableIterator Date Map Promise Record Set URL Uint8Array ' +
  'Client ClientMembers ClientOptions ClientTable Decoded Params Procedures create codecs createClient scalarCodecs table tableCodec'
).split(' ')

/** Further names of a client that declares errors. */
export const reservedByErrors = ['Errors', 'RpcError', 'RpcErrorGuard', 'isError', 'isRpcError']

/** The types of credentials, by scheme; a browser sends cookies itself. */
const credentials = { basic: 'BasicAuth', bearer: 'BearerAuth', apiKey: 'ApiKeyAuth', cookie: undefined } as const

/** Further names of a client whose procedures have schemes. */
export const reservedBySchemes = ['ApiKeyAuth', 'Auth', 'BasicAuth', 'BearerAuth', 'ClientAuth', 'OneOf']

const errorsDoc = 'The errors that the procedures declare, by procedure.'

/**
 * The text of a generated client. It imports nothing from the sources except, if `specifier` is given, the codecs of custom
 * scalars. `specifier` returns how their modules are written in an import.
 */
export function clientText(model: Model, specifier?: (module: string) => string): string {
  const { procedures } = model
  const hasErrors = procedures.some(({ throws = [] }) => throws.some(({ code }) => code !== undefined))
  const auth = createAuth(procedures)
  const reserved = [...reservedInClient, ...(hasErrors ? reservedByErrors : []), ...(auth ? reservedBySchemes : [])]
  const scope = createScope(reserved)
  const codecs = specifier ? nameCodecs(model.types, scope) : new Map<string, ImportedCodec>()
  const types = createOwnTypes(model.types, scope, codecs)
  const memberOf = (each: ProcedureModel): MemberDeclaration => {
    const type = functionType(each, types.dialect)
    const { overloads = [] } = each
    if (overloads.every(({ docs }) => !docs)) return { name: each.name, type, doc: callerDoc(each) }
    const texts = overloadSignatures(each, types.dialect)
    const signatures = overloads.map(({ docs }, i) => ({ type: texts[i] ?? '', doc: callerDoc(each, docs) }))
    return { name: each.name, type, doc: callerDoc(each), signatures }
  }
  const paramsOf = (each: ProcedureModel): MemberDeclaration => {
    return { name: each.name, type: paramsType(each, types.dialect), doc: '' }
  }
  const names = new Set(procedures.map(({ name }) => name))
  const errors = procedures.flatMap((each): MemberDeclaration[] => {
    const type = errorsType(each, types.dialect)
    return type === undefined ? [] : [{ name: each.name, type, doc: '' }]
  })
  const interfaces: TypeDeclaration[] = [
    { name: 'Procedures', doc: 'The procedures, by name.', members: nestedMembers(procedures.map(memberOf)) },
    {
      name: 'Params',
      doc: 'Their parameters by name.',
      members: nestedMembers(procedures.map(paramsOf), names),
    },
    ...(hasErrors ? [{ name: 'Errors', doc: errorsDoc, members: errors }] : []),
  ]
  const codecImports = specifier ? importCodecs([...codecs.values()], specifier) : []
  const { symbols, declarations } = types.declare()
  const blocks = [
    header() +
      [importRuntime(codecs.size > 0, auth?.imports), ...(hasErrors ? [errorImports] : []), ...codecImports].join('\n'),
    clientTable(procedures, model.types, specifier !== undefined),
    ...(codecs.size > 0 ? [codecTable(codecs)] : []),
    createClient(codecs.size > 0, hasErrors, auth !== undefined),
    ...(auth ? [linesText(typeDeclaration(auth))] : []),
    ...(hasErrors ? [isRpcErrorText] : []),
    ...interfaces.map((each) => linesText(typeDeclaration(each))),
    ...(symbols.length > 0 ? [symbols.join('\n')] : []),
    ...declarations,
  ]
  return `${blocks.join('\n\n')}\n`
}

function importRuntime(hasCodecs: boolean, auth: readonly string[] = []): string {
  const decoded = hasCodecs ? ['type Decoded', 'scalarCodecs'] : []
  const types = [...auth, 'ClientMembers', 'ClientOptions', 'ClientTable'].sort().map((name) => `type ${name}`)
  return importStatement('import', [...types, 'createClient as create', ...decoded, 'tableCodec'], 'rpc-gen/client')
}

const errorImports = `import { isRpcError as isError, type RpcError, type RpcErrorGuard } from 'rpc-gen/client'`

function createClient(hasCodecs: boolean, hasErrors: boolean, hasAuth: boolean): string {
  const args = hasCodecs ? 'table, scalarCodecs(codecs)' : 'table'
  const more = hasAuth ? [hasErrors ? 'Errors' : 'unknown', 'Auth'] : hasErrors ? ['Errors'] : []
  return `/** The procedures below, and the members of every client. */
export type Client = Procedures & ClientMembers<${['Procedures', 'Params', ...more].join(', ')}>

/** Returns a client of this API. Date, bigint, bytes, Map and Set are TypeScript values in both directions. */
export function createClient(url: string | URL, options: ClientOptions${hasAuth ? '<Auth>' : ''} = {}): Client {
  return create(url, { codec: tableCodec(${args}), ...options }) as unknown as Client
}`
}

/**
 * The type of the credentials that the procedures accept, and what it imports; undefined if no scheme is known. Any credentials are accepted
 * where a procedure may have the auth of its server, or has a predicate without a scheme.
 */
function createAuth(
  procedures: readonly ProcedureModel[],
): (TypeDeclaration & { readonly imports: readonly string[] }) | undefined {
  const schemes = [...schemesIn(procedures)]
  if (schemes.length === 0) return undefined
  const isOpen = procedures.some(
    ({ security }) => security?.[0]?.some(({ scheme }) => !scheme) ?? security === undefined,
  )
  const names = schemes.flatMap(([, { scheme }]) => credentials[scheme] ?? [])
  const types = schemes.flatMap(([, scheme]) => {
    const name = credentials[scheme.scheme]
    return name === undefined ? [] : scheme.scheme === 'apiKey' ? `${name}<${quote(scheme.header)}>` : name
  })
  const all = [...new Set([...types, ...(isOpen ? ['ClientAuth'] : [])])]
  const lines = schemes.map(
    ([name, scheme]) => `- ${name}: ${[credentialText(scheme), scheme.description ?? ''].join(' ').trim()}`,
  )
  const others = isOpen
    ? ['- Others: some procedures have the auth of their server, or a predicate without a scheme.']
    : []
  return {
    name: 'Auth',
    doc: ['The credentials of callers, by the schemes of the procedures.', '', ...lines, ...others].join('\n'),
    type: all.length > 1 ? `OneOf<${all.join(' | ')}>` : (all[0] ?? 'never'),
    imports: [...new Set([...names, ...(isOpen ? ['ClientAuth'] : []), ...(all.length > 1 ? ['OneOf'] : [])])].sort(),
  }
}

function credentialText(scheme: AuthScheme): string {
  if (scheme.scheme === 'apiKey') return `a key in the header ${scheme.header}.`
  if (scheme.scheme === 'cookie')
    return `the cookie ${scheme.cookie}, which a browser sends: \`init: { credentials: 'include' }\`.`
  return scheme.scheme === 'basic' ? 'a name and a password.' : 'a token.'
}

const isRpcErrorText = `/** True for a declared error of this API that has the code, which narrows its data: \`isRpcError(error, 4444)\`. */
export const isRpcError: RpcErrorGuard<Errors[keyof Errors]> = isError`

/** The codec of a custom scalar, and its name in the client. */
interface ImportedCodec {
  readonly module: string
  readonly exported: string
  readonly local: string
}

/** The codecs of custom scalars by scalar name. */
function nameCodecs(types: readonly NamedType[], scope: Scope): ReadonlyMap<string, ImportedCodec> {
  return new Map(
    types.flatMap(({ type }): [string, ImportedCodec][] => {
      if (type.kind !== 'custom' || !type.codec) return []
      const { module, name: exported } = type.codec
      return [[type.name, { module, exported, local: scope.claim(exported) }]]
    }),
  )
}

/** The imports of codecs, by module. */
function importCodecs(codecs: readonly ImportedCodec[], specifier: (module: string) => string): string[] {
  const modules = new Map<string, string[]>()
  for (const { module, exported, local } of codecs) {
    modules.set(module, [...(modules.get(module) ?? []), importName(exported, local)])
  }
  return Array.from(modules, ([module, names]) => importStatement('import', names.sort(), specifier(module))).sort()
}

/** The codecs by the names that the table has for them. */
function codecTable(codecs: ReadonlyMap<string, ImportedCodec>): string {
  return print(['const codecs = ', braces(Array.from(codecs, ([name, { local }]) => property(name, { name: local })))])
}

/** Types that the client declares: named when they are first referred to, with all that they refer to. */
function createOwnTypes(all: readonly NamedType[], scope: Scope, codecs: ReadonlyMap<string, ImportedCodec>) {
  const byName = new Map(all.map((type) => [type.name, type]))
  const names = new Map<string, string>()
  const symbols = new Map<string, string>()
  const dialect: Dialect = {
    name: 'client',
    decoded(type) {
      const codec = codecs.get(type.name)
      return codec ? `Decoded<typeof ${codec.local}>` : typeLayout(type.wire, dialect)
    },
    named(ref) {
      const known = names.get(ref.name) ?? scope.claim(ref.name)
      names.set(ref.name, known)
      return known
    },
  }
  const symbolName = (symbol: BrandSymbol): string => {
    const id = JSON.stringify(symbol)
    const known = symbols.get(id) ?? scope.claim(symbol.path.split('.').at(-1) || 'brand')
    symbols.set(id, known)
    return known
  }
  /** The client has symbols of its own, as it imports nothing from the sources. */
  const brandMember = ({ name, symbol, optional, text, valueSymbol }: BrandMember): Layout => {
    const key = symbol ? `[${symbolName(symbol)}]` : memberKey(name ?? '')
    const value = valueSymbol ? `typeof ${symbolName(valueSymbol)}` : (text ?? 'true')
    return `readonly ${key}${optional ? '?' : ''}: ${value}`
  }
  const declare = () => {
    const declarations: string[] = []
    // Iterating over a Map also visits entries that are added meanwhile.
    for (const [name, own] of names) {
      const type = byName.get(name) as NamedType
      const brand = type.type.kind === 'custom' ? [] : (type.brand ?? []).map(brandMember)
      if (type.constants) declarations.push(constantsText(own, type.constants))
      declarations.push(linesText(typeDeclaration(ownType(own, type, dialect, true, brand))))
    }
    return { symbols: [...symbols.values()].map((name) => `declare const ${name}: unique symbol`), declarations }
  }
  return { dialect, declare }
}

/**
 * Returns an interface with nested members instead of dotted names, so that the compiler need not compute it. Names that are not
 * procedures of a client as nested members are left out, or keep their dotted name: see `remoteMembers`. So do names below one of
 * `whole`, which has no members.
 */
function nestedMembers(
  members: readonly MemberDeclaration[],
  whole: ReadonlySet<string> = new Set(),
  prefix = '',
): MemberDeclaration[] {
  const groups = new Map<string, MemberDeclaration[]>()
  for (const member of members) {
    const rest = member.name.slice(prefix.length)
    if (!prefix && isClientMember(rest)) continue
    const name = firstSegment(member.name, prefix, whole) ?? rest
    const group = groups.get(name)
    if (group) group.push(member)
    else groups.set(name, [member])
  }
  return Array.from(groups, ([name, group]): MemberDeclaration => {
    const own = group.find((each) => each.name === prefix + name)
    const others = group.filter((each) => each !== own)
    if (own && others.length === 0) return { ...own, name }
    const members = nestedMembers(others, whole, `${prefix}${name}.`)
    return own ? { ...own, name, type: ['(', own.type ?? '', ')'], members } : { name, doc: '', members }
  })
}

/** Returns the name up to the first dot after the prefix; undefined if the name is not split. */
function firstSegment(name: string, prefix: string, whole: ReadonlySet<string>): string | undefined {
  const parts = name.slice(prefix.length).split('.')
  const [head = '', ...others] = parts
  if (others.length === 0 || parts.includes('') || isOnEveryObject(head) || others.some(isOnEveryFunction))
    return undefined
  const heads = parts.slice(0, -1).map((_part, i) => prefix + parts.slice(0, i + 1).join('.'))
  return heads.some((each) => whole.has(each)) ? undefined : head
}

/** True if clients have another member with this name. */
function isClientMember(name: string): boolean {
  return /^\$(?!\/)/.test(name) || isOnEveryObject(name)
}

function isOnEveryFunction(name: string): boolean {
  return ['apply', 'bind', 'call'].includes(name) || isOnEveryObject(name)
}

function isOnEveryObject(name: string): boolean {
  return name === 'then' || name === 'toJSON' || name in Object.prototype
}

const protocolNames = { 'json-rpc': 'JSON-RPC', 'xml-rpc': 'XML-RPC' }

/** Returns the docs of a procedure, or of one of its signatures, as TSDoc, which editors show to callers. */
function callerDoc(procedure: ProcedureModel, docs?: OverloadDocs): string {
  const { returns, protocols, throws = [], examples = [], deprecated, deprecation, since } = procedure
  const description = docs?.description ?? procedure.description
  const result = docs ? (docs.returns ?? '') : withConstraintText(returns.doc ?? '', returns.type)
  const own = docs?.params.filter(({ doc }) => doc !== '').map(({ name, doc }) => tsdocTag(`@param ${name} -`, doc))
  const tags = [
    ...(protocols ? [`@remarks Over ${protocols.map((each) => protocolNames[each]).join(' and ')} only.`] : []),
    ...(own ??
      parametersByName(procedure).flatMap((param) => {
        const text = paramDoc(param, param.type)
        return text === '' ? [] : [tsdocTag(`@param ${param.name} -`, text)]
      })),
    ...(result === '' ? [] : [tsdocTag('@returns', result)]),
    ...throws.map((error) => tsdocTag('@throws', `${error.code ?? error.name}: ${errorText(error)}`)),
    ...examples.map(({ text }) => `@example\n${text}`),
    ...(since === undefined ? [] : [tsdocTag('@since', since)]),
    ...(deprecated ? [tsdocTag('@deprecated', deprecation ?? '')] : []),
  ]
  return paragraphs([description, tags.join('\n')])
}
