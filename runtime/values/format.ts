/** The formats of JSON Schema that every server has. */
export type CommonFormat = 'date-time' | 'date' | 'time' | 'email' | 'uuid' | 'uri' | 'ipv4' | 'ipv6' | 'hostname'

/** The formats of `more-formats.ts`, which generated modules import one by one: a server has those that it uses. */
export type FurtherFormat =
  | 'duration'
  | 'uri-reference'
  | 'uri-template'
  | 'iri'
  | 'iri-reference'
  | 'idn-email'
  | 'idn-hostname'
  | 'json-pointer'
  | 'relative-json-pointer'
  | 'regex'
  | 'url'
  | 'byte'
  | 'password'

/** The formats of `@format`: those of JSON Schema 2020-12 section 7.3, and `url`, `byte` and `password` of OpenAPI and typia. */
export type FormatName = CommonFormat | FurtherFormat

/** True if a text is in a format. All tests take time linear in the length of the text, which some of them limit. */
export type FormatTest = (text: string) => boolean

const furtherFormats = new Map<string, FormatTest>()

/** Makes a format known, and returns its name. */
export function defineFormat<const Name extends FurtherFormat>(name: Name, test: FormatTest): Name {
  furtherFormats.set(name, test)
  return name
}

/** True if a value is a string in a format. */
export function isFormat(value: unknown, format: FormatName): boolean {
  const test = furtherFormats.get(format) ?? formats[format as CommonFormat]
  return typeof value === 'string' && test(value)
}

const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
const atom = "[\\w!#$%&'*+/=?^`{|}~-]+"
/** RFC 5321 section 4.1.2 without quotes; the local part has at most 64 octets (section 4.5.3.1.1). */
const email = /* @__PURE__ */ new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'i')
const hostname = /* @__PURE__ */ new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`, 'i')
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = /* @__PURE__ */ new RegExp(`^${octet}(?:\\.${octet}){3}$`)

const formats: Readonly<Record<CommonFormat, FormatTest>> = {
  'date-time': isDateTime,
  date: isFullDate,
  time: isFullTime,
  email: (text) => email.test(text),
  uuid: (text) => uuid.test(text),
  uri: (text) => isUri(text),
  ipv4: (text) => ipv4.test(text),
  ipv6: isIpv6,
  hostname: isHostname,
}

export const commonFormats: readonly string[] = /* @__PURE__ */ Object.keys(formats)

/** RFC 1123 section 2.1. */
export function isHostname(text: string): boolean {
  return hostname.test(text)
}

/** RFC 3339 section 5.6: `date-time`. */
function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isFullDate(text.slice(0, 10)) && isFullTime(text.slice(11))
}

/** RFC 3339 section 5.6: `full-date`, with a day that the month has. */
function isFullDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === '') return false
  const last = new Date(0)
  // The day before the first of the next month. Date.UTC would map the years 0 to 99 to 1900 to 1999.
  last.setUTCFullYear(Number(year), Number(month), 0)
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate()
}

/** RFC 3339 section 5.6: `full-time`; a leap second is the last one of a day in UTC (section 5.7). */
function isFullTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (!found) return false
  const [hour = 0, minute = 0, second = 0] = found.slice(1, 4).map(Number)
  const [offsetHour = 0, offsetMinute = 0] = found.slice(5, 7).map((each) => Number(each ?? 0))
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (found[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  return second === 60 && (hour * 60 + minute - offset + 2880) % 1440 === 1439
}

/** Six groups of four digits, then IPv4. */
const MAX_IPV6_LENGTH = 45

/** RFC 4291 section 2.2: eight groups, optionally one run of zeros as `::` and the last two groups as IPv4. */
function isIpv6(text: string): boolean {
  if (text.length > MAX_IPV6_LENGTH) return false
  const tail = /:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1]
  if (tail !== undefined && !ipv4.test(tail)) return false
  const plain = tail === undefined ? text : `${text.slice(0, -tail.length)}0:0`
  const halves = plain.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (halves.length > 2 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? groups.length < 8 : groups.length === 8
}

// The loops are unrolled: an engine needs memory for each iteration of `(?:[…]|%…)*`.
const runOf = (chars: string) => `${chars}(?:%[\\dA-Fa-f]{2}${chars})*`
const plainAnd = (more: string) => runOf(`[\\w.~!$&'()*+,;=${more}-]*`)
const authority = /* @__PURE__ */ new RegExp(`^(?:${plainAnd(':')}@)?(?:\\[([^\\]]*)\\]|${plainAnd('')})(?::\\d*)?$`)
const part = /* @__PURE__ */ new RegExp(`^${plainAnd(':@/?')}$`)
const scheme = /^[a-z][a-z\d+.-]*$/i
/** `IPvFuture` of RFC 3986. */
const futureAddress = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i

/** RFC 3986 appendix A: a URI, or a reference, which may be relative. */
export function isUri(text: string, isReference = false): boolean {
  const [upToQuery, ofFragment = ''] = cutAt(text, '#')
  const [upToPath, ofQuery = ''] = cutAt(upToQuery, '?')
  // A colon in the first segment ends a scheme.
  const [start, rest] = cutAt(upToPath, ':')
  const hasScheme = rest !== undefined && !start.includes('/')
  if (hasScheme ? !scheme.test(start) : !isReference) return false
  const hierarchy = hasScheme ? rest : upToPath
  const [ofAuthority, ofPath = ''] = hierarchy.startsWith('//') ? cutAt(hierarchy.slice(2), '/') : ['', hierarchy]
  return isAuthority(ofAuthority) && [ofPath, ofQuery, ofFragment].every((each) => part.test(each))
}

function isAuthority(text: string): boolean {
  const [found, address] = authority.exec(text) ?? []
  return found !== undefined && (address === undefined || isIpv6(address) || futureAddress.test(address))
}

function cutAt(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
