/**
 * All that a generated module may import. Frozen once released: what a later generator needs beside it goes into a
 * `codegen/v2`, so that files generated before go on working.
 *
 * @module
 */
export { writeAny } from './any.js'
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
} from './build.js'
export type { RpcContext } from './context.js'
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
  same,
  setMember,
  setToArray,
  stringToUrl,
  structToMap,
  undefinedToNull,
  urlToString,
} from './convert.js'
export { type Manifest, unfit } from './manifest.js'
export { memoize } from './memoize.js'
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
} from './predicates.js'
export { manifest, methodsManifest, procedure } from './procedure.js'
export { isAtLeast, isAtMost, isMultiple, isUnique, meets } from './schema/constraints.js'
export { isFormat } from './schema/format.js'
export { type Router, RpcServer } from './server.js'
export type { Double, Int } from './types.js'
export type { Wire } from './wire.js'
export type { WireType } from './wire-type.js'
