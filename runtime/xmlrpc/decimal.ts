/**
 * Writes a finite double in plain decimal digits that read back as the same double: XML-RPC has no exponent. There is
 * always a point, `1.0`, so that a client sees a double. Throws a RangeError for NaN and the infinities.
 */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a finite number`)
  if (Object.is(value, -0)) return '-0.0'
  const shortest = String(value)
  if (shortest.includes('e')) return value < 0 ? `-${withoutExponent(shortest.slice(1))}` : withoutExponent(shortest)
  return shortest.includes('.') ? shortest : `${shortest}.0`
}

/** From `1.5e-7` or `1e+21`. */
function withoutExponent(shortest: string): string {
  const [mantissa = '', exponent] = shortest.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  return `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point) || '0'}`
}
