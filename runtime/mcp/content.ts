// The content blocks of MCP (https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result). A tool whose
// result type is a content block, or a list of them, returns them unchanged; any other result is JSON.
import { resolveType } from '../description/described-types.js'
import type { DescribedType, TypesByName } from '../description/description.js'

/** Text. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

/** An image. */
export interface ImageContent {
  readonly type: 'image'
  readonly data: Uint8Array
  /** The media type, for instance `image/png`. */
  readonly mimeType: string
}

/** Audio. */
export interface AudioContent {
  readonly type: 'audio'
  readonly data: Uint8Array
  /** The media type, for instance `audio/wav`. */
  readonly mimeType: string
}

/** A link to a resource that the client can read. */
export interface ResourceLink {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

/** A resource with its content. */
export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: TextResource | BinaryResource
}

/** A resource whose content is text. */
export interface TextResource {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
}

/** A resource whose content is binary. */
export interface BinaryResource {
  readonly uri: string
  readonly mimeType?: string
  readonly blob: Uint8Array
}

/** A content block: an element of the result of a tool. */
export type ToolContent = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

/** The members that each kind of content block has, those that it may have, and those that every kind may have. */
const required: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: ['resource'],
}
const optional: Readonly<Record<string, readonly string[]>> = {
  resource_link: ['title', 'description', 'mimeType', 'size', 'icons'],
}
const common = ['type', 'annotations', '_meta']

/** True if values of a type are content blocks, or lists of them. */
export function isContent(type: DescribedType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  return isBlock(plain.kind === 'array' ? plain.element : plain, types)
}

function isBlock(type: DescribedType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return plain.branches.every((each) => isBlock(each, types))
  if (plain.kind !== 'struct' || plain.indexes) return false
  const { members } = plain
  const tag = members.find(({ name }) => name === 'type')
  const tagType = tag && !tag.optional ? resolveType(tag.type, types) : undefined
  const kind = tagType?.kind === 'literal' ? String(tagType.value) : ''
  const needed = Object.hasOwn(required, kind) ? (required[kind] ?? []) : undefined
  if (!needed) return false
  const known = [...needed, ...(optional[kind] ?? []), ...common]
  const isGuaranteed = (name: string) =>
    members.some((each) => each.name === name && !each.optional && (name === 'resource' || isText(each.type, types)))
  return needed.every(isGuaranteed) && members.every(({ name }) => known.includes(name))
}

const textKinds: ReadonlySet<string> = new Set(['string', 'template', 'url', 'bytes'])

/** True if values of a type are strings in JSON. */
function isText(type: DescribedType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return plain.branches.every((each) => isText(each, types))
  return plain.kind === 'literal' ? typeof plain.value === 'string' : textKinds.has(plain.kind)
}
