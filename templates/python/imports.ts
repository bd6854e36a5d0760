import { importedNames, modules, publicNames, typingNames } from './runtime/index.js'
import type { PythonScalar } from './types.js'

/** The classes of custom scalars as the module refers to them, and the imports of their modules. */
export interface ScalarImports {
  readonly scalars: ReadonlyMap<string, PythonScalar>
  /** What follows `import`, by module: `decimal`, `datetime as datetime_`. */
  readonly imports: ReadonlyMap<string, string>
}

/** Names that an import must not bind. */
const taken = new Set([...importedNames, ...typingNames, ...publicNames])

/** Imports the modules of classes and functions: `shop.Money` is in `shop`, and so is `shop.Money.read` if `shop.Money` is a class. */
export function importScalars(all: ReadonlyMap<string, PythonScalar>): ScalarImports {
  const imports = new Map<string, string>()
  const classes = [...all.values()].map(({ type }) => type)
  const local = (name: string): string => {
    const owner = classes.find((each) => name.startsWith(`${each}.`)) ?? name
    if (!owner.includes('.')) return name
    const module = owner.slice(0, owner.lastIndexOf('.'))
    const [first = ''] = module.split('.')
    const alias = taken.has(first) ? `${module.replaceAll('.', '_')}_` : undefined
    imports.set(module, alias ? `${module} as ${alias}` : module)
    return alias ? alias + name.slice(module.length) : name
  }
  const scalars = Array.from(all, ([key, { type, decode, encode }]) => {
    return [key, { type: local(type), decode: local(decode), encode: local(encode) }] as const
  })
  return { scalars: new Map(scalars), imports: new Map([...modules.map((name) => [name, name] as const), ...imports]) }
}
