// node|bun|deno program.js URL makes every call and prints the results.
import { callEverything } from './everywhere.js'

const host = globalThis as { readonly Deno?: { readonly args: readonly string[] } }
const url = host.Deno ? host.Deno.args[0] : process.argv[2]
console.log(JSON.stringify(await callEverything(`${url}`)))
