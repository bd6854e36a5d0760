import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ts } from 'ts-morph'
import type { ScalarSchema } from '../../runtime/values/scalar-codec.js'
import { isIdentifier } from '../../templates/layout.js'
import type { Position } from '../diagnostic.js'
import { findEndless, wayOf } from '../model/endless.js'
import { flatten } from '../model/forms.js'
import type { Options, ScalarOption } from '../options.js'
import { exportsOf } from './declarations.js'
import { literalOf, noValue } from './examples.js'
import { nameSymbol } from './naming.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import { isBroken, isOwn } from './project/sources.js'
import type { FoundScalar, Resolver, Scalars } from './resolver.js'

/** The parts of an analysis that finding codecs needs. */
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
  const { project, options, problems } = search
  const all: FoundScalar[] = []
  const failed: string[] = []
  for (const option of options.scalars) {
    const source = project.program.getSourceFile(option.module)
    if (!source) reportOption(option, `there is no module ${problems.relative(option.module)}`, search)
    const codecs = source && !isBroken(source, project) ? codecsIn(source, project.checker) : undefined
    const codec = source && codecs && codecOf(option, source, codecs, search)
    const known = codec && all.find(({ type }) => isSame(type, codec.type))
    if (known) reportOption(option, `${known.name} and ${option.name} are one type`, search)
    const scalar = codec && !known && scalarOf(codec, option, source, search)
    if (scalar) all.push(scalar)
    else failed.push(option.name, ...(codecs ?? []).map(({ name }) => name))
  }
  return reportSentAsItself(scalarsOf(all, failed, project.checker), project.checker, problems)
}

function scalarsOf(all: readonly FoundScalar[], failed: readonly string[], checker: ts.TypeChecker): Scalars {
  const find = (type: ts.Type) => all.find((each) => isSame(each.type, type))
  const isObject = ({ flags }: ts.Type) => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
  return {
    all,
    failed,
    find,
    isFailed(type) {
      if (failed.length === 0 || !isObject(type) || find(type)) return false
      const name = nameOf(type, checker)
      return failed.some((each) => isNamed(name, each))
    },
  }
}

function withoutScalar({ all, failed }: Scalars, scalar: FoundScalar, checker: ts.TypeChecker): Scalars {
  const others = all.filter((each) => each !== scalar)
  return scalarsOf(others, [...failed, scalar.name], checker)
}

/** Reports scalars whose wire type contains the scalar, also through other scalars; returns the others. */
function reportSentAsItself(found: Scalars, checker: ts.TypeChecker, problems: Problems): Scalars {
  let scalars = found
  const sentAs = (type: ts.Type): FoundScalar[] => {
    const scalar = scalars.find(type)
    if (scalar) return [scalar]
    return type.isUnionOrIntersection() ? type.types.flatMap(sentAs) : []
  }
  for (const scalar of found.all) {
    const reached = new Set(sentAs(scalar.wire))
    for (const { wire } of reached) for (const each of sentAs(wire)) reached.add(each)
    if (!reached.has(scalar)) continue
    reportContained(scalar, problems)
    scalars = withoutScalar(scalars, scalar, checker)
  }
  return scalars
}

function reportContained({ name, node }: FoundScalar, problems: Problems, way = ''): void {
  problems.at(node, 'RPC150', `the wire type of ${name} contains ${name} itself`, {
    ...(way !== '' && { path: `${name} (sent)${way}` }),
    hint: `name a type that is sent without this codec${way === '' ? '' : ', or make a member on the path optional or nullable'}`,
  })
}

/** Compares types: the checker has several objects for one intersection, one for each alias. */
function isSame(one: ts.Type, other: ts.Type): boolean {
  if (one === other || !one.isIntersection() || !other.isIntersection()) return one === other
  return one.types.length === other.types.length && one.types.every((each) => other.types.includes(each))
}

function codecsIn(source: ts.SourceFile, checker: ts.TypeChecker): readonly Codec[] {
  return exportsOf(source, checker).flatMap(([name, symbol]) => codecIn(name, symbol, checker) ?? [])
}

function codecOf(
  option: ScalarOption,
  source: ts.SourceFile,
  codecs: readonly Codec[],
  search: Search,
): Codec | undefined {
  const module = search.problems.relative(option.module)
  if (option.export === undefined) {
    const [codec, second] = codecs.filter(({ name }) => isNamed(name, option.name))
    if (second) {
      const message = `${module} exports more than one codec of ${option.name}`
      const hint = `name the export: '${module}#${codec?.export}'`
      return reportOption(option, message, search, hint)
    }
    return (
      codec ??
      reportOption(option, `${module} does not export a codec of ${option.name}`, search, hintFor(option, codecs))
    )
  }
  const codec = codecs.find((each) => each.export === option.export)
  if (codec && isNamed(codec.name, option.name)) return codec
  if (codec) {
    const message = `${option.export} is the codec of ${codec.name}, not of ${option.name}`
    return report(codec.node, message, search, `give it the name of the type in the configuration: ${codec.name}`)
  }
  const [, symbol] = exportsOf(source, search.project.checker).find(([name]) => name === option.export) ?? []
  const node = symbol?.valueDeclaration
  if (!node) {
    const names = codecs.map((each) => each.export).join(', ')
    const hint = names === '' ? undefined : `its codecs are: ${names}`
    return reportOption(option, `${module} does not export ${option.export}`, search, hint)
  }
  return report(node, `${option.export} is not a codec`, search, 'make it with defineScalar')
}

/** Returns how to write the codec that a module lacks, and the types for which the module has codecs. */
function hintFor(option: ScalarOption, codecs: readonly Codec[]): string {
  const last = lowerFirst(option.name.slice(option.name.lastIndexOf('.') + 1))
  const name = isIdentifier(last) ? last : 'codec'
  const declared = `export const ${name} = defineScalar<${option.name}, string>({ decode, encode })`
  const names = [...new Set(codecs.map((each) => each.name))].join(', ')
  return names === '' ? declared : `${declared}; the module has codecs of: ${names}`
}

/** Returns the codec that an export is; undefined for other values. */
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
  const name = text.replace(/import\("[^"]*"\)\./g, '').replace(/<.*$/s, '')
  const symbol = nameSymbol(type)
  const [, namespace = ''] =
    /^(?:"[^"]*"\.|global\.)?(.*\.)?/.exec(symbol ? checker.getFullyQualifiedName(symbol) : '') ?? []
  return name.includes('.') ? name : namespace + name
}

/** True if a key of the configuration refers to a type. Either may lack the namespace, which may be that of an import. */
function isNamed(name: string, key: string): boolean {
  return `.${name}`.endsWith(`.${key}`) || (!name.includes('.') && key.endsWith(`.${name}`))
}

/**
 * Checks a codec and reads its source: whether it has `is`, and its schema. An invalid one is returned too, so that
 * uses of its type are not reported; undefined for a type that cannot have a codec.
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
    return report(node, `${name} is neither an object type nor a brand`, search, hint)
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
    const hint = `write the type arguments: defineScalar<${name}, …>({ decode, encode })`
    report(node, `the codec ${exported} is not written as one call with an object`, search, hint)
    return found
  }
  const isGuarded = search.project.checker.getTypeAtLocation(object).getProperty('is') !== undefined
  if (objects.length < parts.length && !isGuarded) {
    const hint = 'add a function that recognises its values: is: (value) => typeof value === …'
    report(node, `values of ${name} are not objects, and its codec does not recognise them`, search, hint)
  }
  return { ...found, isGuarded, schema: schemaIn(object, search) }
}

/** Reports TypeScript's errors in a declaration; true if there are any. */
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
  return report(
    property ?? object,
    'the schema of a codec is read without running it',
    search,
    'write it as an object literal',
  )
}

/**
 * Reports wire types that are not supported, that are unknown, or that contain the scalar without an end; returns the
 * other scalars. `resolver` is one of the whole run.
 */
export function checkWireTypes(scalars: Scalars, resolver: Resolver, problems: Problems): Scalars {
  for (const { name, wire, node } of scalars.all) {
    const before = problems.list.length
    const resolved = resolver.resolve(wire, { node, path: `${name} (sent)`, depth: 0 })
    const branches = flatten(resolved, resolver.typesByName)
    if (problems.list.length > before || branches.every(({ kind }) => !unsendable.has(kind))) continue
    if ((wire.isUnion() ? wire.types : [wire]).some(scalars.isFailed)) continue
    const message = `the wire type of ${name} has to be known, and cannot be null`
    const hint = 'declare the type that is sent; procedures accept or return null beside the scalar: T | null'
    problems.at(node, 'RPC150', message, { hint })
  }
  let finite = scalars
  for (const { circle } of findEndless(resolver.types, resolver.typesByName)) {
    const types = circle.map(({ from }) => resolver.typesByName.get(from)?.type)
    const start = types.findIndex((type) => type?.kind === 'custom')
    const type = types[start]
    const scalar = type?.kind === 'custom' && scalars.all.find(({ name }) => name === type.name)
    if (!scalar) continue
    reportContained(scalar, problems, wayOf([...circle.slice(start), ...circle.slice(0, start)]))
    finite = withoutScalar(finite, scalar, resolver.checker)
  }
  return finite
}

/** Kinds that are not valid as a wire type: the value is unknown or absent. */
const unsendable: ReadonlySet<string> = new Set(['any', 'null', 'undefined', 'void'])

function report(node: ts.Node, message: string, { problems }: Search, hint: string): undefined {
  problems.at(node, 'RPC150', message, { hint })
}

/** Reports an entry of the configuration at its position. */
function reportOption(option: ScalarOption, message: string, { options, problems }: Search, hint?: string): undefined {
  const position = positionOf(option, options, problems)
  problems.add({
    code: 'RPC150',
    message: position ? message : `scalars.${option.name}: ${message}`,
    ...(position && { position }),
    ...(hint !== undefined && { hint }),
  })
}

/** Returns the position of a codec in a configuration; that of its beginning if it is computed. */
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
