// The text of a generated Python client: types, the part that every client has, errors, classes for namespaces, and tables, from which
// values are checked and converted at run time:
//
//   class StockApi(_Namespace):
//       def move(self, sku: str, count: int) -> Movement:
//           return self._call("stock.move", sku, count)
import type { Model, ModelType, ProcedureModel } from '../../generator/model/model.js'
import { schemesIn } from '../../runtime/description/schemes.js'
import { constructorText, credentialNames, credentialsPart } from './credentials.js'
import {
  annotationNames,
  comment,
  createDeclarations,
  type Declarations,
  declarationsText,
  scalarModules,
} from './declarations.js'
import { typeDoc } from './docs.js'
import { errorClasses, errorEntries, errorsText } from './errors.js'
import { importScalars, type ScalarImports } from './imports.js'
import { type Python, print, quote, textLines } from './layout.js'
import { builtins, createPythonScope } from './names.js'
import { namespacesText } from './namespaces.js'
import { type Printing, procedureEntry } from './procedures.js'
import {
  httpNames,
  importedNames,
  modules,
  publicNames,
  pythonRuntime,
  streamNames,
  typingNames,
} from './runtime/index.js'
import { codec, converter, type PythonScalar } from './types.js'

/** The text of a generated Python client. `classes` are the Python classes of custom scalars. */
export function pythonText({ procedures, types }: Model, classes: ReadonlyMap<string, PythonScalar>): string {
  const imported = importScalars(classes)
  const { scalars } = imported
  const [callable, others] = split(procedures)
  const hasStreams = callable.some(({ subscription }) => subscription)
  const init = constructorText(schemesIn(procedures))
  const scope = createPythonScope([
    ...builtins,
    ...modules,
    ...typingNames,
    ...annotationNames,
    ...importedNames,
    ...httpNames,
    ...publicNames,
    ...(hasStreams ? streamNames : []),
    ...(init ? credentialNames : []),
    ...scalarModules(scalars),
  ])
  const own = createDeclarations(types, callable.flatMap(typesOf), scalars, scope)
  const errors = errorClasses(callable, scope)
  const docs = new Map(types.map((each) => [each.name, typeDoc(each)]))
  const docsOfNames = new Map([...docs].flatMap(([name, doc]) => (own.named(name) ? [[own.named(name), doc]] : [])))
  const printing: Printing = { own, errors }
  const blocks = [
    ...declarationsText(own, docsOfNames),
    pythonRuntime(hasStreams).trimEnd(),
    ...(init ? [credentialsPart] : []),
    ...errorsText(errors, own),
    ...namespacesText(callable, scope, printing, init),
  ]
  const tables = [
    table('_TYPES: Dict[str, _Type]', [
      ...Array.from(own.declared, ([name, type]) => typeEntry(name, converter(type, own))),
      ...Array.from(own.codecs, ([name, type]) => typeEntry(name, codec(type, own))),
    ]),
    table('_ERRORS: Dict[int, Tuple[Type[RpcError], Optional[_Type]]]', errorEntries(errors, own)),
    table(
      '_PROCEDURES: Dict[str, _Procedure]',
      callable.map((each) => procedureEntry(each, own)),
    ),
  ]
  const left = others.map(([{ name }, reason]) => `${name} is left out: ${reason}`)
  const head = header(own, imported, left, hasStreams)
  return `${head}\n\n\n${blocks.join('\n\n\n')}\n\n\n${tables.join('\n\n')}\n`
}

/** The procedures that the client has, and others with the reasons. */
function split(procedures: readonly ProcedureModel[]): [ProcedureModel[], (readonly [ProcedureModel, string])[]] {
  const others = procedures.flatMap((each) => {
    const reason = reasonToLeaveOut(each)
    return reason === undefined ? [] : [[each, reason] as const]
  })
  return [procedures.filter((each) => reasonToLeaveOut(each) === undefined), others]
}

function reasonToLeaveOut({ protocols }: ProcedureModel): string | undefined {
  return protocols && !protocols.includes('json-rpc') ? 'it is not called over JSON-RPC' : undefined
}

/** The types of a procedure, with words for those without a name. */
function typesOf({ name, params, overloads = [], returns, throws = [] }: ProcedureModel): [string, ModelType][] {
  const all = [...params, ...overloads.flatMap((each) => each.params)]
  return [
    ...all.map((each): [string, ModelType] => [`${name} ${each.name}`, each.type]),
    ...[returns, ...overloads.map((each) => each.returns)].map((each): [string, ModelType] => [
      `${name} result`,
      each.type,
    ]),
    ...throws.flatMap(({ name: error, data }): [string, ModelType][] => (data ? [[`${error} data`, data]] : [])),
  ]
}

function typeEntry(name: string, type: Python): string {
  return `    ${print([`${quote(name)}: `, type, ','], 4)}`
}

function table(head: string, entries: readonly string[]): string {
  return entries.length === 0 ? `${head} = {}` : `${head} = {\n${entries.join('\n')}\n}`
}

/** The notes, and the imports, sorted as isort does. */
function header(
  own: Declarations,
  { standard, others }: ScalarImports,
  left: readonly string[],
  hasStreams: boolean,
): string {
  const typing = [
    ...typingNames,
    ...(hasStreams ? ['Generator', 'Iterable', 'Iterator'] : []),
    ...[...own.used].filter((name) => name !== 'NotRequired'),
  ]
  const newer = ['ParamSpec', 'Self', ...(own.used.has('NotRequired') ? ['NotRequired'] : [])].sort()
  const hasOverloads = own.used.has('overload')
  return `# @generated by rpc-gen. Do not edit: change the sources and run rpc-gen again.
# ruff: noqa: UP006, UP007, UP035, UP045
${left.map((text) => comment(textLines(text).join(' '))).join('')}${hasOverloads ? lenient : ''}"""A client of JSON-RPC procedures, for Python 3.9 and later."""

from __future__ import annotations

${standard.join('\n')}
${hasStreams ? 'from contextlib import closing, suppress\n' : ''}from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import ${httpNames.join(', ')}
from typing import (
${typing
  .sort(bySection)
  .map((name) => `    ${name},`)
  .join('\n')}
)
from urllib.parse import urlsplit
${others.map((each) => `\n${each}`).join('')}${others.length > 0 ? '\n' : ''}
if sys.version_info >= (3, 11):
    from typing import ${newer.join(', ')}
elif TYPE_CHECKING:
    from typing_extensions import ${newer.join(', ')}

if TYPE_CHECKING:
    _P = ParamSpec("_P")`
}

/** Python has no difference between some types that TypeScript distinguishes, so that an overload may not be reached. */
const lenient = '# mypy: disable-error-code="misc"\n# pyright: reportOverlappingOverload=false\n'

/** Constants first, then classes, then functions. */
function bySection(a: string, b: string): number {
  const rank = (name: string) => (/^[A-Z_]+$/.test(name) ? 0 : /^[A-Z]/.test(name) ? 1 : 2)
  return rank(a) - rank(b) || (a.toLowerCase() < b.toLowerCase() ? -1 : 1)
}
