import type { Double, Int } from 'rpc-gen'

/** @rpc */
export const add = (a: Int, b: Int): Int => a + b

export interface Account {
  id: Int
  name: string
  email: string
  street: string
  city: string
  country: string
  note: string
  balance: Double
  discount: Double
  orders: Int
  active: boolean
  verified: boolean
}

/** @rpc */
export const account = (value: Account): Account => value

/** @rpc */
export const integers = (values: Int[]): Int[] => values

export interface Line {
  id: Int
  name: string
  price: Double
  inStock: boolean
}

/** @rpc */
export const lines = (values: Line[]): Line[] => values
