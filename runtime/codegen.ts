/**
 * All that a generated module may import. Frozen once released: what a later generator needs beside it goes into a
 * `codegen/v2`, so that files generated before go on working.
 *
 * @module
 */

export { manifest, procedure } from './call/procedure.js'
export { type Manifest, type RpcContext, unfit } from './call/types.js'
export type { RpcError } from './error.js'
export { methodsManifest } from './legacy/methods-manifest.js'
export { isAtLeast, isAtMost, isMultiple, isUnique, meets } from './schema/constraints.js'
export { isFormat } from './schema/format.js'
export { type Router, RpcServer } from './server/server.js'
export {
  absent,
  any,
  array,
  bigint,
  boolean,
  bytes,
  constrained,
  date,
  documented,
  double,
  int,
  keys,
  literal,
  map,
  named,
  nil,
  nothing,
  number,
  optional,
  record,
  ref,
  set,
  string,
  struct,
  template,
  tuple,
  union,
  unnamed,
  url,
} from './values/builders.js'
export {
  arrayToSet,
  convertTagged,
  isPresent,
  lowerUnion,
  mapArray,
  mapRecord,
  mapToStruct,
  mapTuple,
  nullToUndefined,
  reviveArguments,
  reviveUnion,
  setMember,
  setToArray,
  stringToUrl,
  structToMap,
  undefinedToNull,
  urlToString,
} from './values/convert.js'
export { memoize } from './values/memoize.js'
export {
  isArrayOf,
  isBigint,
  isBoolean,
  isBytes,
  isDate,
  isInt,
  isMapOf,
  isNull,
  isNumber,
  isObject,
  isRecordOf,
  isSetOf,
  isString,
  isStruct,
  isTupleOf,
  isUndefined,
  isUrl,
  member,
  type Struct,
} from './values/predicates.js'
export { serializeUnknown as writeAny } from './values/serialize-unknown.js'
export type { Double, Int, WireType } from './values/types.js'
export { same, type WireScalars as Wire } from './values/wire.js'
