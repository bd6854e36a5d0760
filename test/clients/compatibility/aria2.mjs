// Drives a server with npm's aria2. Usage: node aria2.mjs HOST:PORT PATH http|ws. Prints the results as JSON.
import Aria2 from 'aria2'

const [, , address, path, transport] = process.argv
const [host, port] = address.split(':')
const aria2 = new Aria2({ host, port: Number(port), path, secret: 'secret' })
if (transport === 'ws') await aria2.open()

/** Returns the result, or the code and the kind of message of an error. */
async function outcome(promise) {
  try {
    return { result: await promise }
  } catch (error) {
    return { code: error.code, message: typeof error.message }
  }
}

const calls = [['getGlobalOption'], ['tellStatus', '0000000000000001']]
const multicall = await aria2.multicall([...calls, ['system.nothing']])
const batch = await Promise.all((await aria2.batch(calls)).map(outcome))
const report = {
  version: typeof (await aria2.call('getVersion')).version,
  multicall: multicall.map((each) => (Array.isArray(each) ? each.map((one) => typeof one) : Object.keys(each).sort())),
  batch: batch.map((each) => Object.keys(each)),
  methods: (await aria2.listMethods()).includes('getVersion'),
  notifications: (await aria2.listNotifications()).includes('onDownloadStart'),
  denied: await outcome(Object.assign(aria2, { secret: 'wrong' }).call('getVersion')),
}
if (transport === 'ws') await aria2.close()
console.log(JSON.stringify(report))
