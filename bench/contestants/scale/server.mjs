// What both services of the section serve: a call that costs little, and one that uses the processor for 2 ms.

export async function createServer(project) {
  const { RpcServer } = await project.package('')
  const server = new RpcServer()
  server.registerProcedure(add, { unchecked: true })
  server.registerProcedure(busy, { unchecked: true })
  return server
}

function add(a, b) {
  return a + b
}

function busy(a, b) {
  const end = performance.now() + 2
  while (performance.now() < end);
  return a + b
}
