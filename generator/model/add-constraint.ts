// Adds constraints to types, wherever they are written, and reports those that a type cannot have or that contradict each other.
//
//   int, { name: 'minimum', value: 1 }  →  { kind: 'int', constraints: { minimum: 1 } }
import { flatten, innerTypesOf } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { type Constraints, constraintForms } from '../../runtime/values/constraints.js'
import type { DiagnosticCode } from '../diagnostics/diagnostic.js'
import {
  type Constraint,
  type ConstraintName,
  canHave,
  constrain,
  contradiction,
  isApplicable,
  literalMeets,
  literalsIn,
} from './constraints.js'
import { isPlaceholder, type ModelType, type OfKind } from './model.js'
import { type SlowPart, slowPartOf } from './slow-pattern.js'

/** A constraint where it is written. */
export interface Written extends Constraint {
  /** `@minimum 1` in a comment, `Minimum<1>` in a type; without a value the name alone. */
  show(name: ConstraintName, value?: number): string
  report(code: DiagnosticCode, message: string, hint?: string): void
}

/** What is known while constraints are added. */
export interface Known {
  /** The named types so far. */
  readonly types: TypesByName
  /** Where the pattern of constraints is written. */
  readonly patterns: WeakMap<Constraints, Written>
}

/**
 * Adds constraints to types: `number` and `Minimum<1>` become `{ kind: 'number', constraints: { minimum: 1 } }`. Those of types that are
 * being resolved are added once `settle` is called.
 */
export function createAdder(types: TypesByName) {
  const known: Known = { types, patterns: new WeakMap() }
  const open: (() => void)[] = []
  return {
    known,
    add(model: ModelType, constraint: Written): ModelType {
      if (!isOpen(model, types)) return apply(model, constraint, known)
      const later = { ...model }
      open.push(() => replace(later, apply(model, constraint, known)))
      return later
    },
    settle() {
      for (const complete of open.splice(0)) complete()
    },
  }
}

/** True for a reference to a type that is being resolved: what it can have is not known. */
function isOpen(model: ModelType, types: TypesByName): boolean {
  if (model.kind === 'union') return model.branches.some((each) => isOpen(each, types))
  const type = model.kind === 'ref' ? types.get(model.name)?.type : undefined
  return type !== undefined && (isPlaceholder(type) || isOpen(type, types))
}

/** Makes one model equal to another one: it is part of the models of other types already. */
function replace(model: ModelType, by: ModelType): void {
  for (const name of Object.keys(model)) Reflect.deleteProperty(model, name)
  Object.assign(model, by)
}

const hints = { number: 'it is for numbers', text: 'it is for strings', list: 'it is for lists' } as const

/** The model with a constraint, on each branch of a union that can have it. */
function apply(model: ModelType, constraint: Written, known: Known): ModelType {
  // It has an error already.
  if (isPlaceholder(model) || isOpen(model, known.types)) return model
  const { name, value, show, report } = constraint
  const { types } = known
  const union = unionIn(model, types)
  const branches = union?.branches ?? [model]
  const literals = literalsIn(model, types).filter((each) => isApplicable(name, each))
  for (const each of literals) {
    if (literalMeets(each, { [name]: value })) continue
    const message = `${JSON.stringify(each)} does not fulfil ${show(name)} ${value}`
    report('RPC125', message, 'remove the value, or the constraint')
  }
  // A literal that meets it is accepted unchanged: `'a' & MaxLength<3>`.
  if (literals.length === 0 && !branches.some((each) => canHave(each, name, types))) {
    const isEncoded = flatten(model, types).some(({ kind }) => kind === 'custom')
    const hint = isEncoded ? 'declare it on the wire type of the codec' : hints[constraintForms[name][0]]
    report('RPC126', `${show(name)} does not apply to the type`, hint)
  }
  const limited = branches.map((each) => limitBranch(each, constraint, known))
  if (limited.every((each, i) => each === branches[i])) return model
  return union ? { ...union, branches: limited } : (limited[0] ?? model)
}

/** Returns a union, also one with a name: its other uses do not have the constraint. */
function unionIn(model: ModelType, types: TypesByName): OfKind<'union'> | undefined {
  if (model.kind === 'union') return model
  const named = model.kind === 'ref' ? types.get(model.name)?.type : undefined
  return named && unionIn(named, types)
}

function limitBranch(type: ModelType, written: Written, { types, patterns }: Known): ModelType {
  const { name, value, show, report } = written
  if (!canHave(type, name, types)) return type
  const both = constrain(type, { [name]: value })
  if (!both) {
    report('RPC125', `the type has another ${show(name)} already: two of them cannot be combined`)
    return type
  }
  const against = contradiction(both)
  if (against) report('RPC125', `no value fulfils ${against.map(show).join(' and ')}`)
  const ofPattern = name === 'pattern' ? written : type.constraints && patterns.get(type.constraints)
  if (both.constraints && ofPattern) patterns.set(both.constraints, ofPattern)
  return both
}

/** Reports patterns that backtrack without a bound and have no MaxLength beside them. */
export function checkPatterns(further: readonly ModelType[], known: Known): void {
  // The constraints of a named type itself are examined where it is used.
  const inNamed = [...known.types.values()].flatMap(({ type }) => innerTypesOf(type))
  for (const type of [...inNamed, ...further]) checkPatternsIn(type, known)
}

/** The constraints of a use of a type and of the named types that it refers to apply together. */
function checkPatternsIn(type: ModelType, known: Known): void {
  const all = constraintsOf(type, known.types)
  if (all.every(({ maxLength }) => maxLength === undefined)) {
    for (const each of all) {
      const written = known.patterns.get(each)
      if (written && each.pattern !== undefined) checkPattern(each.pattern, written)
    }
  }
  for (const inner of innerTypesOf(type)) checkPatternsIn(inner, known)
}

function constraintsOf(type: ModelType, types: TypesByName): Constraints[] {
  const named = type.kind === 'ref' ? types.get(type.name)?.type : undefined
  return [...(type.constraints ? [type.constraints] : []), ...(named ? constraintsOf(named, types) : [])]
}

const ways: Readonly<Record<SlowPart['time'], string>> = {
  exponential: 'takes exponential time: it can match one text in many ways',
  quadratic: 'takes quadratic time: both parts match the same characters',
  unknown: 'is too large to tell whether it takes exponential time',
}

function checkPattern(pattern: string, { show, report }: Written): void {
  const slow = slowPartOf(pattern)
  if (!slow) return
  const hint = `rewrite it, or add ${show('maxLength', 20)}`
  report('RPC128', `${show('pattern')}: ${slow.text} ${ways[slow.time]}`, hint)
}
