import type { RunningServer } from './serving.mjs'

export function generateShowcase(): void
export function compileShowcase(): void
export function prepareShowcase(): void
export function startShowcase(options?: { port?: number; onLog?: (text: string) => unknown }): Promise<RunningServer>
