export type { DocComment, DocProblem, DocTag } from './comment.js'
export {
  type ConstraintName,
  type ConstraintTags,
  constraintTags,
  isConstraintName,
  mayConstrain,
  misplacedConstraints,
  readConstraint,
} from './constraint-tags.js'
export { decidingTag, mayDecide } from './directives.js'
export { parseDocComment } from './parse.js'
export {
  limitTags,
  type ParamTags,
  type ProcedureLimits,
  paramTags,
  protocolTag,
  repeatedTags,
  rpcTag,
} from './tags.js'
