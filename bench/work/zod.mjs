import { z } from 'zod'

const item = z.object({ sku: z.string(), title: z.string(), quantity: z.int32(), price: z.number() })

const add = z.object({ a: z.int32(), b: z.int32() })
const sum = z.int32()
const point = z.object({ x: z.number(), y: z.number(), label: z.string() })
const order = z.object({
  id: z.int32(),
  customer: z.string(),
  email: z.string(),
  street: z.string(),
  city: z.string(),
  country: z.string(),
  note: z.string().optional(),
  total: z.number(),
  discount: z.number(),
  paid: z.boolean(),
  status: z.enum(['open', 'sent', 'done']),
  items: z.array(item),
})

const circle = z.object({ kind: z.literal('circle'), x: z.number(), y: z.number(), radius: z.number() })
const box = z.object({ kind: z.literal('box'), x: z.number(), y: z.number(), width: z.number(), height: z.number() })
const group = z.object({
  kind: z.literal('group'),
  name: z.string(),
  get shapes() {
    return z.array(shape)
  },
})
const shape = z.discriminatedUnion('kind', [circle, box, group])

export const schemas = { add, sum, point, order, shape }
