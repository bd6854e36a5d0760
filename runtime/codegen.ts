/**
 * The imports of a generated module. Frozen once released: what a later generator needs in addition goes into a `codegen/v2`, so that
 * files generated before continue to work.
 *
 * @module
 */

export { authRule } from './call/auth-scheme.js'
export { manifest, optional, procedure, rest } from './call/procedure.js'
export type { Manifest, RpcContext } from './call/types.js'
export type { RpcError } from './error.js'
export { methodsModulesManifest } from './legacy/manifest.js'
export { type Router, RpcServer } from './server/server.js'
export type { IfUpToDate, OmitContext, Renamed, Retyped } from './types/generated.js'
export type { ParamsObject } from './types/typed-call.js'
export { scalar } from './values/custom-type.js'
export { describeTypes } from './values/definition.js'
export {
  byteFormat,
  durationFormat,
  idnEmailFormat,
  idnHostnameFormat,
  iriFormat,
  iriReferenceFormat,
  jsonPointerFormat,
  passwordFormat,
  regexFormat,
  relativeJsonPointerFormat,
  uriReferenceFormat,
  uriTemplateFormat,
  urlFormat,
} from './values/more-formats.js'
export type { Decoded } from './values/scalar-codec.js'
export {
  any,
  arrayBuffer,
  bigint,
  boolean,
  buffer,
  bytes,
  constrained,
  date,
  double,
  int,
  literal,
  nullType,
  number,
  readLiteral,
  string,
  template,
  undefinedType,
  url,
  voidType,
} from './values/scalar-types.js'
export {
  alias,
  array,
  isPresent,
  isPresentOrNull,
  lazy,
  map,
  nullable,
  ownMember,
  read,
  readArray,
  readIndexSignature,
  readNullable,
  readOptionalMembers,
  readStruct,
  record,
  set,
  setMember,
  tuple,
} from './values/struct-types.js'
export type { Double, Int } from './values/types.js'
export { union } from './values/unions/union.js'
export type { Definition as Type, Wire } from './values/wire.js'
