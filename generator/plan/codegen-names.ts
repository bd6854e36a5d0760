/** All that `rpc-gen/codegen/v1` exports: names that nothing else in a generated module may have. A test compares. */
export const codegenNames = (
  'absent any array arrayToSet bigint boolean bytes constrained convertTagged date documented double int isArrayOf isAtLeast isAtMost isBigint isBoolean isBytes isDate isFormat isInt ' +
  'isMapOf isMultiple isNull isNumber isObject isPresent isRecordOf isSetOf isString isStruct isTupleOf isUndefined isUnique isUrl keys literal lowerUnion ' +
  'manifest map mapArray mapRecord mapToStruct mapTuple meets member memoize methodsManifest named nil nothing nullToUndefined number optional procedure ' +
  'record ref reviveArguments reviveUnion RpcServer same set setMember setToArray string stringToUrl struct structToMap template ' +
  'tuple undefinedToNull unfit union unnamed url urlToString writeAny Double Int Manifest Router RpcContext RpcError Struct Wire WireType'
).split(' ')
