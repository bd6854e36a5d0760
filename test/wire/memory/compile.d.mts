export function compileRuntime(): string
