import { isBoolean, isInt, isNull, isNumber, isString } from '../values/predicates.js'
import { serializeUnknown } from '../values/serialize-unknown.js'
import type { ScalarKind } from '../values/types.js'
import type { WireScalars } from '../values/wire.js'
import { authIn } from './auth.js'
import type { Awaitable } from './maybe-async.js'
import { type Manifest, type Procedure, type RpcContext, unfit } from './types.js'

/** What a generated module says of one function. `Args` is what `accepts` proves of the arguments. */
export interface ProcedureSpec<Args extends readonly unknown[], Result>
  extends Omit<Procedure, 'accepts' | 'invoke' | 'lower'> {
  readonly accepts: (args: readonly unknown[]) => args is Args
  readonly invoke: (args: Args, context: RpcContext) => Awaitable<Result>
  /** Absent where a scalar result travels as it is. */
  readonly lower?: Procedure['lower']
}

/** Functions and what was compiled of them: how a registration finds the compiled form. */
const compiled = new WeakMap<object, Procedure>()

/** The compiled form of a function; undefined when no generated module that was loaded has it. */
export function compiledForm(fn: object): Procedure | undefined {
  return compiled.get(fn)
}

/**
 * Makes a procedure of a function and of what the generator found out about it.
 *
 * @throws TypeError where the function or its auth is undefined, as in an import cycle
 */
export function procedure<Args extends readonly unknown[], Result>(
  fn: (...args: never[]) => unknown,
  spec: ProcedureSpec<Args, Result>,
): Procedure {
  if (typeof fn !== 'function') {
    throw new TypeError(`procedure ${spec.name}: its function is ${typeof fn}; is it part of an import cycle?`)
  }
  authIn(spec, `procedure ${spec.name}`)
  const made: Procedure = {
    ...spec,
    // `accepts` has proved the arguments by the time `invoke` sees them; the record of all procedures cannot say so.
    invoke: spec.invoke as Procedure['invoke'],
    lower: spec.lower ?? lowerScalar(spec.returns.type.kind),
  }
  compiled.set(fn, made)
  return made
}

/** A manifest whose types are those that the generated module declares. */
export type AnyTypes<Name extends string> = Manifest<Name, never, never, never>

/** Procedures by name, in the order given. */
export function manifest<Name extends string>(...procedures: readonly Procedure[]): AnyTypes<Name> {
  return Object.freeze(byName(procedures)) as AnyTypes<Name>
}

/** Procedures by name, without a prototype. */
export function byName(procedures: readonly Procedure[]): Record<string, Procedure> {
  const named: Record<string, Procedure> = Object.create(null)
  for (const each of procedures) named[each.name] = each
  return named
}

const scalars: Partial<Record<ScalarKind, (value: unknown) => boolean>> = {
  int: isInt,
  double: isNumber,
  number: isNumber,
  string: isString,
  boolean: isBoolean,
  null: isNull,
}

/** The `lower` of a result that needs no code of its own. */
function lowerScalar(kind: string): Procedure['lower'] {
  // A function of type void may return anything: nobody is to look at it.
  if (kind === 'void') return () => null
  if (kind === 'undefined') return (result) => (result === undefined ? null : unfit)
  const is = scalars[kind as ScalarKind]
  return is ? (result) => (is(result) ? result : unfit) : lowerAny
}

function lowerAny(result: unknown, wire: WireScalars): unknown {
  return serializeUnknown(result, wire)
}
