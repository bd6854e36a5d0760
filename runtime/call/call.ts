export type { Call, InvalidEntry as Misshapen, Message, WireError } from './types.js'
