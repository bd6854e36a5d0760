export function renderClient(_plan: unknown): string {
  return ''
}
