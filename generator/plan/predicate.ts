import type { CasePlan, PredicatePlan, TestPlan } from '../../templates/predicate.js'
import { structGuards } from '../../templates/struct.js'
import { quote } from '../../templates/text.js'
import { mayHaveMembers, tagsOf } from '../model/discriminant.js'
import type { ModelType, NamedType } from '../model/model.js'
import { constraintTests, lengthTests } from './constraints.js'
import { memberAccess, type Planner } from './planner.js'
import { typeText } from './typescript.js'
import { literal } from './wire.js'

type Union = Extract<ModelType, { kind: 'union' }>

/** Kinds that `typeof` tells; the operand stands literally, which engines turn into one comparison. */
const typeofKinds = new Set(['string', 'boolean'])

const predicates: Readonly<Record<string, string>> = {
  int: 'isInt',
  double: 'isNumber',
  number: 'isNumber',
  string: 'isString',
  boolean: 'isBoolean',
  date: 'isDate',
  url: 'isUrl',
  null: 'isNull',
  undefined: 'isUndefined',
  void: 'isUndefined',
}

/** An expression that is true when `value` is of the type. */
export function testExpression(type: ModelType, value: string, planner: Planner): string {
  const tests = [...lengthTests(type, value, planner), kindTest(type, value, planner)]
  return [...tests, ...constraintTests(type, value, planner)].join(' && ')
}

/** Whether a test is several that must all hold, so that it stands in brackets beside others. */
function isConjunction({ kind, constraints }: ModelType): boolean {
  return kind === 'template' || constraints !== undefined
}

function kindTest(type: ModelType, value: string, planner: Planner): string {
  const { imports } = planner
  switch (type.kind) {
    case 'any':
      return 'true'
    case 'null':
      return `${value} === null`
    case 'undefined':
    case 'void':
      return `${value} === undefined`
    case 'literal':
      return `${value} === ${literal(type.value)}`
    case 'bigint':
      return type.value === undefined ? `typeof ${value} === 'bigint'` : `${value} === ${type.value}n`
    case 'template':
      return `typeof ${value} === 'string' && /${type.pattern}/.test(${value})`
    case 'bytes':
      return `${imports.codegen('isBytes')}(${value}${type.as === 'Uint8Array' ? '' : `, ${quote(type.as)}`})`
    case 'array':
      return `${imports.codegen('isArrayOf')}(${value}, ${testFunction(type.element, planner)})`
    case 'set':
      return `${imports.codegen('isSetOf')}(${value}, ${testFunction(type.element, planner)})`
    case 'map':
      return `${imports.codegen('isMapOf')}(${value}, ${testFunction(type.value, planner)})`
    case 'tuple':
      return tupleTest(type, value, planner)
    case 'struct':
      return structConditions(type, value, planner).join(' && ')
    case 'union':
      return unionTests(type.branches, value, planner).join(' || ')
    case 'ref':
      return `${planner.namesOf(type.name).is}(${value})`
    default:
      if (typeofKinds.has(type.kind)) return `typeof ${value} === ${quote(type.kind)}`
      return `${imports.codegen(predicates[type.kind] ?? '')}(${value})`
  }
}

/** The alternatives of a union; a conjunction among them stands in brackets, as readers like it. */
function unionTests(branches: readonly ModelType[], value: string, planner: Planner): string[] {
  const tests = branches.map((branch) => {
    const test = testExpression(branch, value, planner)
    return isConjunction(branch) ? `(${test})` : test
  })
  return tests.includes('true') ? ['true'] : [...new Set(tests)]
}

/** A test as one of several that must all hold; of an optional value, undefined is good too. */
export function conditionOf(type: ModelType, value: string, planner: Planner, optional = false): string[] {
  const tests =
    type.kind === 'union' ? unionTests(type.branches, value, planner) : [testExpression(type, value, planner)]
  if (tests.includes('true')) return []
  const [only] = tests
  if (!optional) return [tests.length === 1 && only !== undefined ? only : `(${tests.join(' || ')})`]
  const present = isConjunction(type) ? tests.map((test) => `(${test})`) : tests
  return [`(${[...new Set([`${value} === undefined`, ...present])].join(' || ')})`]
}

/** A predicate as a function: by its name where it has one. */
export function testFunction(type: ModelType, planner: Planner): string {
  if (type.constraints) return `(v) => ${testExpression(type, 'v', planner)}`
  const named = type.kind === 'bigint' && type.value === undefined ? 'isBigint' : predicates[type.kind]
  if (named !== undefined) return planner.imports.codegen(named)
  if (type.kind === 'ref') return planner.namesOf(type.name).is
  return type.kind === 'any' ? '() => true' : `(v) => ${testExpression(type, 'v', planner)}`
}

function tupleTest(type: Extract<ModelType, { kind: 'tuple' }>, value: string, planner: Planner): string {
  const elements = `[${type.elements.map((element) => testFunction(element, planner)).join(', ')}]`
  const rest = type.rest ? `, ${testFunction(type.rest, planner)}` : ''
  return `${planner.imports.codegen('isTupleOf')}(${value}, ${elements}, ${type.required}${rest})`
}

function structConditions(type: Extract<ModelType, { kind: 'struct' }>, value: string, planner: Planner): string[] {
  const { imports } = planner
  if (type.rest) {
    const names = `, [${type.members.map(({ name }) => quote(name)).join(', ')}]`
    const known = type.keys ? `${names}, /${type.keys.pattern}/` : type.members.length === 0 ? '' : names
    const first = `${imports.codegen('isRecordOf')}(${value}, ${testFunction(type.rest, planner)}${known})`
    if (type.members.length === 0) return [first]
    return [...structGuard(value, planner), ...memberConditions(type, planner), first]
  }
  return [...structGuard(value, planner), ...memberConditions(type, planner)]
}

/** Names that the guards of a struct need: `isStruct`, with what most structs are told by before it. */
export function importGuards(planner: Planner): void {
  planner.imports.codegen('isObject')
  planner.imports.codegen('isStruct')
}

function structGuard(value: string, planner: Planner): string[] {
  importGuards(planner)
  return structGuards(value)
}

/**
 * Tags come first: in a union, a struct with another tag is to be refused before what lies in it is looked at, or each
 * level of a type that contains itself would double the work.
 */
function memberConditions(type: Extract<ModelType, { kind: 'struct' }>, planner: Planner): string[] {
  const isTag = ({ name }: { readonly name: string }) => tagsOf(type, name, planner.types).length > 0
  const members = [...type.members.filter(isTag), ...type.members.filter((member) => !isTag(member))]
  return members.flatMap(({ name, type: member, optional }) => {
    return conditionOf(member, memberAccess(name, planner), planner, optional)
  })
}

/** The predicate of a named type: a switch where a discriminant tells its branches apart. */
export function planPredicate(named: NamedType, planner: Planner): PredicatePlan {
  const proves = typeText({ kind: 'ref', name: named.name }, planner)
  const name = planner.namesOf(named.name).is
  const memoize = memoizeOf(named, planner)
  return { name, test: planTest(named.type, planner), ...(proves === undefined ? {} : { proves }), ...memoize }
}

/** `memoize` for the functions of a type whose values several branches of one union would walk. */
export function memoizeOf({ name }: NamedType, planner: Planner): { readonly memoize?: string } {
  return planner.says('is entangled', name) ? { memoize: planner.imports.codegen('memoize') } : {}
}

function planTest(type: ModelType, planner: Planner): TestPlan {
  if (type.kind === 'struct') return { conditions: structConditions(type, 'v', planner) }
  if (type.kind === 'union' && type.discriminant !== undefined) {
    importGuards(planner)
    return {
      discriminant: memberAccess(type.discriminant, planner),
      cases: casesOf(type, planner, (branch) => testExpression(branch, 'v', planner)),
      otherwise: unionTests(withoutStructs(type, planner).branches, 'v', planner).join(' || ') || 'false',
    }
  }
  if (type.kind === 'union') return { alternatives: unionTests(type.branches, 'v', planner) }
  return { conditions: [testExpression(type, 'v', planner)] }
}

/** What a value that is no struct may be of a union with a discriminant. */
export function withoutStructs(type: Union, planner: Planner): Union {
  return { kind: 'union', branches: type.branches.filter((branch) => !mayHaveMembers(branch, planner.types)) }
}

/** For each struct of a union with a discriminant, the values that lead to it. */
export function casesOf(type: Union, planner: Planner, result: (branch: ModelType) => string): CasePlan[] {
  return type.branches.flatMap((branch) => {
    const struct = branch.kind === 'ref' ? planner.typeOf(branch.name).type : branch
    if (struct.kind !== 'struct' || type.discriminant === undefined) return []
    return [{ values: tagsOf(struct, type.discriminant, planner.types).map(literal), result: result(branch) }]
  })
}
