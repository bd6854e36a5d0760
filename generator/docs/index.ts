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
export { type ParamTags, paramTags } from './param-tags.js'
export { parseDocComment } from './parse.js'
export { limitTags, type ProcedureLimits, protocolTag, repeatedTags, rpcTag } from './tags.js'
