// The called procedures. rpc-gen generates from it; typia's build reads the same types.
import type { Double, Int } from 'rpc-gen'

/** @rpc */
export const add = (a: Int, b: Int): Int => a + b

export interface Item {
  sku: string
  title: string
  quantity: Int
  price: Double
}

/** Twelve members, one of them a list. */
export interface Order {
  id: Int
  customer: string
  email: string
  street: string
  city: string
  country: string
  note?: string
  total: Double
  discount: Double
  paid: boolean
  status: 'open' | 'sent' | 'done'
  items: Item[]
}

/** @rpc */
export const order = (value: Order): Order => value

export interface Point {
  x: Double
  y: Double
  label: string
}

/** @rpc */
export const point = (value: Point): Point => value

export interface Circle {
  kind: 'circle'
  x: Double
  y: Double
  radius: Double
}

export interface Box {
  kind: 'box'
  x: Double
  y: Double
  width: Double
  height: Double
}

export interface Group {
  kind: 'group'
  name: string
  shapes: Shape[]
}

export type Shape = Circle | Box | Group

/** @rpc */
export const shape = (value: Shape): Shape => value

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
export const accounts = (values: Account[]): Account[] => values

/** @rpc */
export const echo = (value: unknown): unknown => value

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

/** @rpc */
export const text = (value: string): string => value
