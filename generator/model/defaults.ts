import { fits } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import type { ValueNotes } from '../../runtime/values/types.js'
import type { ModelType } from './model.js'

/** Returns a member or a parameter with its default as text of its docs if that is not a value of its type: `@default one hour`. */
export function withFittingDefault<T extends ValueNotes & { readonly type: ModelType }>(of: T, types: TypesByName): T {
  const { default: value, ...others } = of
  if (value === undefined || fits(value, of.type, types)) return of
  const text = `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  return { ...others, doc: [of.doc ?? '', text].filter(Boolean).join('\n\n') } as T
}

/** Returns a type with the defaults of its members as `withFittingDefault` does. */
export function withFittingDefaults(type: ModelType, types: TypesByName): ModelType {
  if (type.kind !== 'struct' || type.members.every((each) => each.default === undefined)) return type
  return { ...type, members: type.members.map((each) => withFittingDefault(each, types)) }
}
