// npm --prefix bench run conformance: sends every case to every contestant and writes docs/conformance.md.

import { jsonrpc } from './cases/jsonrpc.mjs'
import { xmlrpc } from './cases/xmlrpc.mjs'
import { compileOurs, contestants, start } from './contestants.mjs'
import { tally, writeReport } from './report.mjs'
import { sendRequest } from './send.mjs'

const cases = [...jsonrpc, ...xmlrpc]
compileOurs()
const columns = await Promise.all(contestants.map(judgeAll))
writeReport(cases, columns)
for (const { contestant, verdicts } of columns) console.log(tally(cases, contestant, verdicts))

const failed = cases.filter((_, index) => columns[0].verdicts[index].reason)
for (const { protocol, group, what } of failed) console.error(`rpc-gen fails: ${protocol}, ${group}: ${what}`)
process.exit(failed.length === 0 ? 0 : 1)

/** One after another, because a case may end a server, which is started again for the next. */
async function judgeAll(contestant) {
  let server = await start(contestant)
  const verdicts = []
  for (const each of cases) {
    const concerned = contestant.protocols.includes(each.protocol) && !(each.http && contestant.withoutHttp)
    verdicts.push(concerned ? { reason: await judge(each) } : {})
    verdicts.at(-1).concerned = concerned
  }
  await server.stop()
  return { contestant, verdicts }

  async function judge({ send, judge, next }) {
    const response = await sendRequest(server.url, send)
    if (response.silent && (await endsSoon(server))) {
      server = await start(contestant)
      return 'the server ends'
    }
    return judge(response) ?? next?.judge(await sendRequest(server.url, next.send))
  }
}

function endsSoon({ ended }) {
  return Promise.race([ended.then(() => true), new Promise((resolve) => setTimeout(resolve, 500, false))])
}
