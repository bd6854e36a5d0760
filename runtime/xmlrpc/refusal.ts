import { RpcInvalidParams } from '../error.js'
import { pathOf, type Refusal, type Source } from './source.js'

const longest = 40

/** Keeps the first scalar whose text is not of its type; the document is read on, since more may be wrong with it. */
export function refuse(source: Source, level: number, expected: string, text: string): undefined {
  source.refusal ??= {
    path: source.path.slice(0, level + 1),
    expected,
    received: JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text),
  }
}

export function refusalError({ path: parts, expected, received }: Refusal): RpcInvalidParams {
  const path = pathOf({ path: parts }, parts.length)
  return new RpcInvalidParams(`Invalid params: ${path}: expected ${expected}, received ${received}`, {
    data: [{ path, expected, received }],
  })
}
