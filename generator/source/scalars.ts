import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ts } from 'ts-morph'
import type { ScalarSchema } from '../../runtime/values/scalar-codec.js'
import type { Position } from '../diagnostic.js'
import { flatten } from '../model/forms.js'
import type { Options, ScalarOption } from '../options.js'
import { exportsOf } from './declarations.js'
import { literalOf, noValue } from './examples.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import { isBroken, isOwn } from './project/sources.js'
import type { FoundScalar, Resolver, Scalars } from './resolver.js'

/** What finding codecs needs of an analysis. */
interface Search {
  readonly project: OpenProject
  readonly options: Options
  readonly problems: Problems
}

/** A codec as its module declares it: `export const decimal = defineScalar<Decimal, string>({ … })`. */
interface Codec {
  readonly export: string
  readonly name: string
  readonly node: ts.Node
  readonly type: ts.Type
  readonly wire: ts.Type
}

/** Finds the codec of each type that the configuration names. Reports those that are missing or wrong. */
export function findScalars(search: Search): Scalars {
  const all: FoundScalar[] = []
  const find = (type: ts.Type) => all.find((each) => isSame(each.type, type))
  for (const option of search.options.scalars) {
    const source = search.project.program.getSourceFile(option.module)
    if (!source) reportOption(option, `there is no module ${search.problems.relative(option.module)}`, search)
    else if (!isBroken(source, search.project)) {
      const codec = codecOf(option, source, search)
      const known = codec && find(codec.type)
      if (known) reportOption(option, `${known.name} and ${option.name} are one type`, search)
      const scalar = codec && !known && scalarOf(codec, option, source, search)
      if (scalar) all.push(scalar)
    }
  }
  return { all, find }
}

/** True for one type; the checker has several of an intersection, one for each alias. */
function isSame(one: ts.Type, other: ts.Type): boolean {
  if (one === other || !one.isIntersection() || !other.isIntersection()) return one === other
  return one.types.length === other.types.length && one.types.every((each) => other.types.includes(each))
}

function codecOf(option: ScalarOption, source: ts.SourceFile, search: Search): Codec | undefined {
  const { checker } = search.project
  const module = search.problems.relative(option.module)
  const exported = exportsOf(source, checker)
  const codecs = exported.flatMap(([name, symbol]) => codecIn(name, symbol, checker) ?? [])
  if (option.export === undefined) {
    const [codec, second] = codecs.filter(({ name }) => name === option.name)
    if (second) {
      const message = `${module} exports more than one codec of ${option.name}`
      const hint = `name the export: '${module}#${codec?.export}'`
      return reportOption(option, message, search, hint)
    }
    const hint = `export const ${lowerFirst(option.name)} = defineScalar<${option.name}, string>({ decode, encode })`
    return codec ?? reportOption(option, `${module} exports no codec of ${option.name}`, search, hint)
  }
  const codec = codecs.find((each) => each.export === option.export)
  if (codec?.name === option.name) return codec
  if (codec) {
    const message = `${option.export} is the codec of ${codec.name}, not of ${option.name}`
    return report(codec.node, message, search, `give it the name of the type in the configuration: ${codec.name}`)
  }
  const [, symbol] = exported.find(([name]) => name === option.export) ?? []
  const node = symbol?.valueDeclaration
  if (!node) {
    const names = codecs.map((each) => each.export).join(', ')
    const hint = names === '' ? undefined : `its codecs are: ${names}`
    return reportOption(option, `${module} does not export ${option.export}`, search, hint)
  }
  return report(node, `${option.export} is not a codec`, search, 'make it with defineScalar')
}

/** Returns the codec that an export is; undefined for another value. */
function codecIn(exported: string, symbol: ts.Symbol, checker: ts.TypeChecker): Codec | undefined {
  const node = symbol.valueDeclaration
  if (!node || !ts.isVariableDeclaration(node)) return undefined
  const type = checker.getTypeOfSymbolAtLocation(symbol, node)
  if (type.symbol?.name !== 'Scalar' || !isOwn(type.symbol)) return undefined
  const [of, wire] = checker.getTypeArguments(type as ts.TypeReference)
  return of && wire && { export: exported, name: nameOf(of, checker), node, type: of, wire }
}

/** `Decimal`, `Temporal.Instant`; `Money` for `Money<'EUR'>`. */
function nameOf(type: ts.Type, checker: ts.TypeChecker): string {
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
  return text.replace(/import\("[^"]*"\)\./g, '').replace(/<.*$/s, '')
}

/**
 * Checks a codec and reads what is in its source: whether it has `is`, and its schema. One that is wrong is returned too, so that
 * nothing is reported where its type is used; undefined for a type that cannot have a codec.
 */
function scalarOf(
  { export: exported, node, type, wire }: Codec,
  { name }: ScalarOption,
  source: ts.SourceFile,
  search: Search,
): FoundScalar | undefined {
  const parts = type.isIntersection() ? type.types : [type]
  const objects = parts.filter(({ flags }) => flags & ts.TypeFlags.Object)
  if (objects.length === 0) {
    const hint = 'make a codec of a class, an interface or a brand'
    return report(node, `${name} is neither a type of objects nor a brand`, search, hint)
  }
  const call = ts.isVariableDeclaration(node) ? node.initializer : undefined
  const [object] = call && ts.isCallExpression(call) ? call.arguments : []
  const [, written] = (call && ts.isCallExpression(call) && call.typeArguments) || []
  const found = {
    name,
    source,
    export: exported,
    type,
    wire,
    node: written ?? node,
    isGuarded: true,
    schema: undefined,
  }
  if (reportTypes(node, search)) return found
  if (!object || !ts.isObjectLiteralExpression(object)) {
    const hint = `write it out: defineScalar<${name}, …>({ decode, encode })`
    report(node, `the codec ${exported} is not written as one call with an object`, search, hint)
    return found
  }
  const isGuarded = search.project.checker.getTypeAtLocation(object).getProperty('is') !== undefined
  if (objects.length < parts.length && !isGuarded) {
    const hint = 'add a function that tells its values: is: (value) => typeof value === …'
    report(node, `values of ${name} are not objects, and its codec does not tell which are of it`, search, hint)
  }
  return { ...found, isGuarded, schema: schemaIn(object, search) }
}

/** Reports what TypeScript finds in a declaration; true if it finds something. */
function reportTypes(node: ts.Node, { project, problems }: Search): boolean {
  const source = node.getSourceFile()
  const found = project.program.getSemanticDiagnostics(source).filter(({ start = -1 }) => {
    return start >= node.getStart() && start < node.end
  })
  for (const { code, messageText, start = 0 } of found) {
    const message = `TS${code}: ${ts
      .flattenDiagnosticMessageText(messageText, ' ')
      .replace(/import\("[^"]*"\)\./g, '')
      .replace(/\s+/g, ' ')}`
    problems.add({ code: 'RPC150', message, position: problems.positionIn(source, start) })
  }
  return found.length > 0
}

/** The schema of a codec, which is read without running it. */
function schemaIn(object: ts.ObjectLiteralExpression, search: Search): ScalarSchema | undefined {
  if (!search.project.checker.getTypeAtLocation(object).getProperty('schema')) return undefined
  const property = object.properties.find((each) => each.name?.getText() === 'schema')
  const value = property && ts.isPropertyAssignment(property) ? literalOf(property.initializer) : noValue
  if (value !== noValue) return value as ScalarSchema
  return report(property ?? object, 'the schema of a codec is read, not run', search, 'write it as an object literal')
}

/** Reports wire types that cannot be sent, or that do not tell what is sent; `resolver` is one of the whole run. */
export function checkWireTypes(scalars: Scalars, resolver: Resolver, problems: Problems): void {
  for (const { name, wire, node } of scalars.all) {
    const before = problems.list.length
    const resolved = resolver.resolve(wire, { node, path: `${name} (sent)`, depth: 0 })
    const branches = flatten(resolved, resolver.typesByName)
    if (problems.list.length > before || branches.every(({ kind }) => !unsaid.has(kind))) continue
    const message = `the wire type of ${name} has to be known, and cannot be null`
    const hint = 'name the type that is sent; a procedure takes or returns null beside the scalar: T | null'
    problems.at(node, 'RPC150', message, { hint })
  }
}

const unsaid: ReadonlySet<string> = new Set(['any', 'null', 'undefined', 'void'])

function report(node: ts.Node, message: string, { problems }: Search, hint: string): undefined {
  problems.at(node, 'RPC150', message, { hint })
}

/** Reports an entry of the configuration, where it is written. */
function reportOption(option: ScalarOption, message: string, { options, problems }: Search, hint?: string): undefined {
  const position = positionOf(option, options, problems)
  problems.add({
    code: 'RPC150',
    message: position ? message : `scalars.${option.name}: ${message}`,
    ...(position && { position }),
    ...(hint !== undefined && { hint }),
  })
}

/** Where a configuration names a codec; its beginning where that is computed. */
function positionOf(option: ScalarOption, { configFile }: Options, problems: Problems): Position | undefined {
  if (configFile === undefined) return undefined
  const source = ts.createSourceFile(configFile, readFileSync(configFile, 'utf8'), ts.ScriptTarget.Latest, true)
  const path = option.module + (option.export === undefined ? '' : `#${option.export}`)
  const isEntry = (node: ts.Node): node is ts.PropertyAssignment =>
    ts.isPropertyAssignment(node) &&
    !ts.isComputedPropertyName(node.name) &&
    node.name.text === option.name &&
    ts.isStringLiteralLike(node.initializer) &&
    resolve(dirname(configFile), node.initializer.text) === resolve(path)
  const find = (node: ts.Node): ts.Node | undefined => (isEntry(node) ? node : ts.forEachChild(node, find))
  return problems.positionIn(source, find(source)?.getStart() ?? 0)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
