/** The value below which `part` of a list is; interpolated between two neighbours. */
export function quantile(list, part) {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (list) => quantile(list, 0.5)

/** Median and quartiles. */
export function summarise(list) {
  return { low: quantile(list, 0.25), middle: median(list), high: quantile(list, 0.75) }
}

export function shuffle(list) {
  return list
    .map((each) => [Math.random(), each])
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each)
}
