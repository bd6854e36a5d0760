// deno run --allow-net --allow-read deno.mjs APP serves the compiled app on a free port.
const { app } = await import(Deno.args[0])
const onListen = ({ port }) => console.log(`http://127.0.0.1:${port} answers`)
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, app.fetch)
