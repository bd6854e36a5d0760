import type { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { PlacedComment } from '../comments/comments.js'
import type { Place, PlaceText } from '../problems.js'

/** Puts on a type what the doc comments of a place, and of the names that the type is written with, demand. */
export interface Constrainer {
  apply(resolved: ModelType, type: ts.Type, place: Place): ModelType
  /** What a text demands of a type and of all that is inside it, in words to compare by; empty where it demands nothing. */
  demandedIn(node: ts.TypeNode): string
  /** Reports a demand that no branch of a union could take. */
  checkBranches(branches: readonly ModelType[], place: Place): void
  /** What the text says of a function's result whose type is inferred. */
  inferredResult(declaration: ts.Node | undefined, type: ts.Type): PlaceText
  /** What it says of a member of the type at `whole`; `own` is the member's declaration, where it says just this type. */
  textOfMember(property: ts.Symbol, type: ts.Type, own: ts.Node | undefined, whole: Place): PlaceText
  /** Notes where people write what a procedure demands. */
  notice(own: PlacedComment, nodes: () => readonly ts.Node[]): void
  /** Reports what comments demand and nothing has read; to be called once, at the end. */
  finish(): void
}
