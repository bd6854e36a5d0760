// esbuild bundles this with the compiled app, which it finds under the name `app`.
import { app } from 'app'

// biome-ignore lint/style/noDefaultExport: a worker has to have one
export default { fetch: app.fetch }
