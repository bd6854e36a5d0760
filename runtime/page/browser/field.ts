import type { DescribedType, TypesByName } from '../../schema/description.js'

/** The form elements for one value. */
export interface Field {
  readonly element: HTMLElement
  /** The value in JSON form, valid or not; undefined if it is omitted. */
  read(): unknown
  /** Shows a value. Inner values that it cannot show are left unchanged. */
  write(value: unknown): void
}

/** Where a field is. */
export interface Place {
  /** The text of its label. */
  readonly label: string
  readonly types: TypesByName
  /** Elements beside the label: the buttons and boxes of the containing field. */
  readonly extras?: readonly Node[]
  readonly doc?: string | undefined
  /** The name of the type at its use. */
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
