export { constraintTags, isConstraintName, mayConstrain, meantConstraint, readConstraint } from './constraint-tags.js'
export { type DocComment, type DocProblem, type DocTag, type DocText, parameterOf } from './lines.js'
export { parseDocComment, plainText } from './parse.js'
export { readMeta, sharedTags, tagsOfMeta, tagsWith, tagTable } from './tag-table.js'
export {
  directiveOf,
  mayHaveDirective,
  type ParamTags,
  paramTags,
  rpcTag,
} from './tags.js'
