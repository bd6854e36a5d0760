// The procedures that clients call by themselves, besides the wire fixtures' procedures.
import type { RpcContext } from 'rpc-gen'

const notes: string[] = []

/**
 * Remembers a word.
 *
 * @rpc note
 */
export function note(word: string): void {
  notes.push(word)
}

/**
 * What was remembered.
 *
 * @rpc notes
 */
export const listNotes = (): string[] => notes

/**
 * Which chain this is, in the form that Ethereum's clients read.
 *
 * @rpc eth_chainId
 */
export const chainId = (): string => '0x539'

/** @rpc eth_blockNumber */
export const blockNumber = (): string => '0x2a'

/** @rpc eth_getBalance */
export const balance = (address: string, _block: string): string => `0x${BigInt(address).toString(16)}`

/** @rpc */
export const exact = (): bigint => 9007199254740993n

/** @rpc */
export const lines = (): string => '  a\r\nb\rc\n '

/**
 * Sends a notification to the caller.
 *
 * @rpc
 */
export async function announce(method: string, text: string, { notify }: RpcContext): Promise<void> {
  await notify?.(method, [text])
}
