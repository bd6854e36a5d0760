// Prisma's client for as many models as the corpus has entities: generated code that users are used to.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const model = (name) => `
model ${name} {
  id      String    @id
  title   String
  state   String
  level   Int
  width   Int
  height  Int
  created DateTime
  changed DateTime?
  labels  Json
  photo   Bytes?
  slug    String
  parts   ${name}Part[]
}

model ${name}Part {
  sku      String @id
  amount   Int
  currency String
  cents    Int
  thing    ${name}   @relation(fields: [thingId], references: [id])
  thingId  String
}
`

/** Writes a project with a generated client of `entities` entities in two models each; `installed` has Prisma. */
export function writePrismaProject(folder, entities, installed) {
  mkdirSync(join(folder, 'src'), { recursive: true })
  symlinkSync(installed, join(folder, 'node_modules'), 'junction')
  const write = (path, text) => writeFileSync(join(folder, path), text)
  write('package.json', '{ "type": "module", "private": true }')
  write(
    'schema.prisma',
    [
      'generator client {\n  provider = "prisma-client"\n  output = "./src/prisma"\n}\ndatasource db {\n  provider = "sqlite"\n}',
    ]
      .concat(Array.from({ length: entities }, (_each, i) => model(`Thing${i}`)))
      .join('\n'),
  )
  write('prisma.config.ts', "export default { schema: 'schema.prisma', datasource: { url: 'file:./none.db' } }\n")
  write('src/app.ts', 'export const one = 1\n')
  // The schema engine, which is downloaded, is not needed to generate: any program replaces it.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  const args = [join(installed, 'prisma/build/index.js'), 'generate']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`prisma generate: ${stdout}${stderr}`)
}
