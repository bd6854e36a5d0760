// The values that are sent. They are not random.

export const point = { x: 12.5, y: -3.25, label: 'corner' }

export const order = {
  id: 4711,
  customer: 'Ann Example',
  email: 'ann@example.org',
  street: '12 Long Road',
  city: 'Upper Village',
  country: 'NZ',
  note: 'calls back on Mondays & Fridays, else leave word with the neighbours',
  total: 1204.75,
  discount: 0.125,
  paid: true,
  status: 'sent',
  items: Array.from({ length: 10 }, (_, i) => ({
    sku: `A-${1000 + i}`,
    title: `article ${i}, second edition`,
    quantity: 1 + (i % 4),
    price: i + 0.99,
  })),
}

/** 61 shapes, four levels of groups deep. */
export const shape = group(4)

function group(depth) {
  const circle = { kind: 'circle', x: depth, y: 1.5, radius: 0.25 }
  const box = { kind: 'box', x: 0.5, y: depth, width: 10, height: 20.5 }
  const inner = depth === 1 ? [circle, box] : [group(depth - 1), group(depth - 1)]
  return { kind: 'group', name: `level ${depth}`, shapes: [circle, box, ...inner] }
}

export const account = {
  id: 4711,
  name: 'Ann Example',
  email: 'ann@example.org',
  street: '12 Long Road',
  city: 'Upper Village',
  country: 'NZ',
  note: 'calls back on Mondays & Fridays, else leave word with the neighbours',
  balance: 1204.75,
  discount: 0.125,
  orders: 38,
  active: true,
  verified: false,
}

export const accounts = Array.from({ length: 1_000 }, (_, i) => ({ ...account, id: i, orders: i % 50 }))

export const integers = Array.from({ length: 10_000 }, (_, i) => ((i * 7919) % 1_000_003) - 5_000)

export const lines = Array.from({ length: 1_000 }, (_, i) => ({
  id: i,
  name: `article ${i}`,
  price: i + 0.99,
  inStock: i % 3 === 0,
}))

export const values = { point, order, shape, account, accounts, integers, lines }
