import { choice, flag, type OptionTable } from '../option-table.js'

/** The switches of `compatibility`, for clients that do not follow the specifications, or expect more; all are off by default. */
export interface Compatibility {
  /**
   * Accepts JSON-RPC 1.0 (no version, or `"jsonrpc": "1.0"`) and 1.1 (`"version": "1.1"`), and responds in the same version:
   * `result` and `error` are both present, one of them null, and `jsonrpc` is absent. In 1.0 a request with the id null is a
   * notification. Default `false`.
   */
  readonly jsonRpc1?: boolean
  /**
   * Reads a request as JSON-RPC 2.0 whose `jsonrpc` is missing, misspelt (`json-rpc`) or has another value (`2`). With `jsonRpc1`
   * too, a request without any version is one of 1.0. Default `false`.
   */
  readonly lenientVersion?: boolean
  /**
   * Reads `"params": null` of JSON-RPC, of every version, as no parameters. It applies to NATS too. Default `false`: an invalid request.
   */
  readonly nullParams?: boolean
  /**
   * Whether JSON-RPC has `system.multicall`, as in aria2: `[[{ methodName, params }]]`; each result is in an array of its own, an
   * error is the object `{ code, message, data }`. Default `false`: it is a method of XML-RPC alone.
   */
  readonly jsonMulticall?: boolean
  /** Whether `system.listMethods` ignores parameters by position, such as the token of aria2's clients. Default `false`. */
  readonly listMethodsParams?: boolean
  /**
   * Whether your procedures may have names that begin with `system.`. They replace the server's own, but for `system.multicall`.
   * Default `false`.
   */
  readonly ownSystemNames?: boolean
  /**
   * What XML-RPC sends for the result of a procedure whose type is void, undefined or null: `'nil'`, `'emptyString'` or `'true'`.
   * Default `'nil'`, an extension that some clients cannot read.
   */
  readonly xmlRpcVoid?: 'nil' | 'emptyString' | 'true'
  /**
   * Whether a fault of XML-RPC has the `data` of the error, such as the issues of invalid params, as a third member. Default `false`:
   * the specification has two, and some clients, Ruby's among them, reject a fault with more.
   */
  readonly xmlRpcFaultData?: boolean
  /**
   * The element of XML-RPC in which a bigint is sent: `'i8'`, an extension of 64 bits, `'string'`, its digits, or `'double'`, an error if a
   * double does not represent it exactly. All of them are accepted in arguments. Default `'i8'`.
   */
  readonly xmlRpcBigint?: 'i8' | 'string' | 'double'
  /**
   * What XML-RPC sends for a result with characters that XML does not have, such as U+0007 and half a surrogate pair, also in names of
   * members: `'error'` (-32603), or `'replace'`, U+FFFD for each of them. Default `'error'`.
   */
  readonly xmlRpcInvalidText?: 'error' | 'replace'
  /**
   * Accepts bodies of the types `application/x-www-form-urlencoded` and `text/plain`, whose first character then decides the
   * protocol. Requests of browsers, known by Origin, Sec-Fetch-Site, Referer or Cookie, stay 415: a browser sends these types across
   * sites without asking. Default `false`.
   */
  readonly formAndTextBodies?: boolean
  /**
   * Whether the error of JSON-RPC is the HTTP status too: 404 for an unknown method, 400 for an invalid request or invalid params,
   * 401 for a caller that is not known if a scheme of `defineAuth` declares the challenge, 403 for others that are not authorised, 500 for any other.
   * The errors of entries of a batch or a multicall are not. XML-RPC stays 200, as its specification requires. Default `false`.
   */
  readonly httpStatus?: boolean
  /**
   * The WWW-Authenticate header of a 401, which is then the status of a single call whose caller is not known, over both protocols:
   * `'Basic realm="orders"'`. Default: 200 without the header.
   */
  readonly authChallenge?: string
}

/** Every switch with its value; `authChallenge` is undefined if it is off. */
export type Switches = Compatibility & Required<Omit<Compatibility, 'authChallenge'>>

export const compatibilityTable: OptionTable<Compatibility, Switches> = {
  jsonRpc1: flag(false),
  lenientVersion: flag(false),
  nullParams: flag(false),
  jsonMulticall: flag(false),
  listMethodsParams: flag(false),
  ownSystemNames: flag(false),
  xmlRpcVoid: choice('nil', 'emptyString', 'true'),
  xmlRpcFaultData: flag(false),
  xmlRpcBigint: choice('i8', 'string', 'double'),
  xmlRpcInvalidText: choice('error', 'replace'),
  formAndTextBodies: flag(false),
  httpStatus: flag(false),
  authChallenge: {
    expected: 'a scheme such as \'Basic realm="orders"\'',
    // What a header may contain (RFC 9110 section 5.5), in ASCII.
    accepts: (value) => typeof value === 'string' && /^[!-~][ -~]*$/.test(value),
  },
}
