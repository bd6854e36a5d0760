import type { Procedure, Signature } from '../call/types.js'
import { any } from '../values/builders.js'
import { serializeUnknown } from '../values/serialize-unknown.js'
import type { AnyFunction, RegisterOptions } from './registration.js'

/** A procedure of a function that nobody compiled: any arguments, by position, any result. */
export function uncheckedProcedure(fn: AnyFunction, { name = fn.name, contextTarget }: RegisterOptions): Procedure {
  if (name === '') throw new Error('an unchecked function without a name needs one: { unchecked: true, name: … }')
  if (typeof contextTarget === 'string') {
    throw new Error(
      `contextTarget of the unchecked function ${name} is a position: the names of its parameters are not known`,
    )
  }
  const call = fn as (...args: unknown[]) => unknown
  return {
    name,
    help: '',
    signatures: [signatureOf(fn, contextTarget)],
    params: [{ name: 'args', type: any, rest: true }],
    returns: { type: any },
    context: contextTarget !== undefined,
    accepts: () => true,
    invoke: (args, context) =>
      contextTarget === undefined
        ? call(...args)
        : call(...args.slice(0, contextTarget), context, ...args.slice(contextTarget)),
    lower: serializeUnknown,
  }
}

/** `undef` for the result and for every parameter that the function names. */
function signatureOf(fn: AnyFunction, contextTarget: number | undefined): Signature {
  const named = fn.length - (contextTarget !== undefined && contextTarget < fn.length ? 1 : 0)
  return ['undef', ...Array.from({ length: named }, () => 'undef')]
}
