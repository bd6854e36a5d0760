const segment = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.?([^.[\]]+)/g

/** The keys that a path is made of: `draft.lines[2].quantity` is `draft`, `lines`, 2, `quantity`. */
export function segmentsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(segment), ([, quoted, index, name = '']) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? name : (JSON.parse(`"${quoted}"`) as string)
  })
}
