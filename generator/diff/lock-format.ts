/** How a lock is known; a version that reads differently has another number. */
export const lockFormat = { key: 'rpcLock', version: 1 } as const
