import type { RunningServer } from './serving.mjs'

export function prepareShowcase(): void
export function startShowcase(options?: { port?: number; onLog?: (text: string) => void }): Promise<RunningServer>
