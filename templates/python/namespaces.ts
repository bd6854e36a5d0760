import type { ProcedureModel } from '../../generator/model/model.js'
import { upperFirst } from '../../generator/text.js'
import { namesInModule } from './declarations.js'
import { docstring } from './layout.js'
import { namesFor, type PythonScope } from './names.js'
import { methodText, type Printing } from './procedures.js'

/** The members of a client that are not procedures. */
const clientMembers = ['batch', 'call', 'close', 'notify', 'with_options']

/** A procedure, procedures whose names begin with its name and a dot, or both. */
interface Namespace {
  procedure?: ProcedureModel
  readonly children: Map<string, Namespace>
}

/** Returns the class of the client, with its constructor if it has one of its own, and, before it, those of namespaces. */
export function namespacesText(
  procedures: readonly ProcedureModel[],
  scope: PythonScope,
  printing: Printing,
  init?: string,
): string[] {
  const taken = namesInModule(printing.own)
  const classes: string[] = []
  const write = (
    node: Namespace,
    path: readonly string[],
    head: string,
    doc: string,
    more: readonly string[],
    first?: string,
  ) => {
    const names = namesFor([...node.children.keys()], [...taken, ...more])
    const body = [...node.children].map(([segment, child], i): string => {
      const name = names[i] as string
      if (child.children.size === 0) return methodText(name, child.procedure as ProcedureModel, printing)
      const inner = [...path, segment]
      const className = scope.claim(`${pascal(inner.join(' '))}Api`)
      write(child, inner, `class ${className}(_Namespace)`, '', [])
      const summary = child.procedure?.description.split('\n')[0] || `The procedures ${inner.join('.')}.*`
      return `    @property\n    def ${name}(self) -> ${className}:\n${docstring(summary, 8)}        return ${className}(self._core)\n`
    })
    const own = node.procedure ? [methodText('__call__', node.procedure, printing)] : []
    const all = [...(first ? [first] : []), ...own, ...body]
    const text = `${docstring(doc, 4)}${doc && all.length > 0 ? '\n' : ''}${all.join('\n')}`
    classes.push(`${head}:\n${text || '    pass\n'}`.trimEnd())
  }
  write(treeOf(procedures), [], 'class Client(RpcClient)', 'A client of the procedures.', clientMembers, init)
  return classes
}

function treeOf(procedures: readonly ProcedureModel[]): Namespace {
  const root: Namespace = { children: new Map() }
  for (const procedure of procedures) {
    const parts = procedure.name.split('.')
    let node = root
    // A name with an empty part is one segment.
    for (const part of parts.includes('') ? [procedure.name] : parts) {
      const next: Namespace = node.children.get(part) ?? { children: new Map() }
      node.children.set(part, next)
      node = next
    }
    node.procedure = procedure
  }
  return root
}

/** `stock.move to` becomes `StockMoveTo`. */
function pascal(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.map(upperFirst).join('') || 'X'
}
