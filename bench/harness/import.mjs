// node import.mjs MODULE: prints the cost of importing it, in milliseconds of CPU and by the clock.
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

const before = process.cpuUsage()
const start = performance.now()
await import(pathToFileURL(argv[2]).href)
const wall = performance.now() - start
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1000, wall }))
process.exit(0)
