import type { ContentDescriptor } from '../../runtime/openrpc/openrpc.js'

/** Whether the schema of a param, behind references, is a list and nothing else. */
export type IsList = (schema: ContentDescriptor['schema']) => boolean

/** A method as far as its rest parameter is looked for. */
interface WithParams {
  readonly params: readonly ContentDescriptor[]
}

/**
 * Marks the rest parameters of what was written before there was a mark; `isOurs` says of a method whether this tool wrote
 * it, and it may have one. What a caller may leave out takes null in documents of ours, and a rest parameter alone does
 * not. Where one mark is, all of them are.
 */
export function markRests<Each extends WithParams>(
  methods: readonly Each[],
  isOurs: (method: Each) => boolean,
  isList: IsList,
): readonly Each[] {
  if (methods.some(({ params }) => params.some(isRest))) return methods
  return methods.map((method) => {
    const last = method.params.at(-1)
    if (!last || last.required || !isOurs(method) || !isList(last.schema)) return method
    return { ...method, params: [...method.params.slice(0, -1), { ...last, 'x-rest': true as const }] }
  })
}

export function isRest(param: ContentDescriptor): boolean {
  return param['x-rest'] === true
}
