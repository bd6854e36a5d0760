// The notation of the XML-RPC cases.
import { rejected, value } from '../judge-xml.mjs'

export const xml = { 'Content-Type': 'text/xml' }

export function group(name, cases) {
  return cases.map(([kind, what, body, judge, more]) => ({
    protocol: 'XML-RPC',
    group: name,
    kind,
    what,
    send: { headers: xml, body },
    judge,
    ...more,
  }))
}

export const declaration = '<?xml version="1.0"?>'

export const inParams = (values) =>
  `<params>${values.map((each) => `<param><value>${each}</value></param>`).join('')}</params>`

export const call = (method, ...values) =>
  `${declaration}<methodCall><methodName>${method}</methodName>${inParams(values)}</methodCall>`

/** Sends a value that is returned; `type` names the procedure. */
export const echo = (type, content, expected) => [call(`echo.${type}`, content), value(expected)]

export const rejects = (type, content) => [call(`echo.${type}`, content), rejected]

export const member = (name, content) => `<member><name>${name}</name><value>${content}</value></member>`

export const date = (text) => `<dateTime.iso8601>${text}</dateTime.iso8601>`

export const array = (...contents) =>
  `<array><data>${contents.map((each) => `<value>${each}</value>`).join('')}</data></array>`

export const moment = { 'dateTime.iso8601': '19980717T14:08:55' }
