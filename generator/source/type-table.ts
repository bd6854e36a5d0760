import type { ts } from 'ts-morph'
import type { ModelType } from '../model/model.js'
import type { FoundType } from '../model/part.js'
import { nameOf } from './naming.js'
import type { Place } from './problems.js'
import type { OpenProject } from './project/project.js'

/** A type that is written once; what it means is known when its inside has been looked at. */
export type Entry = FoundType & { type: ModelType }

/** The types that are written once and referred to by name, and where each was first met. */
export interface TypeTable {
  /** In the order of first use. */
  readonly types: readonly Entry[]
  /** The same by their keys, at every time. */
  readonly byName: ReadonlyMap<string, Entry>
  find(type: ts.Type): Entry | undefined
  enter(type: ts.Type, place: Place): Entry
  placeOf(key: string): Place | undefined
}

/** What stands for a type that was refused, or is not known yet. */
export const unknownYet: ModelType = { kind: 'any' }

export function createTypeTable(project: OpenProject, moduleOf: (source: ts.SourceFile) => string): TypeTable {
  const types: Entry[] = []
  const byName = new Map<string, Entry>()
  const entries = new Map<ts.Type, Entry>()
  const places = new Map<string, Place>()
  return {
    types,
    byName,
    find: (type) => entries.get(type),
    enter(type, place) {
      const entry = { name: `${types.length}`, ...nameOf(type, place, project, moduleOf), type: unknownYet }
      entries.set(type, entry)
      places.set(entry.name, place)
      byName.set(entry.name, entry)
      types.push(entry)
      return entry
    },
    placeOf: (key) => places.get(key),
  }
}
