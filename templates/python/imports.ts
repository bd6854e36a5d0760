import type { PythonRuntime } from './runtime.js'
import type { PythonCodec } from './types.js'

/** The classes of custom scalars as the module refers to them, and the imports of their modules. */
export interface CodecImports {
  readonly scalars: ReadonlyMap<string, PythonCodec>
  /** The statements for modules of the standard library, sorted: `import decimal`, `import datetime as datetime_`. */
  readonly standard: readonly string[]
  /** Those for other modules, which linters want in a block of their own. */
  readonly others: readonly string[]
}

/** Modules of the standard library that have classes of values, beside those that every client imports. */
const standardModules =
  'collections datetime fractions ipaddress numbers pathlib string types typing uuid zoneinfo'.split(' ')

/**
 * Imports the modules of classes and functions, and those of the runtime: `shop.Money` is in `shop`, and so is `shop.Money.read` if
 * `shop.Money` is a class. A module that is called like something else that the client binds gets another name.
 */
export function importCodecs(all: ReadonlyMap<string, PythonCodec>, runtime: PythonRuntime): CodecImports {
  const modules = ['sys', ...runtime.modules]
  const isStandard = (module: string) => [...modules, ...standardModules].includes(module.split('.')[0] as string)
  const imports = new Map<string, string>()
  const classes = [...all.values()].map(({ type }) => type)
  const local = (name: string): string => {
    const owner = classes.find((each) => name.startsWith(`${each}.`)) ?? name
    if (!owner.includes('.')) return name
    const module = owner.slice(0, owner.lastIndexOf('.'))
    const [first = ''] = module.split('.')
    const alias = runtime.names.includes(first) ? `${module.replaceAll('.', '_')}_` : undefined
    imports.set(module, alias ? `${module} as ${alias}` : module)
    return alias ? alias + name.slice(module.length) : name
  }
  const scalars = Array.from(all, ([key, { type, decode, encode }]) => {
    return [key, { type: local(type), decode: local(decode), encode: local(encode) }] as const
  })
  const statements = (names: string[]) => names.sort().map((name) => `import ${imports.get(name) ?? name}`)
  return {
    scalars: new Map(scalars),
    standard: statements([...new Set([...modules, ...imports.keys()])].filter(isStandard)),
    others: statements([...imports.keys()].filter((each) => !isStandard(each))),
  }
}
