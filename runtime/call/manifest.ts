export { type Manifest, type Procedure, type TypedProcedure, unfit } from './types.js'
