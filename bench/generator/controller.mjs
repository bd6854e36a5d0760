import ts from 'typescript'

/**
 * A tsoa controller for a module of procedures: a method for each, with the same parameters, result and comment, that
 * calls it. Class names and paths are short, because its routes repeat them.
 */
export function controller(fileName, text) {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true)
  const functions = source.statements.flatMap((each) => exported(each))
  const imports = source.statements.filter(ts.isImportDeclaration).map((each) => each.getText())
  const name = fileName.replace(/^area-(\d+)\.ts$/, 'Area$1')
  return `import { BodyProp, Controller, Post, Route } from 'tsoa'
import * as api from '../api/${fileName.replace(/\.ts$/, '.js')}'
${imports.join('\n')}

@Route()
export class ${name} extends Controller {
${functions.map(method).join('\n')}}
`
}

/** An exported function, declared or a constant, and the comment before it. */
function exported(statement) {
  const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.length > 0
  if (!isExported) return []
  const comment = ts.getJSDocCommentsAndTags(statement)[0].getText()
  if (ts.isFunctionDeclaration(statement)) return [{ comment, name: statement.name.text, declared: statement }]
  return statement.declarationList.declarations.map(({ name, initializer }) => ({
    comment,
    name: name.text,
    declared: initializer,
  }))
}

function method({ comment, name, declared: { parameters, type } }) {
  const taken = parameters.map((each) => `@BodyProp() ${each.getText()}`).join(', ')
  const passed = parameters.map((each) => each.name.getText()).join(', ')
  return `  ${comment.replace(/\n \*(\n \*)? @rpc\n/, '\n')}
  @Post('${name}')
  ${name}(${taken})${type ? `: ${type.getText()}` : ''} {
    return api.${name}(${passed})
  }
`
}
