import ts from 'typescript'

/** Bytes of what rpc-gen generates, by what they are for. */
export function kindsOfModule(text) {
  return bytesByKind(text, (statement) => {
    if (ts.isImportDeclaration(statement)) return 'imports'
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return 'interfaces for callers'
    if (ts.isExpressionStatement(statement)) return 'names of types'
    if (ts.isFunctionDeclaration(statement)) return 'definitions'
    const [{ type }] = statement.declarationList.declarations
    return type && type.getText() !== 'Type' ? 'procedures' : 'definitions'
  })
}

/** Bytes of tsoa's routes file, by what they are for. */
export function kindsOfRoutes(text) {
  return bytesByKind(text, (statement) => {
    if (ts.isImportDeclaration(statement)) return 'imports'
    return ts.isFunctionDeclaration(statement) ? 'routes' : 'models'
  })
}

/** Every byte counts once: what stands before a statement is the statement's, and the end of the file its last one's. */
function bytesByKind(text, kindOf) {
  const { statements } = ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest, true)
  const kinds = {}
  for (const [i, statement] of statements.entries()) {
    const end = statements[i + 1]?.pos ?? text.length
    const kind = kindOf(statement)
    kinds[kind] = (kinds[kind] ?? 0) + Buffer.byteLength(text.slice(statement.pos, end))
  }
  return kinds
}
