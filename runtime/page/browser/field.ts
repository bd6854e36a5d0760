import type { DescribedType, TypesByName } from '../../schema/description.js'

/** A part of a form that holds one value. */
export interface Field {
  readonly element: HTMLElement
  /** The value as JSON carries it, right or wrong; undefined where it is left out. */
  read(): unknown
  /** Shows a value; what it cannot show is left as it was. */
  write(value: unknown): void
}

/** Where a field is. */
export interface Place {
  /** The text of its label. */
  readonly label: string
  readonly types: TypesByName
  /** What is beside the label: the buttons and boxes of what contains the field. */
  readonly extras?: readonly Node[]
  readonly doc?: string | undefined
  /** The type as it was named where it is used. */
  readonly shown?: string
  /** The named types that it is in. */
  readonly inside: readonly string[]
  /** Makes a field of a type: fields do not know each other. */
  readonly make: MakeField
}

/** Makes a field of any type. */
export type MakeField = (type: DescribedType, place: Place) => Field

/** A type of one kind. */
export type OfKind<Kind extends DescribedType['kind']> = Extract<DescribedType, { kind: Kind }>
