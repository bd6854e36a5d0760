// biome-ignore-all lint/suspicious/noExplicitAny: any is what is tested

import type { Int, RpcContext } from 'rpc-gen'
import { RpcError } from 'rpc-gen'
import { sampleOf } from './values.js'

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
  return sampleOf(kind)
}

/** @rpc */
export async function byUnknown(kind: string): Promise<unknown> {
  return sampleOf(kind)
}

/** @rpc */
export function inRecord(kind: string): Record<string, unknown> {
  return { owner: sampleOf(kind) }
}

/** @rpc */
export function asRecord(kind: string): Record<string, any> {
  return sampleOf(kind) as Record<string, any>
}

/** @rpc */
export function asIndex(kind: string): WithIndex {
  return Object.assign(sampleOf(kind) as object, { id: 7 }) as unknown as WithIndex
}

/** @rpc */
export function inMap(kind: string): Map<string, unknown> {
  return new Map([['owner', sampleOf(kind)]])
}

/** @rpc */
export function inSet(kind: string): Set<unknown> {
  return new Set([sampleOf(kind)])
}

/** @rpc */
export function inList(kind: string): any[] {
  return [sampleOf(kind)]
}

/** @rpc */
export function inTuple(kind: string): [Int, unknown] {
  return [1, sampleOf(kind)]
}

/** @rpc */
export function inMember(kind: string): WithMember {
  return { note: sampleOf(kind), more: sampleOf(kind) }
}

/** @rpc */
export function inUnion(kind: string): string | WithMember | any[] {
  return [sampleOf(kind)]
}

/** @rpc */
export function inAny(kind: string): any {
  return { map: new Map([['owner', sampleOf(kind)]]), set: new Set([sampleOf(kind)]), list: [[sampleOf(kind)]] }
}

/**
 * @rpc
 * @throws {RpcError} 7 always
 */
export function fails(kind: string): void {
  throw new RpcError(7, 'failed', { data: { owner: sampleOf(kind) } })
}

/** @rpc */
export function failsWith(kind: string): void {
  throw new RpcError(7, 'failed', { data: sampleOf(kind) })
}

/** @rpc */
export function notifies(kind: string, { notify }: RpcContext): void {
  void notify?.('said', [sampleOf(kind)])
}

/** @rpc */
export function notifiesWith(kind: string, { notify }: RpcContext): void {
  void notify?.('said', sampleOf(kind) as Record<string, unknown>)
}

/** @rpc */
export async function* items(kind: string): AsyncGenerator<unknown> {
  yield sampleOf(kind)
}

/** @rpc */
export async function* failingItems(kind: string): AsyncGenerator<unknown> {
  yield 1
  throw new RpcError(7, 'failed', { data: sampleOf(kind) })
}

/** @rpc */
export function echo(value: any): any {
  return value
}

/** @rpc */
export function asTexts(kind: string): Record<string, string> {
  return sampleOf(kind) as Record<string, string>
}

/** @rpc */
export function asCounts(kind: string): Record<string, Int> {
  return sampleOf(kind) as Record<string, Int>
}

/** @rpc */
export function declared(kind: string): { name: string; lead: { name: string } } {
  return sampleOf(kind) as { name: string; lead: { name: string } }
}

/** @rpc */
export function declaredList(): string[] {
  return Object.assign(['a', 'b'], { toJSON: () => 'not called' })
}

/** @rpc */
export function saved(value: Record<string, any>): Record<string, any> {
  return value
}
