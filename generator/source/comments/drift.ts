import { limitTags, protocolTag, repeatedTags, rpcTag } from '../../docs/index.js'
import { contradicts } from '../../model/doc-type.js'
import type { ModelType, ParamModel } from '../../model/model.js'
import type { PartTypesByName } from '../../model/part.js'
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

/** Reports where a doc comment says something else than the code. */
export function checkDrift(
  comment: PlacedComment,
  params: readonly ParamModel[],
  returns: ModelType,
  contextNames: readonly string[],
  types: PartTypesByName,
  problems: Problems,
): void {
  const { doc } = comment
  for (const { name, type, line, typeLine = line } of doc.params) {
    const [own = name] = name.split('.')
    const param = params.find((each) => each.name === own)
    if (!param && !contextNames.includes(own)) {
      const names = params.map((each) => each.name).join(', ')
      const hint = names === '' ? 'the function has no parameters' : `the parameters are ${names}`
      reportInComment(comment, { line, message: `there is no parameter ${name}` }, problems, 'RPC131', { hint })
    }
    if (param && own === name && type !== undefined && contradicts(type, asDeclared(param), types)) {
      reportInComment(
        comment,
        { line: typeLine, message: `${name} is documented as ${type} and declared otherwise` },
        problems,
        'RPC132',
      )
    }
  }
  if (doc.returns?.type !== undefined && contradicts(doc.returns.type, returns, types)) {
    const { type, line, typeLine = line } = doc.returns
    const message = `the result is documented as ${type} and declared otherwise`
    reportInComment(comment, { line: typeLine, message }, problems, 'RPC132')
  }
}

function asDeclared({ type, rest }: ParamModel): ModelType {
  return rest ? { kind: 'array', element: type } : type
}
