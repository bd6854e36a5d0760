export type { DocComment, DocParam, DocProblem, DocReturns, DocTag, DocThrows } from './comment.js'
export {
  type ConstraintName,
  type ConstraintTags,
  constraintTags,
  isConstraintName,
  mayConstrain,
  misplacedConstraints,
  readConstraint,
} from './constraint-tags.js'
export { decidingTag, mayDecide } from './deciding.js'
export { helpText } from './help.js'
export { limitTags, type ProcedureLimits } from './limit-tags.js'
export { parseDocComment } from './parse.js'
export { type ProtocolTag, protocolTag } from './protocol-tag.js'
export { repeatedTags } from './repeated.js'
export { type RpcTag, rpcTag } from './rpc-tag.js'
