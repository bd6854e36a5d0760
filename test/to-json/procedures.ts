// biome-ignore-all lint/suspicious/noExplicitAny: any is what is tested

import type { Int, RpcContext } from 'rpc-gen'
import { RpcError } from 'rpc-gen'
import { valueOf } from './values.js'

interface WithMember {
  readonly note: unknown
  readonly more?: any
}

interface WithIndex {
  readonly id: Int
  readonly [name: string]: unknown
}

/** @rpc */
export function byAny(kind: string): any {
  return valueOf(kind)
}

/** @rpc */
export async function byUnknown(kind: string): Promise<unknown> {
  return valueOf(kind)
}

/** @rpc */
export function inRecord(kind: string): Record<string, unknown> {
  return { owner: valueOf(kind) }
}

/** @rpc */
export function asRecord(kind: string): Record<string, any> {
  return valueOf(kind) as Record<string, any>
}

/** @rpc */
export function asIndex(kind: string): WithIndex {
  return Object.assign(valueOf(kind) as object, { id: 7 }) as unknown as WithIndex
}

/** @rpc */
export function inMap(kind: string): Map<string, unknown> {
  return new Map([['owner', valueOf(kind)]])
}

/** @rpc */
export function inSet(kind: string): Set<unknown> {
  return new Set([valueOf(kind)])
}

/** @rpc */
export function inList(kind: string): any[] {
  return [valueOf(kind)]
}

/** @rpc */
export function inTuple(kind: string): [Int, unknown] {
  return [1, valueOf(kind)]
}

/** @rpc */
export function inMember(kind: string): WithMember {
  return { note: valueOf(kind), more: valueOf(kind) }
}

/** @rpc */
export function inUnion(kind: string): string | WithMember | any[] {
  return [valueOf(kind)]
}

/** @rpc */
export function inAny(kind: string): any {
  return { map: new Map([['owner', valueOf(kind)]]), set: new Set([valueOf(kind)]), list: [[valueOf(kind)]] }
}

/**
 * @rpc
 * @throws {RpcError} 7 always
 */
export function fails(kind: string): void {
  throw new RpcError(7, 'failed', { data: { owner: valueOf(kind) } })
}

/** @rpc */
export function failsWith(kind: string): void {
  throw new RpcError(7, 'failed', { data: valueOf(kind) })
}

/** @rpc */
export function notifies(kind: string, { notify }: RpcContext): void {
  void notify?.('said', [valueOf(kind)])
}

/** @rpc */
export async function* items(kind: string): AsyncGenerator<unknown> {
  yield valueOf(kind)
}

/** @rpc */
export async function* failingItems(kind: string): AsyncGenerator<unknown> {
  yield 1
  throw new RpcError(7, 'failed', { data: valueOf(kind) })
}

/** @rpc */
export function echo(value: any): any {
  return value
}

/** @rpc */
export function declared(): { name: string; lead: { name: string } } {
  return valueOf('team') as { name: string; lead: { name: string } }
}
