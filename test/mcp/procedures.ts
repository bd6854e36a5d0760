// The tools that the conformance suite calls, and others for the clients.
import { type Int, RpcError } from 'rpc-gen'
import type { AudioContent, EmbeddedResource, ImageContent, TextContent } from 'rpc-gen/mcp'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

/**
 * Returns a text.
 *
 * @rpc test_simple_text
 * @mcp
 */
export function simpleText(): string {
  return 'This is a simple text response for testing.'
}

/**
 * Returns an image.
 *
 * @rpc test_image_content
 * @mcp
 */
export function imageContent(): ImageContent {
  return { type: 'image', data: bytesOf(png), mimeType: 'image/png' }
}

/**
 * Returns a sound.
 *
 * @rpc test_audio_content
 * @mcp
 */
export function audioContent(): AudioContent {
  return { type: 'audio', data: bytesOf(wav), mimeType: 'audio/wav' }
}

/**
 * Returns a document.
 *
 * @rpc test_embedded_resource
 * @mcp
 */
export function embeddedResource(): EmbeddedResource {
  const text = 'This is an embedded resource content.'
  return { type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text } }
}

/**
 * Returns several pieces.
 *
 * @rpc test_multiple_content_types
 * @mcp
 */
export function multipleContentTypes(): (TextContent | ImageContent | EmbeddedResource)[] {
  const text = '{"test":"data","value":123}'
  return [
    { type: 'text', text: 'Multiple content types test:' },
    imageContent() as ImageContent,
    { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text } },
  ]
}

/**
 * Always fails.
 *
 * @rpc test_error_handling
 * @mcp
 */
export function errorHandling(): string {
  throw new RpcError(4444, 'This tool intentionally returns an error for testing')
}

/** Where somebody lives. */
export interface Address {
  readonly street: string
  readonly city: string
}

/**
 * Has a schema with definitions.
 *
 * @rpc json_schema_2020_12_tool
 * @mcp
 */
export function addressed(name: string, address: Address): string {
  return `${name}, ${address.city}`
}

/**
 * Adds two numbers.
 *
 * @rpc math.add
 * @mcp
 * @readonly
 * @idempotent
 * @param a First number
 * @returns Sum of a and b
 */
export function add(a: Int, b: Int): Int {
  return a + b
}

/** A line of an order. */
export interface Line {
  readonly sku: string
  readonly quantity: Int
}

/** An order. */
export interface Order {
  readonly id: string
  readonly placed: Date
  readonly lines: readonly Line[]
  readonly note?: string
}

/**
 * Places an order. It is sent the next day.
 *
 * @rpc order.place
 * @mcp Place an order
 * @destructive false
 */
export function place(lines: Line[], note?: string): Order {
  return { id: 'o1', placed: new Date(0), lines, ...(note === undefined ? {} : { note }) }
}

/**
 * Deletes an order.
 *
 * @rpc order.remove
 * @mcp
 * @destructive
 */
export function remove(id: string): void {
  if (id === '') throw new RpcError(404, 'No such order', { data: { id } })
}

/**
 * Waits until it is cancelled.
 *
 * @rpc
 * @mcp
 */
export function wait(ms: Int): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('waited'), ms))
}

/**
 * Does something in three steps.
 *
 * @yields What it has done
 * @rpc test_tool_with_progress
 * @mcp
 */
export function toolWithProgress(): AsyncGenerator<string> {
  return steps(3)
}

/**
 * Does something in steps.
 *
 * @yields What it has done
 * @rpc
 * @mcp
 */
export async function* steps(count: Int): AsyncGenerator<string> {
  for (let at = 1; at <= count; at += 1) {
    yield `step ${at}`
    // The official client drops what has come together with the response.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Is not a tool.
 *
 * @rpc
 */
export function internal(): string {
  return 'internal'
}
