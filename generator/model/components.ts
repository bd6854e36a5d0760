/** Returns the strongly connected components of a graph that can be reached from nodes (Tarjan's algorithm, without recursion). */
export function components(roots: readonly number[], followers: (node: number) => readonly number[]): number[][] {
  const order = new Map<number, number>()
  const low = new Map<number, number>()
  const open: number[] = []
  const isOpen = new Set<number>()
  const found: number[][] = []
  const lower = (node: number, to: number) => low.set(node, Math.min(low.get(node) as number, to))
  const enter = (node: number) => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    open.push(node)
    isOpen.add(node)
    return { node, left: [...followers(node)] }
  }
  for (const root of roots) {
    const path = order.has(root) ? [] : [enter(root)]
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = top.left.pop()
      if (to === undefined) {
        path.pop()
        const above = path.at(-1)
        if (above) lower(above.node, low.get(top.node) as number)
        if (low.get(top.node) !== order.get(top.node)) continue
        const component = open.splice(open.lastIndexOf(top.node))
        for (const each of component) isOpen.delete(each)
        found.push(component)
      } else if (!order.has(to)) path.push(enter(to))
      else if (isOpen.has(to)) lower(top.node, order.get(to) as number)
    }
  }
  return found
}
