import type { DescribedExample, DescribedParam, DescribedProcedure } from './description.js'
import type { OpenRpcExample } from './openrpc.js'

/** The examples of the docs whose values are known; one without a result would be a notification. */
export function examplesOf({ examples = [], params, paramsObject }: DescribedProcedure): OpenRpcExample[] {
  return examples.flatMap((each, i) => {
    const pairing = each.params && each.result && exampleOf(each.params, each.result, paramsObject ? undefined : params)
    return pairing ? [{ name: `example${examples.length > 1 ? ` ${i + 1}` : ''}`, ...pairing }] : []
  })
}

/** Undefined if there are more arguments than parameters. Without parameters, the only argument is the params object. */
function exampleOf(
  values: readonly unknown[],
  [result]: NonNullable<DescribedExample['result']>,
  params: readonly DescribedParam[] | undefined,
): Omit<OpenRpcExample, 'name'> | undefined {
  if (!params) {
    const given = Object.entries(values[0] ?? {}).map(([name, value]) => ({ name, value }))
    return { params: given, result: { name: 'result', value: result } }
  }
  const rest = params.find((param) => param.rest)
  const single = params.filter((param) => !param.rest)
  if (values.length > single.length && !rest) return undefined
  const given = single.slice(0, values.length).map(({ name }, i) => ({ name, value: values[i] }))
  const others = rest ? [{ name: rest.name, value: values.slice(single.length) }] : []
  return {
    params: [...given, ...others],
    result: { name: 'result', value: result },
  }
}
