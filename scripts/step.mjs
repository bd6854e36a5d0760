/** Prints what a script does, runs it, and prints the time that it took on the same line. */
export function step(title, work) {
  process.stdout.write(`${title} ... `)
  const start = performance.now()
  const result = work()
  const done = (value) => {
    console.log(`${((performance.now() - start) / 1000).toFixed(1)} s`)
    return value
  }
  return result instanceof Promise ? result.then(done) : done(result)
}
