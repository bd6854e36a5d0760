// The names that callers use, of procedures and of the schemes of @auth, and the errors for those that cannot be used:
//
//   @rpc user.create  →  valid; two procedures `add`  →  RPC112
import { type DescribedRule, isSameScheme } from '../../runtime/description/security.js'
import type { Diagnostic, Position } from '../diagnostics/diagnostic.js'
import { isServed } from './model.js'
import type { FoundProcedure } from './part.js'

const methodName =
  /^[\p{L}\p{N}\p{ID_Continue}$][\p{L}\p{N}\p{ID_Continue}$:/-]*(?:\.[\p{L}\p{N}\p{ID_Continue}$:/-]+)*$/u

/** True for a dotted name; dash, colon and slash occur in method names as well (XML-RPC, "Payload format"). */
export function isMethodName(name: string): boolean {
  return methodName.test(name)
}

/** What the name of a procedure may consist of, for hints. */
export const allowedNames = 'letters, digits, _, $, -, : and /, with dots between'

/** A public name and its position. */
interface PlacedName {
  readonly name: string
  readonly position: Position
}

/** Checks the public names of marked procedures: no duplicates, no reserved names, no invalid ones. */
export function checkNames(procedures: readonly FoundProcedure[]): Diagnostic[] {
  const names = procedures.flatMap(({ model, position }) => (isServed(model) ? [{ name: model.name, position }] : []))
  const firsts = new Map(names.toReversed().map((each) => [each.name, each]))
  return names.flatMap((each) => {
    const first = firsts.get(each.name)
    return [...checkName(each), ...(first && first !== each ? [duplicateName(each, first)] : [])]
  })
}

/** Reports schemes that differ and have one name: descriptions and clients know them by it. */
export function checkSchemes(procedures: readonly FoundProcedure[]): Diagnostic[] {
  const firsts = new Map<string, DescribedRule>()
  return procedures.flatMap(({ model, position }) =>
    (model.security ?? []).flat().flatMap((rule): Diagnostic[] => {
      const { scheme } = rule
      if (!scheme) return []
      const first = firsts.get(scheme.name) ?? rule
      firsts.set(scheme.name, first)
      if (!first.scheme || isSameScheme(first.scheme, scheme)) return []
      const others = first.rule === rule.rule ? `another ${rule.rule}` : first.rule
      const message = `the schemes of ${rule.rule} and of ${others} differ, and have one name: ${scheme.name}`
      return [{ code: 'RPC140', message, position, hint: 'give each a name of its own: the name in defineAuth' }]
    }),
  )
}

function checkName({ name, position }: PlacedName): Diagnostic[] {
  // The only name in the source.
  if (name === 'default') {
    const message = 'a default export has no public name'
    return [{ code: 'RPC114', message, position, hint: 'name it in the tag: @rpc user.create' }]
  }
  if (!isMethodName(name)) {
    const hint = `write one in the tag, as in @rpc user.create: ${allowedNames}`
    return [{ code: 'RPC113', message: `${JSON.stringify(name)} is not a name of a procedure`, position, hint }]
  }
  if (name.split('.').length > MAX_SEGMENTS) {
    const message = `the name has more than ${MAX_SEGMENTS} segments`
    return [{ code: 'RPC113', message, position, hint: 'choose a shorter one in the tag: @rpc user.create' }]
  }
  return checkReserved({ name, position }, 'choose another name in the tag: @rpc user.create')
}

/** Each segment of a name is one level of the generated client. */
const MAX_SEGMENTS = 100

/** Checks that a name is not reserved for the server. */
export function checkReserved({ name, position }: PlacedName, hint: string): Diagnostic[] {
  const prefix = ['rpc.', 'system.'].find((reserved) => name.startsWith(reserved))
  if (prefix === undefined) return []
  const message = `the name ${name} is reserved: the server defines the names that begin with ${prefix}`
  return [{ code: 'RPC113', message, position, hint }]
}

function duplicateName({ name, position }: PlacedName, { position: first }: PlacedName): Diagnostic {
  return {
    code: 'RPC112',
    message: `there are two procedures ${name}: the other one is at ${first.file}:${first.line}:${first.column}`,
    position,
    hint: 'rename one in its tag: @rpc user.create',
  }
}
