// bun bun.mjs APP serves the compiled app on a free port.
const { app } = await import(process.argv[2])
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
console.log(`${server.url} answers`)
