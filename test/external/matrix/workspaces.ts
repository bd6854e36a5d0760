const json = (value: object) => JSON.stringify(value)

const node = { target: 'es2022', module: 'nodenext', strict: true, types: ['node'], skipLibCheck: true }
const options = { ...node, composite: true, rootDir: 'src', outDir: 'dist' }

/** A monorepo of two packages: the procedures of one have the types of the other. */
export function workspaces(
  tarball: string,
  versions: Readonly<Record<string, string>>,
  own: string,
): Readonly<Record<string, string>> {
  const dependencies = { '@own/shapes': own, hono: versions['hono'], 'rpc-gen': `file:${tarball}` }
  const devDependencies = { '@types/node': versions['@types/node'], 'ts-morph': versions['ts-morph'] }
  return {
    'package.json': json({ name: 'mono', private: true, workspaces: ['packages/*'] }),
    'packages/shapes/package.json': json({
      name: '@own/shapes',
      version: '1.0.0',
      type: 'module',
      exports: { types: './dist/index.d.ts', default: './dist/index.js' },
    }),
    'packages/shapes/tsconfig.json': json({ compilerOptions: { ...options, types: [] }, include: ['src'] }),
    'packages/shapes/src/index.ts': `export type Shape = { kind: 'circle'; radius: number } | { kind: 'group'; parts: Shape[] }
export const factor = 2
`,
    'packages/api/package.json': json({
      name: '@own/api',
      private: true,
      type: 'module',
      dependencies,
      devDependencies,
    }),
    'packages/api/tsconfig.json': json({
      compilerOptions: { ...options, composite: false },
      include: ['src'],
      references: [{ path: '../shapes' }],
    }),
    'packages/api/src/procedures/shapes.ts': `import { factor, type Shape } from '@own/shapes'

/** @rpc */
export function grow(shape: Shape): Shape {
  return shape.kind === 'circle' ? { ...shape, radius: shape.radius * factor } : { ...shape, parts: shape.parts.map(grow) }
}
`,
    'packages/api/src/main.ts': `import { router } from './rpc.gen.js'

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'grow', params: [{ kind: 'circle', radius: 2 }] })
const headers = { 'Content-Type': 'application/json' }
console.log(await (await router.request('/', { method: 'POST', headers, body })).text())
`,
  }
}
