const version = { jsonrpc: '2.0' } as const
const result = (result: unknown, id: unknown) => ({ ...version, result, id })
const error = (code: number, message: string, id: unknown = null) => ({ ...version, error: { code, message }, id })

/** The response that section 7 of the JSON-RPC 2.0 specification shows for each of its requests; undefined for none. */
export const specified: Readonly<Record<string, unknown>> = {
  'spec-positional-1': result(19, 1),
  'spec-positional-2': result(-19, 2),
  'spec-named-1': result(19, 3),
  'spec-named-2': result(19, 4),
  'spec-notification-1': undefined,
  'spec-notification-2': undefined,
  'spec-non-existent-method': error(-32601, 'Method not found', '1'),
  'spec-invalid-json': error(-32700, 'Parse error'),
  'spec-invalid-request-object': error(-32600, 'Invalid Request'),
  'spec-batch-invalid-json': error(-32700, 'Parse error'),
  'spec-batch-empty': error(-32600, 'Invalid Request'),
  'spec-batch-invalid-not-empty': [error(-32600, 'Invalid Request')],
  'spec-batch-invalid': [
    error(-32600, 'Invalid Request'),
    error(-32600, 'Invalid Request'),
    error(-32600, 'Invalid Request'),
  ],
  'spec-batch': [
    result(7, '1'),
    result(19, '2'),
    error(-32600, 'Invalid Request'),
    error(-32601, 'Method not found', '5'),
    result(['hello', 5], '9'),
  ],
  'spec-batch-notifications': undefined,
}
