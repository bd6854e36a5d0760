/** All that `rpc-gen/codegen/v1` exports: names that nothing else in a generated module may have. A test compares. */
export const codegenNames = (
  'absent any array arrayToSet bigint boolean bytes date double int isArrayOf isBigint isBoolean isBytes isDate isInt ' +
  'isMapOf isNull isNumber isPresent isRecordOf isSetOf isString isStruct isTupleOf isUndefined literal lowerUnion ' +
  'manifest map mapArray mapRecord mapToStruct mapTuple member nil nothing nullToUndefined number optional procedure ' +
  'record ref reviveArguments reviveUnion RpcServer same set setMember setToArray string struct structToMap template ' +
  'tuple undefinedToNull unfit union writeAny Double Int Manifest Router RpcContext Struct Wire WireType'
).split(' ')
