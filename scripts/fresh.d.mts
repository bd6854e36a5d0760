export function isBuildFresh(): boolean
