import { isDeepStrictEqual } from 'node:util'
import { calls } from './calls.mjs'
import { jsonRequest, xmlRequest } from './requests.mjs'

/** Makes every call in both protocols and prints request and response. Returns the number of wrong responses. */
export async function callAll(url) {
  let wrong = 0
  for (const call of calls) {
    console.log(`\n${call.method}: ${call.about}`)
    const json = await post(url, 'application/json', jsonRequest(call))
    if (!report(json, isJsonResponse(json, call))) wrong += 1
    const xml = await post(url, 'text/xml', xmlRequest(call))
    if (!report(xml, isXmlResponse(xml, call))) wrong += 1
  }
  console.log()
  return wrong
}

async function post(url, contentType, request) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body: request })
  return {
    request,
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

function report({ request, status, type, text }, right) {
  console.log(`  > ${request}\n  < ${text.replace(/\s*\n\s*/g, '')}`)
  console.log(right ? '  right' : `  WRONG (HTTP ${status}, ${type})`)
  return right
}

/**
 * @param {Record<string, any>} received
 * @param {import('./calls.mjs').Call} call
 */
function isJsonResponse({ status, type, text }, { result, error }) {
  const expected = { jsonrpc: '2.0', id: 1, ...(error ? { error } : { result }) }
  return status === 200 && /^application\/json\b/.test(type ?? '') && isDeepStrictEqual(parse(text), expected)
}

/**
 * Compares two texts, ignoring white space between tags.
 *
 * @param {Record<string, any>} received
 * @param {import('./calls.mjs').Call} call
 */
function isXmlResponse({ status, type, text }, { value, fault }) {
  const inside = fault
    ? `<fault><value>${fault}</value></fault>`
    : `<params><param><value>${value}</value></param></params>`
  const body = text.replace(/^<\?xml version="1\.0"[^?>]*\?>/, '')
  return (
    status === 200 &&
    type === 'text/xml; charset=utf-8' &&
    body !== text &&
    body.replace(/>\s+</g, '><').trim() === `<methodResponse>${inside}</methodResponse>`
  )
}

function parse(json) {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
