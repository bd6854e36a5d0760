import type { ProtocolName } from '../protocol.js'
import type { DescribedExample, DescribedParam, NamedType } from '../schema/description.js'
import type { DocsSource } from './source.js'

/** The data for the script of the page. */
export interface PageData {
  readonly endpoint?: string | undefined
  readonly protocols: readonly ProtocolName[]
  readonly procedures: readonly CallData[]
  readonly types: readonly NamedType[]
}

/** The parameters of a form. */
export interface CallData {
  readonly name: string
  readonly params: readonly DescribedParam[]
  readonly paramsObject?: boolean
  readonly protocols?: readonly ProtocolName[]
  readonly examples?: readonly DescribedExample[]
}

/** JSON for a `<script>`: it cannot open or close an element or a comment. */
export function dataOf({ description, protocols, endpoint }: DocsSource): string {
  const procedures = description.procedures.map(
    ({ name, params, paramsObject, protocols: own, examples }): CallData => {
      const shown = examples?.filter((each) => each.params)
      return {
        name,
        params,
        ...(paramsObject && { paramsObject }),
        ...(own ? { protocols: own } : {}),
        ...(shown?.length ? { examples: shown } : {}),
      }
    },
  )
  const types = description.types.map(({ name, type }) => ({ name, type }))
  const data: PageData = { endpoint, protocols, procedures, types }
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
