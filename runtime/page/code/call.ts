import type { DescribedParam, TypesByName } from '../../schema/description.js'

/** A call for which code is written. */
export interface ShownCall {
  readonly url: string
  readonly name: string
  /** In JSON form. */
  readonly params: readonly unknown[]
  readonly declared: readonly DescribedParam[]
  readonly types: TypesByName
  /** Headers other than the content type. */
  readonly headers: Readonly<Record<string, string>>
  /** The request of JSON-RPC. */
  readonly message: unknown
  /** The document of XML-RPC. */
  readonly xml: string
}
