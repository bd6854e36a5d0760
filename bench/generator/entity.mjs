/** The types of one entity of a domain. */
export function entity(domain, index) {
  const name = `Thing${domain}x${index}`
  return `/** What ${name} is about. */
export interface ${name} {
  id: Id<'${name}'>
  title: string
  state: ${name}State
  level: Level
  size: [width: number, height: number, depth?: number]
  created: Stamp
  changed?: Stamp
  parts: ${name}Part[]
  labels: Record<string, string>
  photo: Uint8Array | null
  extra?: Json
  slug: \`${name.toLowerCase()}-\${string}\`
}

export type ${name}State =
  | { kind: 'draft'; author: string }
  | { kind: 'open'; since: Date; watchers: string[] }
  | { kind: 'closed'; at: Date; reason: 'done' | 'dropped' | 'duplicate'; problem?: Problem }

export interface ${name}Part {
  sku: string
  amount: number
  price: { currency: 'CHF' | 'EUR' | 'USD'; cents: number }
  children: ${name}Part[]
}

export type ${name}Draft = Omit<${name}, 'id' | 'created' | 'changed' | 'state' | 'extra'>

export type ${name}Key = Pick<${name}, 'id' | 'title'>

export interface ${name}Filter {
  text?: string
  states?: ${name}State['kind'][]
  range?: { from: Date; to: Date }
  any?: ${name}Filter[]
  not?: ${name}Filter
}
`
}
