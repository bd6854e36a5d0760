// Names in a generated file: each is unique, an identifier, and not one that the file imports:
//
//   createScope(['date']): claim('date')  →  'date$1', claim('odd name')  →  'oddName'
import { isIdentifier, upperFirst } from '../../generator/text.js'
import type { Name } from './layout.js'

/** Words that cannot be the name of a variable in a module. */
const notVariables = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield arguments eval'
  ).split(' '),
)

/** Unique names of one file. */
export interface Scope {
  /**
   * Returns the first of the names that is free, or else the last one with the suffix `$1`, `$2` …. A name that is not an
   * identifier is converted to one: `oddName`.
   */
  claim(...names: readonly string[]): string
}

/** `taken`: names that are not available. */
export function createScope(taken: Iterable<string>): Scope {
  const used = new Set(taken)
  /** The suffixes of names that were claimed more than once. */
  const suffixes = new Map<string, number>()
  const isFree = (name: string) => !used.has(name) && !notVariables.has(name)
  return {
    claim(...names) {
      const wanted = names.map(identifierOf)
      const last = wanted.at(-1) as string
      let name = wanted.find(isFree)
      for (let n = suffixes.get(last) ?? 1; name === undefined; n += 1) {
        if (isFree(`${last}$${n}`)) name = `${last}$${n}`
        suffixes.set(last, n)
      }
      used.add(name)
      return name
    },
  }
}

/** An export or a parameter on the wire may have any text as its name: `export { f as 'odd name' }`. */
export function identifierOf(name: string): string {
  if (isIdentifier(name)) return name
  const [first = '', ...others] = name
    .split(/(?:[^\p{ID_Continue}$]|\p{Default_Ignorable_Code_Point})+/u)
    .filter((each) => each !== '')
  const joined = first + others.map(upperFirst).join('')
  return isIdentifier(joined) ? joined : `_${joined}`
}

/** The values that `rpc-gen/codegen/v1` exports. */
const codegenValues = (
  'alias any array arrayBuffer authRule bigint boolean buffer byteFormat bytes constrained date describeTypes double ' +
  'durationFormat idnEmailFormat idnHostnameFormat int iriFormat iriReferenceFormat isPresent isPresentOrNull ' +
  'jsonPointerFormat lazy literal manifest map methodsModulesManifest nullable nullType number optional ownMember ' +
  'passwordFormat procedure read readArray readIndexSignature readLiteral readNullable readOptionalMembers ' +
  'readStruct record regexFormat relativeJsonPointerFormat rest RpcServer scalar set setMember string template tuple ' +
  'undefinedType union uriReferenceFormat uriTemplateFormat url urlFormat voidType'
).split(' ')

const codegenTypes =
  'Decoded Double IfUpToDate Int Manifest OmitContext ParamsObject Renamed Retyped Router RpcContext RpcError Type Wire'.split(
    ' ',
  )

/** All exports of `rpc-gen/codegen/v1`, which are no variables of a generated module. A test compares them with the entry point. */
export const codegenNames: readonly string[] = [...codegenValues, ...codegenTypes]

export const codegenModule = 'rpc-gen/codegen/v1'

const codegenExports: ReadonlyMap<string, Name> = new Map([
  ...codegenValues.map((name) => [name, { name, from: { module: codegenModule, export: name } }] as const),
  ...codegenTypes.map((name) => [name, { name, from: { module: codegenModule, export: name, isType: true } }] as const),
])

/** An export of `rpc-gen/codegen/v1`. */
export function codegen(name: string): Name {
  const found = codegenExports.get(name)
  if (!found) throw new Error(`rpc-gen/codegen/v1 has no export ${name}`)
  return found
}

/** The parameter of a definition that specifies the direction and the protocol. */
export const wire: Name = { name: 'w' }
