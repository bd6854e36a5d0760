import { isInt } from '../../values/predicates.js'
import { formatDateTime } from '../../xmlrpc/scalars.js'
import { argumentType, convert, type ScalarValue } from './convert.js'
import { type Code, codeOf, print, printArguments, pythonStyle, type ShownCall } from './print.js'

/** Python's standard library, in JSON-RPC. */
export function pythonJson(call: ShownCall): string {
  return pythonRequest(call, 'print(json.load(response))')
}

/** Python's standard library, which prints the messages of a stream as they come. */
export function pythonStream(call: ShownCall): string {
  const headers = { Accept: 'text/event-stream', ...call.headers }
  const read = `for line in response:
        if line.startswith(b"data"):
            print(json.loads(line[5:]))`
  return pythonRequest({ ...call, headers }, read)
}

function pythonRequest(
  { url, message, headers }: Pick<ShownCall, 'url' | 'message' | 'headers'>,
  read: string,
): string {
  return `import json
from urllib.request import Request, urlopen

call = ${print(message, pythonStyle, 72)}
request = Request(
    ${pythonStyle.string(url)},
    json.dumps(call).encode(),
    ${print({ 'Content-Type': 'application/json', ...headers }, pythonStyle, 72, '    ')},
)
with urlopen(request) as response:
    ${read}`
}

/** Python's standard library, in XML-RPC. */
export function pythonXml(call: ShownCall): string {
  const used = new Set<string>(['ServerProxy'])
  const scalar = (value: ScalarValue, kind: string) => {
    if (value instanceof Date) used.add('DateTime')
    if (value instanceof Uint8Array) used.add('Binary')
    return scalarValue(value, kind)
  }
  const values = call.params.map((each, index) =>
    convert<unknown>(each, argumentType(call.declared, index), call.types, {
      list: (items) => items,
      members: Object.fromEntries,
      scalar,
    }),
  )
  const list = printArguments(values, pythonStyle, 60)
  return `from xmlrpc.client import ${[...used].sort().join(', ')}

server = ServerProxy(${pythonStyle.string(call.url)}${headersOf(call)}${allowNone(list)})
print(${calledOn(call.name)}(${list}))`
}

function headersOf({ headers }: ShownCall): string {
  const pairs = Object.entries(headers).map((pair) => `(${pair.map(pythonStyle.string).join(', ')})`)
  return pairs.length === 0 ? '' : `, headers=[${pairs.join(', ')}]`
}

/** Its `nil` is an extension that has to be enabled. */
function allowNone(values: string): string {
  return /\bNone\b/.test(values) ? ', allow_none=True' : ''
}

/** Names that Python's grammar allows after a dot; xmlrpc.client joins any attribute path to a name. */
function calledOn(name: string): string {
  const plain = name.split('.').every((each) => /^[A-Za-z][A-Za-z0-9_]*$/.test(each) && !keywords.has(each))
  return plain ? `server.${name}` : `getattr(server, ${pythonStyle.string(name)})`
}

const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

function scalarValue(value: ScalarValue, kind: string): ScalarValue | Code {
  if (value instanceof Date) return codeOf(`DateTime("${formatDateTime(value)}")`)
  if (value instanceof Uint8Array) return codeOf(`Binary(b"${Array.from(value, pythonByte).join('')}")`)
  // Integers have 32 bits; servers accept text.
  if (typeof value === 'bigint') return isInt(Number(value)) ? Number(value) : String(value)
  // A double has a point.
  const isWhole = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21
  return isWhole && (kind === 'double' || !isInt(value)) ? codeOf(`${value}.0`) : value
}

function pythonByte(byte: number): string {
  const char = String.fromCharCode(byte)
  return byte < 0x20 || byte > 0x7e || char === '"' || char === '\\' ? `\\x${byte.toString(16).padStart(2, '0')}` : char
}
