import type { Diagnostic, Position } from '../diagnostic.js'

/** A procedure's public name and its position. */
export interface PlacedName {
  readonly name: string
  readonly position: Position
  /** True if the only name in the source is `default`. */
  readonly unnamed: boolean
}

/** Checks the public names: no duplicates, no reserved names, no invalid ones. */
export function checkNames(procedures: readonly PlacedName[]): Diagnostic[] {
  const firsts = new Map(procedures.toReversed().map((each) => [each.name, each]))
  return procedures.flatMap((procedure) => {
    const first = firsts.get(procedure.name)
    return [...checkName(procedure), ...(first && first !== procedure ? [twice(procedure, first)] : [])]
  })
}

function checkName({ name, position, unnamed }: PlacedName): Diagnostic[] {
  if (unnamed) {
    const message = 'a default export has no public name'
    return [{ code: 'RPC114', message, position, hint: 'name it in the tag: @rpc user.create' }]
  }
  return checkReserved({ name, position }, 'choose another name in the tag: @rpc user.create')
}

/** Checks that a name is not reserved for the server. */
export function checkReserved({ name, position }: Pick<PlacedName, 'name' | 'position'>, hint: string): Diagnostic[] {
  const prefix = ['rpc.', 'system.'].find((reserved) => name.startsWith(reserved))
  if (prefix === undefined) return []
  const message = `the name ${name} is reserved: the server defines the names that begin with ${prefix}`
  return [{ code: 'RPC113', message, position, hint }]
}

function twice({ name, position }: PlacedName, { position: first }: PlacedName): Diagnostic {
  return {
    code: 'RPC112',
    message: `there are two procedures ${name}: the other one is at ${first.file}:${first.line}:${first.column}`,
    position,
    hint: 'rename one in its tag: @rpc user.create',
  }
}
