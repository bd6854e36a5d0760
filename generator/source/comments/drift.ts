import { limitTags, protocolTag, repeatedTags, rpcTag } from '../../docs/index.js'
import type { ParamModel } from '../../model/model.js'
import type { Problems } from '../problems.js'
import { type PlacedComment, reportInComment } from './comments.js'
import { moduleComment, procedureTags } from './module-tags.js'
import { reportStrayTags } from './stray-tags.js'

/** Reports what is wrong in a doc comment by itself. */
export function checkComment(comment: PlacedComment, problems: Problems): void {
  const { doc } = comment
  const found = [
    ...doc.problems,
    ...rpcTag(doc).problems,
    ...protocolTag(doc).problems,
    ...limitTags(doc).problems,
    ...repeatedTags(doc),
  ]
  for (const problem of found) reportInComment(comment, problem, problems)
  // A function that is registered by hand may stand at the top, and its comment is then the module's.
  const ofModule = doc.tags.some(({ name }) => name === 'namespace') && moduleComment(comment.source)
  const read = ['rpc', ...procedureTags, ...(ofModule && ofModule.start === comment.start ? ['namespace'] : [])]
  reportStrayTags(comment, read, problems)
}

/** Reports documented parameters that do not exist. */
export function checkDrift(
  comment: PlacedComment,
  params: readonly ParamModel[],
  contextNames: readonly string[],
  problems: Problems,
): void {
  const { doc } = comment
  for (const { name, line } of doc.params) {
    const [own = name] = name.split('.')
    const param = params.find((each) => each.name === own)
    if (!param && !contextNames.includes(own)) {
      const names = params.map((each) => each.name).join(', ')
      const hint = names === '' ? 'the function has no parameters' : `the parameters are ${names}`
      reportInComment(comment, { line, message: `there is no parameter ${name}` }, problems, 'RPC131', { hint })
    }
  }
}
