export type { Awaitable } from './maybe-async.js'
