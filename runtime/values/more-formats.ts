// The formats that not every server has. Each is an export of its own, which makes it known where it is imported:
//
//     constrained(string, { format: durationFormat })
//
// All of them read a text from left to right without backtracking, or limit its length.
import { defineFormat, isHostname, isUri } from './format.js'

/** The format `duration`: RFC 3339 appendix A, which has neither fractions nor a unit that is left out between two others. */
export const durationFormat = /* @__PURE__ */ defineFormat('duration', (text) => duration.test(text))

// Bundlers keep texts with parts unless a function makes them.
const duration = /* @__PURE__ */ (() => {
  // Each unit may be followed by the next smaller one only.
  const time = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)'
  const date = '(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)'
  return new RegExp(`^P(?:${date}(?:${time})?|${time}|\\d+W)$`)
})()

/** The format `uri-reference`: RFC 3986 section 4.1. */
export const uriReferenceFormat = /* @__PURE__ */ defineFormat('uri-reference', (text) => isUri(text, true))

/** The format `url`: a URI with the scheme http, https or ftp and a host (RFC 3986 section 3). The platform has to be able to parse it. */
export const urlFormat = /* @__PURE__ */ defineFormat(
  'url',
  (text) => /^(?:https?|ftp):\/\/(?!:)[^/?#]{1,1024}(?:[/?#]|$)/i.test(text) && isUri(text) && URL.canParse(text),
)

/** The format `iri`: RFC 3987 section 2.2. */
export const iriFormat = /* @__PURE__ */ defineFormat('iri', (text) => isIri(text))

/** The format `iri-reference`: RFC 3987 section 2.2. */
export const iriReferenceFormat = /* @__PURE__ */ defineFormat('iri-reference', (text) => isIri(text, true))

/** `ucschar` of RFC 3987: no plane contains its last two characters. */
const ucschar = /* @__PURE__ */ (() => {
  const planes = Array.from({ length: 14 }, (_, i) => (i + 1).toString(16))
  const ranges = planes.map((plane) => `\\u{${plane}${plane === 'e' ? '1' : '0'}000}-\\u{${plane}fffd}`)
  return new RegExp(`[\\xa0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef${ranges.join('')}]`, 'gu')
})()
/** `iprivate` of RFC 3987. */
const iprivate = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu

/** An IRI is a URI with further characters, `iprivate` in the query only. An escape in their place is valid where they are. */
function isIri(text: string, isReference = false): boolean {
  const [start = '', query = ''] = /^([^?#]*)(\?[^#]*)/.exec(text)?.slice(1) ?? []
  const escaped = start + query.replace(iprivate, '%20') + text.slice(start.length + query.length)
  return isUri(escaped.replace(ucschar, '%20'), isReference)
}

/** The format `uri-template`: RFC 6570 section 2, with its erratum 6937: an apostrophe is a literal. */
export const uriTemplateFormat = /* @__PURE__ */ defineFormat('uri-template', (text) =>
  // Further characters are replaced by one that only literals have.
  uriTemplate.test(text.replace(ucschar, '-').replace(iprivate, '-')),
)

const uriTemplate = /* @__PURE__ */ (() => {
  const encoded = '%[\\dA-Fa-f]{2}'
  const variable = `(?:\\w|${encoded})+(?:\\.(?:\\w|${encoded})+)*(?:\\*|:[1-9]\\d{0,3})?`
  const literals = '[!#$&-;=?-[\\]_a-z~]*'
  return new RegExp(`^${literals}(?:(?:${encoded}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})${literals})*$`)
})()

/** The format `json-pointer`: RFC 6901 section 3. */
export const jsonPointerFormat = /* @__PURE__ */ defineFormat('json-pointer', (text) =>
  /^(?:\/[^~]*(?:~[01][^~]*)*)?$/.test(text),
)

/** The format `relative-json-pointer`: draft-bhutton-relative-json-pointer-00 section 3. */
export const relativeJsonPointerFormat = /* @__PURE__ */ defineFormat('relative-json-pointer', (text) =>
  /^(?:0|[1-9]\d*)(?:[+-][1-9]\d*)?(?:#|\/[^~]*(?:~[01][^~]*)*)?$/.test(text),
)

/** The maximum length of a regular expression, in UTF-16 code units. */
const MAX_REGEX_LENGTH = 10_000

/**
 * The format `regex`: a regular expression of ECMAScript with the flag `u`, of at most 10,000 characters. It is parsed, and not run: a procedure that
 * runs it has to limit its time.
 */
export const regexFormat = /* @__PURE__ */ defineFormat('regex', (text) => {
  if (text.length > MAX_REGEX_LENGTH) return false
  try {
    return new RegExp(text, 'u') !== undefined
  } catch {
    return false
  }
})

/** The format `byte`: base64 with padding, and without line breaks (RFC 4648 section 4). */
export const byteFormat = /* @__PURE__ */ defineFormat(
  'byte',
  (text) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text),
)

/** The format `password`: any text. Forms hide it. */
export const passwordFormat = /* @__PURE__ */ defineFormat('password', () => true)

/** The format `idn-email`: RFC 6531 section 3.3. As in `email`, the local part is not quoted, and the domain has a dot. */
export const idnEmailFormat = /* @__PURE__ */ defineFormat('idn-email', (text) => {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  return (
    octetsOf(local) <= MAX_LOCAL &&
    dotString.test(local.replace(/[^\0-\x7f\ud800-\udfff]/gu, 'x')) &&
    separator.test(domain) &&
    isIdnHostname(domain)
  )
})

/** RFC 5321 section 4.5.3.1.1, in octets. */
const MAX_LOCAL = 64

function octetsOf(text: string): number {
  return text.length > MAX_LOCAL ? text.length : new TextEncoder().encode(text).length
}

const dotString = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/**
 * The format `idn-hostname`: RFC 5890 section 2.3.2.3. Labels are in ASCII as in `hostname`, A-labels (`xn--…`), or U-labels, which are in
 * the form that IDNA2008 sends: `bücher`, not `Bücher`.
 */
export const idnHostnameFormat = /* @__PURE__ */ defineFormat('idn-hostname', isIdnHostname)

/** In UTF-16 code units. A name has at most 253 octets (RFC 1123 section 2.1), and an octet of an A-label is at most a surrogate pair. */
const MAX_IDN_LENGTH = 2 * 253
/** The full stops of IDNA (RFC 3490 section 3.1). */
const separator = /[.\u3002\uff0e\uff61]/

function isIdnHostname(text: string): boolean {
  if (text.length > MAX_IDN_LENGTH) return false
  const labels = text.split(separator)
  const unicode = labels.map(toUnicode)
  if (!unicode.every((label) => label !== undefined) || !followsBidiRule(unicode)) return false
  const ascii = asciiOf(unicode)?.split('.')
  // An A-label is valid if it is that of its U-label.
  const isSame = (label: string, i: number) => !aLabel.test(label) || label.toLowerCase() === ascii?.[i]
  return ascii !== undefined && isHostname(ascii.join('.')) && labels.every(isSame)
}

const aLabel = /^xn--/i

/** Returns a label in Unicode; undefined if it is not valid. */
function toUnicode(label: string): string | undefined {
  if (!aLabel.test(label) && isHostname(label)) return label
  const unicode = aLabel.test(label) ? decodePunycode(label.slice(4).toLowerCase()) : label
  return unicode !== undefined && isULabel(unicode) ? unicode : undefined
}

/** Returns a name in ASCII, by the URL of the platform (Unicode TR46), which rejects joiners in a wrong context (RFC 5892 appendix A). */
function asciiOf(labels: readonly string[]): string | undefined {
  try {
    // With one more label a name is never an IPv4 address.
    return new URL(`http://${labels.join('.')}.a`).hostname.slice(0, -2)
  } catch {
    return undefined
  }
}

/** The characters of RFC 5892: PVALID, and those of appendix A, which have a rule each. Its tables follow from Unicode's properties. */
const valid =
  /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u00b7\u0375\u05f3\u05f4\u30fb-]|\u200c|\u200d/u
const exceptions = /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]|\u200c|\u200d/
/** Unstable (section 2.2), old Hangul Jamo, in an ignorable block, or disallowed in section 2.6. */
const disallowed =
  /[\p{CWKCF}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u{1d100}-\u{1d24f}\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]|[\u20d0-\u20ff]/u

/** Texts that are not in a U-label: RFC 5891 section 4.2.3 and the rules of RFC 5892 appendix A. */
const wrongParts: readonly RegExp[] = [
  /^-|-$|^..--|^\p{M}/u,
  /(?<!l)\u00b7|\u00b7(?!l)/,
  /\u0375(?!\p{sc=Greek})/u,
  /(?<!\p{sc=Hebrew})[\u05f3\u05f4]/u,
]

function isULabel(label: string): boolean {
  if (!/[^\0-\x7f]/.test(label) || label.normalize('NFC') !== label) return false
  for (const char of label) if (!valid.test(char) || (disallowed.test(char) && !exceptions.test(char))) return false
  if (wrongParts.some((each) => each.test(label))) return false
  if (label.includes('\u30fb') && !/[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u.test(label)) return false
  if (/[\u0660-\u0669]/.test(label) && /[\u06f0-\u06f9]/.test(label)) return false
  return hasValidJoiners(label)
}

/** Tests each joiner with the text up to the next one: platforms test the first one only. */
function hasValidJoiners(label: string): boolean {
  const parts = label.split(/([\u200c\u200d])/)
  for (let i = 1; i < parts.length; i += 2) {
    const around = parts.slice(i - 1, i + 2).join('')
    // A label does not begin with a mark.
    if (asciiOf([/^\p{M}/u.test(around) ? label.charAt(0) + around : around]) === undefined) return false
  }
  return true
}

/** The letters that are written from right to left, and their digits and marks. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** RFC 5893 section 2: if a label is written from right to left, all labels have to be unambiguous. */
function followsBidiRule(labels: readonly string[]): boolean {
  const classes = labels.map((label) => Array.from(label, bidiClass).join(''))
  if (!classes.some((each) => /[RA]/.test(each))) return true
  return classes.every((each) =>
    each.startsWith('R')
      ? /^R(?:[RAEM-]*[RAE])?M*$/.test(each) && !(each.includes('A') && each.includes('E'))
      : /^L(?:[LEM-]*[LE])?M*$/.test(each),
  )
}

/** From right to left, Arabic digit, European digit, mark or joiner, hyphen, or from left to right. */
function bidiClass(char: string): string {
  if (char === '-') return char
  if (/[\d\u06f0-\u06f9]/.test(char)) return 'E'
  if (/[\u0660-\u0669\u{10d30}-\u{10d39}]/u.test(char)) return 'A'
  if (/[\p{Mn}\u200c\u200d]/u.test(char)) return 'M'
  return rightToLeft.test(char) ? 'R' : 'L'
}

/** Decodes what follows `xn--`, in lower case (RFC 3492 section 6.2). Returns undefined for other text. */
function decodePunycode(text: string): string | undefined {
  const basic = Math.max(text.lastIndexOf('-'), 0)
  const codes = Array.from(text.slice(0, basic), (char) => char.charCodeAt(0))
  let [at, code, index, bias] = [basic === 0 ? 0 : basic + 1, 128, 0, 72]
  while (at < text.length) {
    const before = index
    for (let [weight, step] = [1, 36]; ; step += 36) {
      const digit = at < text.length ? 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(text.charAt(at++)) : -1
      index += digit * weight
      if (digit < 0 || index > 0x7fffffff) return undefined
      const threshold = Math.min(Math.max(step - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const length = codes.length + 1
    bias = adapt(before === 0 ? Math.floor((index - before) / 700) : (index - before) >> 1, length)
    code += Math.floor(index / length)
    if (code > 0x10ffff) return undefined
    index %= length
    codes.splice(index++, 0, code)
  }
  return String.fromCodePoint(...codes)
}

/** The bias of the next delta (RFC 3492 section 6.1). */
function adapt(damped: number, length: number): number {
  let [delta, steps] = [damped + Math.floor(damped / length), 0]
  for (; delta > 455; steps += 36) delta = Math.floor(delta / 35)
  return steps + Math.floor((36 * delta) / (delta + 38))
}

/** All of them, for the generator, which reads constants of every format. */
export const moreFormats: readonly string[] = [
  durationFormat,
  uriReferenceFormat,
  uriTemplateFormat,
  iriFormat,
  iriReferenceFormat,
  idnEmailFormat,
  idnHostnameFormat,
  jsonPointerFormat,
  relativeJsonPointerFormat,
  regexFormat,
  urlFormat,
  byteFormat,
  passwordFormat,
]
