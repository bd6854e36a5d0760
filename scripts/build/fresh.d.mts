export function isBuildFresh(): boolean
export function buildWhenStale(): void
