export function planClient(_model: unknown): unknown {
  return {}
}
