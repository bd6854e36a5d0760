// A client that sends requests as fast as it gets responses: wrk if it is installed, because it needs little CPU; else
// autocannon.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const client = spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk'

/** Returns how many requests were made, in total and per second. Throws if a response is not 2xx. */
export async function load({ url, headers, body, connections, seconds }) {
  const run = client === 'wrk' ? runWrk : runAutocannon
  const { requests, perSecond, wrong } = await run({ url, headers, body, connections, seconds })
  if (wrong > 0) throw new Error(`${wrong} of ${requests} requests to ${url} did not get 2xx`)
  return { requests, perSecond }
}

async function runWrk({ url, headers, body, connections, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-wrk-'))
  const script = join(folder, 'post.lua')
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = "${value}"`)
  writeFileSync(join(folder, 'body'), body)
  const read = `local file = io.open(${JSON.stringify(join(folder, 'body'))}, "rb"); wrk.body = file:read("*a"); file:close()`
  writeFileSync(script, ['wrk.method = "POST"', ...lines, read, ''].join('\n'))
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]
  const { stdout } = await promisify(execFile)('wrk', args)
  rmSync(folder, { recursive: true })
  const numberAt = (pattern) => Number(pattern.exec(stdout)?.[1] ?? 0)
  return {
    requests: numberAt(/(\d+) requests in/),
    perSecond: numberAt(/Requests\/sec:\s+([\d.]+)/),
    wrong: numberAt(/Non-2xx or 3xx responses: (\d+)/),
  }
}

async function runAutocannon({ url, headers, body, connections, seconds }) {
  const { default: autocannon } = await import('autocannon')
  const result = await autocannon({ url, headers, body, method: 'POST', connections, duration: seconds })
  return { requests: result.requests.total, perSecond: result.requests.average, wrong: result.non2xx }
}
