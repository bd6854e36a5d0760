// The codecs that a configuration names for types, and the types that they send:
//
//   scalars: { Decimal: 'src/scalars.ts#decimal' }  →  a Decimal is sent as the type that the codec `decimal` encodes it to
import { ts } from 'ts-morph'
import { flatten } from '../../../runtime/description/described-types.js'
import type { TypesByName } from '../../../runtime/description/description.js'
import type { ScalarSchema } from '../../../runtime/values/scalar-codec.js'
import { findEndless } from '../../model/endless.js'
import { type ModelType, placeholderType } from '../../model/model.js'
import type { ScalarOption } from '../../options/options.js'
import { isTypeTag } from '../constraints/constraint-types.js'
import { exportsOf, objectLikeFlags, textOfType, withoutImports } from '../program/checker.js'
import { literalOf, noValue, propertyNamed, valueNamed } from '../program/literals.js'
import { type Problems, placeOf } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { errorsIn, forEachNode, isBroken, isDeclaredByRpcGen } from '../program/sources.js'
import { nameSymbol } from './naming.js'
import type { Codec, Codecs, ResolveKind, Resolver } from './resolver-interface.js'

/** A codec as its module declares it: `export const decimal = defineScalar<Decimal, string>({ … })`. */
interface ExportedCodec {
  readonly export: string
  readonly name: string
  readonly node: ts.Node
  readonly type: ts.Type
  readonly wire: ts.Type
}

/** Resolves a type that has a codec in the configuration. Its constraints are those of the wire type. */
export const resolveCustom: ResolveKind = (type, place, resolver) => {
  const { codecs, project, checker } = resolver
  const found = codecs.find(type)
  if (found) {
    const { name, source, wire, node, schema } = found
    const codec = { module: project.moduleOf(source), name: found.export }
    return {
      define: ({ depth }) => ({
        kind: 'custom',
        name,
        wire: resolver.resolve(wire, { ...placeOf(node, name, `${name} (sent)`), depth: depth + 1 }),
        ...(schema && { schema }),
        codec,
      }),
    }
  }
  // A problem of its codec is reported instead of each use.
  if (codecs.isFailed(type)) return placeholderType
  const part = type.isIntersection() ? type.types.find((each) => codecs.find(each)) : undefined
  if (!part || !type.isIntersection()) return undefined
  const others = type.types.filter((each) => each !== part)
  // Constraints are reported together with those of other types.
  if (others.flatMap((each) => checker.getPropertiesOfType(each)).every(isTypeTag)) return resolver.resolve(part, place)
  const name = codecs.find(part)?.name
  const hint = 'name the intersection, and make a codec of that name'
  return resolver.reject(place, 'RPC121', `${name} has a codec, and is intersected with another type`, hint)
}

/** Finds the codec of each type that the configuration names. Reports those that are missing or wrong. */
export function findCodecs(project: OpenProject): Codecs {
  const { options, problems } = project
  const all: Codec[] = []
  const failed: string[] = []
  for (const option of options.scalars) {
    const source = project.program.getSourceFile(option.module)
    if (!source) reportOption(option, `there is no module ${problems.relative(option.module)}`, project)
    const exported = source && !isBroken(source, project) ? codecsIn(source, project.checker) : undefined
    const found = exported && codecOf(option, exported, project)
    const known = found && all.find(({ type }) => isSameType(type, found.type))
    if (known) reportOption(option, `${known.name} and ${option.name} are one type`, project)
    const codec = source && found && !known && checkedCodec(found, option, source, project)
    if (codec) all.push(codec)
    else failed.push(option.name, ...(exported ?? []).map(({ name }) => name))
  }
  return codecsOf(all, failed, project.checker)
}

function codecsOf(all: readonly Codec[], failed: readonly string[], checker: ts.TypeChecker): Codecs {
  const find = (type: ts.Type) => all.find((each) => isSameType(each.type, type))
  return {
    all,
    failed,
    find,
    isFailed(type) {
      if (failed.length === 0 || !(type.flags & objectLikeFlags) || find(type)) return false
      const name = qualifiedName(type, checker)
      return failed.some((each) => isNamed(name, each))
    },
  }
}

/** Compares types: the checker has several objects for one intersection, one for each alias. */
function isSameType(one: ts.Type, other: ts.Type): boolean {
  if (one === other || !one.isIntersection() || !other.isIntersection()) return one === other
  return one.types.length === other.types.length && one.types.every((each) => other.types.includes(each))
}

function codecsIn(source: ts.SourceFile, checker: ts.TypeChecker): readonly ExportedCodec[] {
  return exportsOf(source, checker).flatMap(([name, symbol]) => codecIn(name, symbol, checker) ?? [])
}

function codecOf(
  option: ScalarOption,
  codecs: readonly ExportedCodec[],
  project: OpenProject,
): ExportedCodec | undefined {
  const { name, export: wanted } = option
  const [codec, second] = codecs.filter((each) => isNamed(each.name, name) && (wanted ?? each.export) === each.export)
  if (codec && !second) return codec
  const module = project.problems.relative(option.module)
  const names = codecs.map((each) => `${each.export} of ${each.name}`).join(', ')
  const hint = second
    ? `name the export: '${module}#${codec?.export}'`
    : `export const codec = defineScalar<${name}, string>({ decode, encode })${names && `; the module has codecs: ${names}`}`
  const found = second ? 'exports more than one codec' : `does not export a codec${wanted ? ` ${wanted}` : ''}`
  return reportOption(option, `${module} ${found} of ${name}`, project, hint)
}

/** Returns the codec that an export is; undefined for other values. */
function codecIn(exported: string, symbol: ts.Symbol, checker: ts.TypeChecker): ExportedCodec | undefined {
  const node = symbol.valueDeclaration
  if (!node || !ts.isVariableDeclaration(node)) return undefined
  const type = checker.getTypeOfSymbolAtLocation(symbol, node)
  if (type.symbol?.name !== 'Scalar' || !isDeclaredByRpcGen(type.symbol)) return undefined
  const [of, wire] = checker.getTypeArguments(type as ts.TypeReference)
  return of && wire && { export: exported, name: qualifiedName(of, checker), node, type: of, wire }
}

/** `Decimal`, `Temporal.Instant`; `Money` for `Money<'EUR'>`. */
function qualifiedName(type: ts.Type, checker: ts.TypeChecker): string {
  const name = textOfType(type, checker, ts.TypeFormatFlags.NoTruncation).replace(/<.*$/s, '')
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
function checkedCodec(
  { export: exported, node, type, wire }: ExportedCodec,
  { name }: ScalarOption,
  source: ts.SourceFile,
  project: OpenProject,
): Codec | undefined {
  const parts = type.isIntersection() ? type.types : [type]
  const objects = parts.filter(({ flags }) => flags & ts.TypeFlags.Object)
  if (objects.length === 0) {
    const hint = 'make a codec of a class, an interface or a brand'
    return reportCodec(node, `${name} is neither an object type nor a brand`, project.problems, hint)
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
  if (reportTypes(node, project)) return found
  if (!object || !ts.isObjectLiteralExpression(object)) {
    const hint = `write the type arguments: defineScalar<${name}, …>({ decode, encode })`
    reportCodec(node, `the codec ${exported} is not written as one call with an object`, project.problems, hint)
    return found
  }
  const isGuarded = project.checker.getTypeAtLocation(object).getProperty('is') !== undefined
  if (objects.length < parts.length && !isGuarded) {
    const hint = 'add a function that recognises its values: is: (value) => typeof value === …'
    reportCodec(
      node,
      `values of ${name} are not objects, and its codec does not recognise them`,
      project.problems,
      hint,
    )
  }
  return { ...found, isGuarded, schema: schemaIn(object, project) }
}

/** Reports TypeScript's errors in a declaration; true if there are any. */
function reportTypes(node: ts.Node, project: OpenProject): boolean {
  const { problems } = project
  const found = errorsIn(node, project)
  for (const { code, messageText, start = 0 } of found) {
    const text = withoutImports(ts.flattenDiagnosticMessageText(messageText, ' ')).replace(/\s+/g, ' ')
    problems.add({
      code: 'RPC150',
      message: `TS${code}: ${text}`,
      position: problems.positionIn(node.getSourceFile(), start),
    })
  }
  return found.length > 0
}

/** The schema of a codec, which is read without running it. */
function schemaIn(object: ts.ObjectLiteralExpression, project: OpenProject): ScalarSchema | undefined {
  if (!project.checker.getTypeAtLocation(object).getProperty('schema')) return undefined
  const written = valueNamed('schema', object)
  const value = written ? literalOf(written) : noValue
  if (value !== noValue) return value as ScalarSchema
  return reportCodec(
    propertyNamed('schema', object) ?? object,
    'the schema of a codec is read without running it',
    project.problems,
    'write it as an object literal',
  )
}

/**
 * Reports wire types that are not supported, that are unknown, or that contain their type without an end; returns the
 * other codecs. `resolver` is one of the whole run.
 */
export function checkWireTypes(codecs: Codecs, resolver: Resolver): Codecs {
  const { problems } = resolver.project
  const types = resolver.table.byKey
  const contained = new Set<string>()
  for (const { name, wire, node } of codecs.all) {
    const before = problems.list.length
    const resolved = resolver.resolve(wire, placeOf(node, name, `${name} (sent)`))
    const branches = sentBranches(resolved, types, new Set(contained))
    if (branches.some((each) => customName(each) === name)) {
      reportContained(name, node, problems)
      contained.add(name)
    } else if (problems.list.length === before && branches.some(({ kind }) => unsendable.has(kind))) {
      if ((wire.isUnion() ? wire.types : [wire]).some(codecs.isFailed)) continue
      const hint = 'declare the type that is sent; procedures accept or return null beside the scalar: T | null'
      reportCodec(node, `the wire type of ${name} has to be known, and cannot be null`, problems, hint)
    }
  }
  const endless = new Set(findEndless(types).map((key) => customName(types.get(key)?.type)))
  for (const { name, node } of codecs.all) {
    if (!endless.has(name) || contained.has(name)) continue
    reportContained(name, node, problems, ', or make a member that leads to it optional or nullable')
    contained.add(name)
  }
  const finite = codecs.all.filter(({ name }) => !contained.has(name))
  return codecsOf(finite, [...codecs.failed, ...contained], resolver.checker)
}

function customName(type: ModelType | undefined): string | undefined {
  return type?.kind === 'custom' ? type.name : undefined
}

/** Returns the branches of a type, and of the wire types of the codecs among them. */
function sentBranches(type: ModelType, types: TypesByName, seen: Set<string>): ModelType[] {
  return flatten(type, types).flatMap((each) => {
    if (each.kind !== 'custom' || seen.has(each.name)) return [each]
    seen.add(each.name)
    return [each, ...sentBranches(each.wire, types, seen)]
  })
}

/** Kinds that are not valid as a wire type: the value is unknown or absent. */
const unsendable: ReadonlySet<string> = new Set(['any', 'null', 'undefined', 'void'])

function reportContained(name: string, node: ts.Node, problems: Problems, also = ''): void {
  reportCodec(
    node,
    `the wire type of ${name} contains ${name} itself`,
    problems,
    `name a type that is sent without this codec${also}`,
  )
}

function reportCodec(node: ts.Node, message: string, problems: Problems, hint: string): undefined {
  problems.at(node, 'RPC150', message, { hint })
}

/** Reports an entry of the configuration at its position; at the beginning of the file if it is computed. */
function reportOption(
  { name }: ScalarOption,
  message: string,
  { options, disk, problems }: OpenProject,
  hint?: string,
): undefined {
  const file = options.configFile
  if (file === undefined) problems.add({ code: 'RPC150', message: `scalars.${name}: ${message}`, hint })
  else {
    const source = ts.createSourceFile(file, disk.read(file) ?? '', ts.ScriptTarget.Latest)
    const start = scalarIn(source, name)?.getStart(source) ?? 0
    problems.add({ code: 'RPC150', message, position: problems.positionIn(source, start), hint })
  }
}

/** Returns the entry of a type in `scalars` of a configuration; of a script that declares these elsewhere, the first of that name. */
function scalarIn(config: ts.SourceFile, name: string): ts.Node | undefined {
  let first: ts.Node | undefined
  let found: ts.Node | undefined
  forEachNode(config, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return
    first ??= propertyNamed(name, node)
    const scalars = valueNamed('scalars', node)
    if (!found && scalars && ts.isObjectLiteralExpression(scalars)) found = propertyNamed(name, scalars)
  })
  return found ?? first
}
