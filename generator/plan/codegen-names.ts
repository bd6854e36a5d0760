/** All exports of `rpc-gen/codegen/v1`, which are reserved in a generated module. A test compares them with the entry point. */
export const codegenNames: readonly string[] = (
  'absent alias any array arrayBuffer bigint boolean buffer bytes constrained date describe double int list literal manifest ' +
  'map member methodsManifest nil nothing nullable number one oneOf optional orNull others present presentOrNull procedure ' +
  'record ref rest RpcServer scalar set setMember string struct template tuple union url Called Decoded Documented Double Fresh Int Manifest ParamsObject Renamed ' +
  'Router RpcContext RpcError Type Wire'
).split(' ')
