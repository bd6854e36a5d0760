// What the JSON-RPC clients have in common: node CLIENT.mjs URL reads { calls, batch, word } from stdin and prints how
// everything ended.

/** A call's result, or its error; an error that is not from the server has no code and is thrown. */
async function outcomeOf(promise) {
  try {
    return { result: await promise }
  } catch (error) {
    if (typeof error?.code !== 'number') throw error
    return { error: { code: error.code, message: error.message, data: error.data } }
  }
}

/**
 * @param client `call(method, params)` resolves to the result and rejects with { code, message, data }; `batch(calls)`
 *   resolves to promises of the same; `notify(method, params)` resolves when it was sent. What a client lacks is left out.
 */
export async function report({ call, batch, notify }) {
  const text = await new Response(process.stdin).text()
  const input = JSON.parse(text)
  const responses = []
  for (const { method, params } of input.calls) responses.push(await outcomeOf(call(method, params)))
  const together = batch ? await Promise.all((await batch(input.batch)).map(outcomeOf)) : []
  await notify?.('note', [input.word])
  process.stdout.write(JSON.stringify({ responses, batch: together }))
}
